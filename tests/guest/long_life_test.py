"""What a long life leaves behind: nothing.

The program (served/long_life.cpp) does each thing that happens to a server again and again, hundreds of times by itself, and
looks at its own memory before and after: plainly, recorded, and served from two plans in turn. Failure: memory or mappings
that grow, statistics that do not account for what was done, or more words than are due.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from guest import program, run

COMMAND = os.environ["GUEST_COMMAND"]
MODEL = os.environ["GUEST_MODEL"]
PROGRAM = program("served_long_life")


class LongLife(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="memomalloc-long-life.")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def live(self, **variables):
        """The lines that the program says of what it held."""
        done = run([PROGRAM, MODEL], HOSTILE_INJECTED="1", MEMOMALLOC_LOG="off", **variables)
        print(done.stdout, flush=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout.splitlines()

    def command(self, *words):
        done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "HOSTILE_INJECTED": "1"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_served(self):
        trace, plan, other, none = (self.folder / name for name in ("trace", "plan", "other.plan", "no.plan"))
        self.command("profile", "-o", trace, "--", PROGRAM, MODEL, "record")
        self.command("plan", "-o", plan, trace)
        self.command("plan", "-o", other, "--strategy", "bump", trace)
        none.write_text("no plan at all" * 100)
        stats = self.folder / "stats"
        lines = self.live(MEMOMALLOC_MODE="serve", MEMOMALLOC_PLAN=str(plan), OTHER_PLAN=str(other), NO_PLAN=str(none),
                          MEMOMALLOC_STATS=str(stats))
        self.assertEqual(len(lines), 6)
        statistics = json.loads(stats.read_text())
        self.assertEqual((statistics["plans_loaded"], statistics["plans_refused"]), (1 + 2200, 1100))
        self.assertEqual(statistics["pinned"], 0)

    def test_recorded(self):
        self.assertEqual(len(self.live(MEMOMALLOC_MODE="profile", MEMOMALLOC_KEEP="newest", MEMOMALLOC_TRACE_LIMIT="4",
                                       MEMOMALLOC_TRACE=str(self.folder / "trace"))), 4)

    def test_on_the_heap(self):
        self.assertEqual(len(self.live(MEMOMALLOC_MODE="off")), 4)


if __name__ == "__main__":
    unittest.main()
