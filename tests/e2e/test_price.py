"""What a first start costs: the recorder rests before it has taken much of the program's time, and comes back. Counted in allocations
that are recorded, of those that the program makes. A failure is a recorder that never rests, or never comes back."""

import os
import subprocess
import unittest

from harness import BUILD, PATIENCE, PassesCase

ALLOCATIONS = 30_000_000


class Price(PassesCase):
    def test_a_program_that_only_allocates_is_recorded_in_stretches(self):
        environment = {**os.environ, "LD_PRELOAD": str(BUILD / "lib" / "libmemomalloc.so"), "MEMOMALLOC_MODE": "auto",
                       "MEMOMALLOC_TRACE": str(self.folder / "the.trace"), "MEMOMALLOC_PLAN": str(self.folder / "never.plan"),
                       "MEMOMALLOC_LOG": str(self.folder / "log")}
        aimless = [os.environ["MEMO_AIMLESS"], str(ALLOCATIONS)]
        done = subprocess.run(aimless, env=environment, capture_output=True, text=True, check=True, timeout=4 * PATIENCE)
        plain = subprocess.run(aimless, capture_output=True, text=True, check=True, timeout=4 * PATIENCE)
        self.assertEqual((done.stdout, done.stderr), (plain.stdout, ""))
        traces = list(self.folder.glob("the.trace*"))
        self.assertGreaterEqual(len(traces), 2, (self.folder / "log").read_text())
        least_bytes = 64  # of an allocation and its free in a trace
        recorded = sum(trace.stat().st_size for trace in traces) / least_bytes
        self.assertGreater(recorded, 65_536)
        self.assertLess(recorded, ALLOCATIONS / 5)


if __name__ == "__main__":
    unittest.main()
