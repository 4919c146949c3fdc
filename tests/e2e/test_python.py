"""Eager PyTorch of today, the application untouched: its passes are found and served, its answers stay the same bit for bit, and
whatever traces or compiles a model sees the same as without the library. CTranslate2 likewise. Skipped where scripts/setup-engines
has not been run."""

import json
import os
import pathlib
import subprocess
import unittest

from harness import COMMAND, PassesCase

ROOT = pathlib.Path(__file__).parents[2]
ENGINES = pathlib.Path(os.environ.get("MEMOMALLOC_ENGINES") or ROOT / "build" / "engines")
PYTHON = ENGINES / "bin" / "python"
PROGRAMS = pathlib.Path(__file__).parent / "programs"
PASSES = 120  # what the first ones leave in the slab, a lane is replaced for, counts little among them


class EngineCase(PassesCase):
    def run_program(self, name, *words, prefix=()):
        done = subprocess.run([*map(str, prefix), PYTHON, PROGRAMS / name, *map(str, words)], capture_output=True, text=True,
                              timeout=250, env={**os.environ, "XDG_CACHE_HOME": str(self.folder)}, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def assert_served(self, statistics, passes):
        steady = json.loads((self.folder / statistics).read_text())["steady"]
        self.assertGreaterEqual(steady["passes"], passes)
        for served, missed in (("served", "missed"), ("served_bytes", "missed_bytes")):
            self.assertGreater(steady[served] / (steady[served] + steady[missed]), 0.97, steady)


@unittest.skipUnless(PYTHON.exists(), "there is no PyTorch: scripts/setup-engines installs it")
class EagerTorch(EngineCase):
    def test_passes_are_found_and_served(self):
        expected = self.run_program("eager.py", PASSES)
        self.assertEqual(self.run_program("eager.py", PASSES, prefix=(COMMAND, "profile", "-o", "trace", "--")), expected)
        trace = json.loads(self.run_command("inspect", "--json", self.folder / "trace").stdout)
        self.assertEqual(len(trace["passes"]), PASSES)
        self.assertIn("[1.conv2]", [scope["name"] for scope in trace["scopes"]])
        self.plan(self.folder / "trace", name="plan")
        serve = (COMMAND, "serve", "--plan", "plan", "--stats", "stats", "--")
        self.assertEqual(self.run_program("eager.py", PASSES, prefix=serve), expected)
        self.assert_served("stats", PASSES - 2)

    def test_a_second_run_serves_what_the_first_learned(self):
        expected = self.run_program("eager.py", PASSES)
        for _ in range(2):
            self.assertEqual(self.run_program("eager.py", PASSES, prefix=(COMMAND, "run", "--stats", "stats", "--")), expected)
        self.assert_served("stats", PASSES - 4)

    def test_switched_off_it_marks_nothing(self):
        self.run_program("eager.py", 4, prefix=(COMMAND, "profile", "--python", "off", "-o", "trace", "--"))
        self.assertFalse((self.folder / "trace").exists())

    def test_tracers_see_what_they_saw(self):
        expected = self.run_program("tracers.py")
        for mode in ("profile", "run"):
            keep = ("-o", "trace") if mode == "profile" else ("--no-cache",)
            self.assertEqual(self.run_program("tracers.py", prefix=(COMMAND, mode, *keep, "--")), expected)


def has_module(name):
    return PYTHON.exists() and subprocess.run([PYTHON, "-c", f"import {name}"], capture_output=True, check=False).returncode == 0


@unittest.skipUnless(has_module("ctranslate2"), "there is no CTranslate2: scripts/setup-engines ctranslate2 installs it")
class CTranslate2(EngineCase):
    """Its passes are hooked on the threads of the engine; marks of its package come on the threads that call."""

    PROGRAM = ROOT / "scripts" / "lib" / "engines" / "ctranslate2_translator.py"

    def test_passes_are_hooked_and_served(self):
        expected = self.run_program(self.PROGRAM, 30)
        self.assertEqual(self.run_program(self.PROGRAM, 30, prefix=(COMMAND, "profile", "-o", "trace", "--")), expected)
        trace = json.loads(self.run_command("inspect", "--json", self.folder / "trace").stdout)
        self.assertEqual(len(trace["passes"]), 30)
        self.plan(self.folder / "trace", name="plan")
        serve = (COMMAND, "serve", "--plan", "plan", "--stats", "stats", "--")
        self.assertEqual(self.run_program(self.PROGRAM, 30, prefix=serve), expected)
        steady = json.loads((self.folder / "stats").read_text())["steady"]
        self.assertGreater(steady["served"] / (steady["served"] + steady["missed"]), 0.97, steady)

    def test_marked_calls_without_hooks(self):
        expected = self.run_program(self.PROGRAM, 5)
        profile = (COMMAND, "profile", "--passes-by", "api", "-o", "trace", "--")
        self.assertEqual(self.run_program(self.PROGRAM, 5, prefix=profile), expected)
        self.assertEqual(len(json.loads(self.run_command("inspect", "--json", self.folder / "trace").stdout)["passes"]), 5)


if __name__ == "__main__":
    unittest.main()
