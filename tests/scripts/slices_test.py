"""Programs that share the clock in slices (scripts/lib/slices.py). Failure: two that run at once, one that never runs, or one that is left
stopped."""

import contextlib
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from slices import Slices

ENDLESS = ["sh", "-c", "while :; do :; done"]


def is_stopped(process):
    with open(f"/proc/{process.pid}/stat") as stat:
        return stat.read().rpartition(")")[2].split()[0] == "T"


class Sharing(unittest.TestCase):
    def setUp(self):
        self.processes = [subprocess.Popen(ENDLESS, start_new_session=True) for _ in range(3)]
        for process in self.processes:
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)

    def one_that_runs(self):
        """Itself, or none before the first slice. Waits: a process stops a moment after it was told to."""
        while len(running := [process.pid for process in self.processes if not is_stopped(process)]) > 1:
            pass
        return running

    def test_one_runs_at_a_time_and_each_does(self):
        ran = set()
        with Slices() as slices, contextlib.ExitStack() as taking_part:
            for process in self.processes:
                taking_part.enter_context(slices.with_one_more(process.pid))
            while len(ran) < len(self.processes):
                with slices.held:
                    ran.update(self.one_that_runs())
        self.assertEqual([is_stopped(process) for process in self.processes], [False] * 3)


if __name__ == "__main__":
    unittest.main()
