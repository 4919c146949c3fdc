"""Proves how scripts/check/branches measures: what it counts begins behind the warm-up of the very process that it asks on, the threads
that work for passes count as well, and a program that ends early is an error and no figure. The example server with its branches
swapped shows all of it in a few requests."""

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from loading import load_script
from places import BIN

branches = load_script("check/branches")
branches.WARM_UP, branches.REQUESTS = 3, 8

# What a test counts must not depend on how busy the machine is.
os.environ["MEMOMALLOC_ASIDE"] = "never"


class Branches(unittest.TestCase):
    def test_workers_count(self):
        found = branches.with_workers({
            "passes": 1, "aside": {"passes": 1}, "served": 10, "served_bytes": 100, "fallback": {"occupied": 2}, "fallback_bytes": 20,
            "worker_served": 5, "worker_served_bytes": 50, "worker_fallback": 4, "worker_fallback_bytes": 40})
        self.assertEqual((found["served"], found["served_bytes"], found["fallback_bytes"]), (15, 150, 60))
        self.assertEqual((found["fallback"], found["aside"]), ({"occupied": 2, "of workers": 4}, {"passes": 1}))

    def test_a_program_that_ends_early(self):
        branches.ENGINES_PYTHON = sys.executable
        program = branches.Program("-c", "input(); print('answer'); raise SystemExit('it broke')", profiled={}, served=())
        with self.assertRaisesRegex(SystemExit, "it broke"):
            program.answers(())

    @unittest.skipUnless(branches.COMMAND.exists() and (BIN / "mini_load").exists(), "the programs are not built")
    def test_the_server(self):
        server, looked = branches.Server(64), []
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            plan = branches.plan_of(server, [()], pathlib.Path(folder))
            stats = pathlib.Path(folder) / "stats"
            statistics_of = branches.statistics_of
            branches.statistics_of = lambda pid: looked.append(statistics_of(pid)) or looked[-1]
            served, _, same = branches.try_order(server, ("--swap-branches",), plan, stats)
            passes = json.loads(stats.read_text())["passes"]
        self.assertTrue(same)
        self.assertGreaterEqual(looked[0]["passes"], branches.WARM_UP)
        self.assertEqual(served.passes, passes - looked[0]["passes"])
        self.assertGreaterEqual(served.passes, branches.REQUESTS - branches.WARM_UP)
        self.assertGreater(served.share_of_bytes, 0.9)
        self.assertGreater(served.missed.get("too_big", 0), 0)


if __name__ == "__main__":
    unittest.main()
