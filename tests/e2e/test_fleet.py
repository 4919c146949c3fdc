"""A fleet on Ray Serve with a store of plans, as scripts/check/fleet makes it: two nodes, an update, a killed replica. Failure: an
answer that differs, or a replica that learns what another has learned before it. Skipped where Ray Serve is not installed."""

import os
import pathlib
import subprocess
import unittest

from harness import COMMAND

CHECK = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check" / "fleet"
SKIPPED = 77


class Fleet(unittest.TestCase):
    def test_one_replica_learns_and_the_others_serve_from_their_first_pass(self):
        done = subprocess.run([CHECK], capture_output=True, text=True, check=False, env={**os.environ, "MEMOMALLOC_COMMAND": COMMAND})
        if done.returncode == SKIPPED:
            self.skipTest(done.stdout.strip())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in done.stdout.splitlines() if line.startswith("| ")]
        self.assertEqual(rows[1:], [["start", "first"], ["start", "joined"], ["update", "first"], ["update", "second"], ["killed", "successor"]])


if __name__ == "__main__":
    unittest.main()
