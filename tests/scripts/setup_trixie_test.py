"""scripts/setup-trixie where a Debian 13 cannot be had: the last line says why, nothing runs, and the next call tries again. Programs that
only note what they are asked for stand in for dpkg-query and debootstrap. A failure means that somebody without the archive is left with
half a root, or measures on another system than the command says."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "setup-trixie"
DEBOOTSTRAP = """#!/bin/sh
echo "$*" >>"$ASKED"
echo "I: Retrieving Release"
echo "E: Failed getting release file"
exit 1
"""


class SetupTrixie(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name, text in (("debootstrap", DEBOOTSTRAP), ("dpkg-query", "#!/bin/sh\necho installed\n")):
            program = self.folder / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(text)
            program.chmod(0o755)
        self.asked = self.folder / "asked"

    def last_line(self, *command):
        done = subprocess.run([SCRIPT, *command], capture_output=True, text=True, timeout=60, check=False,
                              env={"PATH": f"{self.folder}/bin:/usr/bin:/bin", "MEMOMALLOC_TRIXIE": str(self.folder / "root"),
                                   "ASKED": str(self.asked)})
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        return done.stderr.splitlines()[-1]

    @unittest.skipUnless(os.geteuid() == 0, "only root makes a root")
    def test_says_why_in_one_line_and_tries_again(self):
        for calls in (1, 2):
            self.assertEqual(self.last_line("echo", "it ran"), "setup-trixie: Debian 13 cannot be had here: E: Failed getting release file")
            self.assertEqual(len(self.asked.read_text().splitlines()), calls)
        self.assertRegex(self.asked.read_text(), r"libmimalloc3,libtcmalloc-minimal4t64\S* trixie ")

    @unittest.skipIf(os.geteuid() == 0, "root may do it")
    def test_others_than_root_are_told(self):
        self.assertIn("only root may change the root folder", self.last_line())
        self.assertFalse(self.asked.exists())


if __name__ == "__main__":
    unittest.main()
