"""Python programs that import no engine, under the command with the library and the bootstrap: the same output to the byte, and the
same exit status. A failure means that `memomalloc run` shows in programs that have nothing to do with it."""

import os
import re
import subprocess
import sys
import unittest

from harness import COMMAND, PassesCase


def has_module(python, name):
    return subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False).returncode == 0


class QuietPrograms(PassesCase):
    TIMES = re.compile(r"\bin \d+\.\d+s")

    def finished(self, *words, prefix=(), said="input\n"):
        done = subprocess.run([*prefix, sys.executable, *words], input=said, capture_output=True, text=True, timeout=60, cwd=self.folder,
                              env={**os.environ, "XDG_CACHE_HOME": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"})
        return done.returncode, self.TIMES.sub("", done.stdout), self.TIMES.sub("", done.stderr)

    def assert_same(self, *words):
        plain = self.finished(*words)
        self.assertEqual(self.finished(*words, prefix=(COMMAND, "run", "-q", "--no-cache", "--")), plain)
        return plain

    def test_output_and_status(self):
        for program, status in (("import sys; print(sys.path, sys.stdin.read())", 0), ("raise SystemExit(3)", 3), ("1 / 0", 1),
                                ("import os; print('as it ends', flush=True); os._exit(9)", 9),
                                ("import subprocess, sys; print(subprocess.check_output([sys.executable, '-c', 'print(5)']))", 0)):
            self.assertEqual(self.assert_same("-c", program)[0], status, program)

    def test_pip(self):
        self.assert_same("-m", "pip", "--version")

    @unittest.skipUnless(has_module(sys.executable, "pytest"), "there is no pytest")
    def test_pytest(self):
        (self.folder / "test_two.py").write_text("def test_one(): pass\ndef test_two():\n    print('kept')\n    assert 1 == 2\n")
        status, printed, _ = self.assert_same("-m", "pytest", "-p", "no:cacheprovider", "test_two.py")
        self.assertEqual(status, 1)
        self.assertIn("1 failed, 1 passed", printed)


if __name__ == "__main__":
    unittest.main()
