"""Children made in every way, under every mode.

served/copies.cpp opens with what it proves. Failure: any other end than success, or words of the library beyond those that
the kernel's refusal is worth.
"""

import json
import os
import subprocess
import unittest

from guest import program, run
from planned import COMMAND, NEEDS_OWN_PROGRAMS, Planned, emulated

PROGRAM = "served_copies"
RUNS = int(os.environ.get("COPIES_RUNS", "1"))  # of each kind
COPIES = 40  # that the program makes, in every way


@unittest.skipIf(emulated, NEEDS_OWN_PROGRAMS)
class Copies(Planned):
    def expect_success(self, **variables):
        """The lines of the runs, which all end well."""
        lines = []
        for _ in range(RUNS):
            result = run([program(PROGRAM)], HOSTILE_INJECTED="1", **variables)
            self.assertEqual(result.returncode, 0, result.stderr)
            lines += result.stderr.splitlines()
        return lines

    def expect_silence(self, **variables):
        self.assertEqual(self.expect_success(**variables), [])

    def serve(self, **variables):
        plan, stats = self.plan("copies"), self.folder / "stats.json"
        lines = self.expect_success(MEMOMALLOC_MODE="serve", MEMOMALLOC_PLAN=str(plan),
                                    MEMOMALLOC_STATS=str(stats), **variables)
        return lines, json.loads(stats.read_text())

    def test_off(self):
        self.expect_silence(MEMOMALLOC_MODE="off")

    def test_profile(self):
        """What a child did is in no trace but its own."""
        for follow in ("0", "1"):
            with self.subTest(follow=follow):
                trace = self.folder / f"of-{follow}.%p.trace"
                self.expect_silence(MEMOMALLOC_MODE="profile", MEMOMALLOC_TRACE=str(trace), MEMOMALLOC_FOLLOW=follow)
                traces = list(self.folder.glob(f"of-{follow}.*.trace"))
                self.assertGreaterEqual(len(traces), RUNS)
                self.assertEqual(len(traces) == RUNS, follow == "0", traces)
                for one in traces[:3]:
                    self.command("inspect", one)

    def test_serve(self):
        for lanes in ("0", "2"):
            for refused in ({}, {"COPIES_REFUSED": "tgkill"}):
                with self.subTest(lanes=lanes, refused=refused):
                    lines, statistics = self.serve(MEMOMALLOC_LANES=lanes, COPIES_SERVED="1", **refused)
                    self.assertEqual(lines, [])
                    self.assertGreater(statistics["served"], 0)
                    self.assertEqual(statistics["double_free"] + statistics["bad_free"], 0)

    def test_serve_where_the_kernel_cannot_tell_copies(self):
        """Without madvise() no page is emptied in a copy: less is served there, and nothing is harmed."""
        lines, statistics = self.serve(COPIES_REFUSED="madvise")
        self.assertEqual(lines, [])
        self.assertGreater(statistics["served"], 0)

    def test_auto(self):
        plan = str(self.plan("copies"))
        for refused in ({}, {"COPIES_REFUSED": "tgkill"}, {"COPIES_REFUSED": "madvise"}):
            with self.subTest(refused=refused):
                self.expect_silence(MEMOMALLOC_MODE="auto", MEMOMALLOC_PLAN=plan, **refused)

    def test_run(self):
        for _ in range(RUNS):
            done = subprocess.run([COMMAND, "run", "--no-cache", "--", program(PROGRAM)], env={**os.environ, "HOSTILE_INJECTED": "1"},
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_copies_that_are_made_while_plans_are_exchanged(self):
        """Whoever holds the library's lock is not in the copy. The plan in force serves there, and no other is taken."""
        lines, statistics = self.serve(COPIES_EXCHANGED=str(self.plan("copies")))
        self.assertEqual([line for line in lines if "this process is a copy" not in line], [])
        self.assertGreater(statistics["plans_loaded"], 1)

    def test_a_copy_writes_its_own_statistics(self):
        """Each that ends through exit(), whether it ran a handler of fork() or not."""
        lines, of_parent = self.serve(COPIES_EXIT="1")
        self.assertEqual(lines, [])
        of_copies = [json.loads(file.read_text()) for file in self.folder.glob("stats.json.*")]
        self.assertEqual(len(of_copies), RUNS * COPIES)
        self.assertGreater(of_parent["passes"], max(copy["passes"] for copy in of_copies))


if __name__ == "__main__":
    unittest.main()
