"""Training on PyTorch, of which a step is forward, backward and the optimiser: the losses and the weights are the same bit for
bit without the library, profiled and served, and nearly all that a step asks for is served. A program that marks nothing is
found by its period, and each step that is marked is a pass. Skipped where scripts/setup-engines has not been run."""

import json
import os
import pathlib
import subprocess
import unittest

from harness import COMMAND, PassesCase

ROOT = pathlib.Path(__file__).parents[2]
PYTHON = pathlib.Path(os.environ.get("MEMOMALLOC_ENGINES") or ROOT / "build" / "engines") / "bin" / "python"
PROGRAM = ROOT / "examples" / "torch_python" / "train.py"
STEPS = 40
SMALL = ("--width", "8", "--image", "16", "--blocks", "2")
LEAST_SHARE = 0.9


@unittest.skipUnless(PYTHON.exists(), "there is no PyTorch: scripts/setup-engines installs it")
class Training(PassesCase):
    def train(self, *options, prefix=()):
        """What must not differ: the losses and the weights."""
        done = subprocess.run([*map(str, prefix), PYTHON, PROGRAM, "--steps", str(STEPS), *SMALL, *options], capture_output=True, text=True,
                              timeout=250, env={**os.environ, "XDG_CACHE_HOME": str(self.folder)}, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = json.loads(done.stdout)
        return said["checksum"], said["losses"]

    def test_a_step_is_found_by_its_period_and_served(self):
        plain = self.train()
        self.assertLess(plain[1][-1], plain[1][0])
        self.assertEqual(self.train(prefix=(COMMAND, "profile", "--passes-by", "period", "-o", "trace", "--")), plain)
        self.run_command("plan", "-o", self.folder / "plan", self.folder / "trace")
        self.assertEqual(self.train(prefix=(COMMAND, "serve", "--plan", "plan", "--stats", "stats", "--")), plain)
        steady = json.loads((self.folder / "stats").read_text())["steady"]
        self.assertGreaterEqual(steady["passes"], STEPS - 5)
        for served, missed in (("served", "missed"), ("served_bytes", "missed_bytes")):
            self.assertGreater(steady[served] / (steady[served] + steady[missed]), LEAST_SHARE, steady)

    def test_a_marked_step_is_a_pass(self):
        self.train("--marked", "--optimiser", "adam", prefix=(COMMAND, "profile", "-o", "trace", "--"))
        trace = json.loads(self.run_command("inspect", "--json", self.folder / "trace").stdout)
        self.assertEqual(len(trace["passes"]), STEPS)


if __name__ == "__main__":
    unittest.main()
