"""Eager PyTorch of today, the application untouched: its passes are found and served, its answers stay the same bit for bit, and
whatever traces or compiles a model sees the same as without the library. Skipped where scripts/setup-engines has not been run."""

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


@unittest.skipUnless(PYTHON.exists(), "there is no PyTorch: scripts/setup-engines installs it")
class EagerTorch(PassesCase):
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

    def test_passes_are_found_and_served(self):
        expected = self.run_program("eager.py", PASSES)
        self.assertEqual(self.run_program("eager.py", PASSES, prefix=(COMMAND, "profile", "-o", "trace", "--")), expected)
        trace = json.loads(self.run_command("inspect", "--json", self.folder / "trace").stdout)
        self.assertEqual(len(trace["passes"]), PASSES)
        self.assertIn("1.conv2", [scope["name"] for scope in trace["scopes"]])
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


if __name__ == "__main__":
    unittest.main()
