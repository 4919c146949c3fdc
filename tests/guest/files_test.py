"""The files that the library opens in somebody else's process: none of them leads it astray, or holds it up.

Statistics are put in place whole; a link that somebody else laid, or a pipe that nobody reads, costs one line. Failure: a
file written through a link, half a file, a leftover beside it, or a program that hangs.
"""

import json
import os
import pathlib
import stat
import tempfile
import unittest

from guest import lines_of_ours, program, run

NOBODY = 65534


class Files(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="memomalloc-files.")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def serve(self, stats, **variables):
        """Runs a program with passes and without a plan; its lines, but for the one that says so."""
        done = run([program("served_crowd")], HOSTILE_INJECTED="1", MEMOMALLOC_MODE="serve", MEMOMALLOC_STATS=str(stats),
                   **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line for line in lines_of_ours(done.stderr) if "mode serve without a plan" not in line]

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_statistics_replace_what_was_there(self):
        stats = self.folder / "stats"
        stats.write_text("x" * 100000)
        stats.with_name(f"stats.{os.getpid()}.part").write_text("of another process")
        self.assertEqual(self.serve(stats), [])
        self.assertGreater(json.loads(stats.read_text())["passes"], 0)
        self.assertEqual(len(self.names()), 2)

    def test_a_link_of_ones_own_is_followed(self):
        (self.folder / "link").symlink_to("target")
        (self.folder / "target").touch()
        self.assertEqual(self.serve(self.folder / "link"), [])
        self.assertGreater(json.loads((self.folder / "target").read_text())["passes"], 0)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to lay somebody else's link")
    def test_a_link_of_somebody_else_is_not_followed(self):
        target, link = self.folder / "target", self.folder / "link"
        target.write_text("precious")
        link.symlink_to("target")
        os.chown(link, NOBODY, NOBODY, follow_symlinks=False)
        lines = self.serve(link)
        self.assertEqual(len(lines), 1, lines)
        self.assertIn(str(link), lines[0])
        self.assertEqual(target.read_text(), "precious")

    def test_statistics_to_a_full_device(self):
        lines = self.serve("/dev/full")
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("No space left", lines[0])

    def test_pipes_that_nobody_reads_or_writes(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for variables in ({"MEMOMALLOC_LOG": str(pipe)}, {"MEMOMALLOC_PLAN": str(pipe)}):
            lines = self.serve(self.folder / "stats", **variables)
            self.assertEqual(len(lines), 1, lines)
            self.assertIn(str(pipe), lines[0])
        self.assertEqual(len(self.serve(pipe)), 1)

    def test_a_trace_is_its_owners(self):
        run([program("served_crowd"), "record"], HOSTILE_INJECTED="1", MEMOMALLOC_MODE="profile",
            MEMOMALLOC_TRACE=str(self.folder / "trace"))
        self.assertEqual(stat.S_IMODE((self.folder / "trace").stat().st_mode), 0o600)

    def test_a_trace_follows_no_link(self):
        (self.folder / "trace").symlink_to("target")
        run([program("served_crowd"), "record"], HOSTILE_INJECTED="1", MEMOMALLOC_MODE="profile",
            MEMOMALLOC_TRACE=str(self.folder / "trace"))
        self.assertEqual(self.names(), ["trace", "trace.2"])


if __name__ == "__main__":
    unittest.main()
