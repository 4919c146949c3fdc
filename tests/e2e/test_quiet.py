"""Python programs that import no engine, under the command with the library and the bootstrap: the same output to the byte, and the
same exit status. A failure means that `memomalloc run` shows in programs that have nothing to do with it."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from harness import COMMAND, PATIENCE, PassesCase


def has_module(python, name):
    return subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False).returncode == 0


def python_for_notebooks():
    """This Python or that of scripts/setup-engines, whichever has a kernel; else None."""
    engines = pathlib.Path(os.environ.get("MEMOMALLOC_ENGINES") or pathlib.Path(__file__).resolve().parents[2] / "build" / "engines")
    for python in (sys.executable, str(engines / "bin" / "python")):
        if os.path.exists(python) and has_module(python, "ipykernel, jupyter_client"):
            return python
    return None


NOTEBOOK_PYTHON = python_for_notebooks()
NOTEBOOK = pathlib.Path(__file__).resolve().parent / "programs" / "notebook.py"


class QuietPrograms(PassesCase):
    TIMES = re.compile(r"\bin \d+\.\d+s")

    def finished(self, *words, prefix=(), said="input\n", python=sys.executable):
        done = subprocess.run([*prefix, python, *words], input=said, capture_output=True, text=True, timeout=600, cwd=self.folder,
                              env={**os.environ, "XDG_CACHE_HOME": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1",
                                   "JUPYTER_RUNTIME_DIR": str(self.folder), "IPYTHONDIR": str(self.folder)})
        return done.returncode, self.TIMES.sub("", done.stdout), self.TIMES.sub("", done.stderr)

    def assert_same(self, *words, python=sys.executable):
        plain = self.finished(*words, python=python)
        self.assertEqual(self.finished(*words, prefix=(COMMAND, "run", "-q", "--no-cache", "--"), python=python), plain)
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

    @unittest.skipUnless(NOTEBOOK_PYTHON, "there is no ipykernel with jupyter_client: scripts/setup-engines installs both")
    def test_a_notebook_kernel(self):
        status, printed, errors = self.assert_same(str(NOTEBOOK), python=NOTEBOOK_PYTHON)
        self.assertEqual(status, 0, errors)
        for shown in ("{'text/plain': '42'}", "stdout a shell of the cell", "ZeroDivisionError division by zero"):
            self.assertIn(shown, printed)

    # Allocates more than a shell does, so that the library expects passes of a plan that it has.
    HELPER = "perl -e 'my @kept = map { \"x\" x 99 } 1 .. 90000; print scalar @kept, qq(\\n)' 2>&1"

    def test_what_a_helper_prints_is_its_own(self):
        command = [os.environ["MEMO_UNMARKED"], "30000", self.HELPER]
        expected = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
        self.assertEqual(expected.count("90000\n"), 8)
        for start in ("from nothing", "from the plan", "from the plan again"):
            with self.subTest(start=start):
                done = subprocess.run([COMMAND, "run", "--finish", "30s", "--", *command], capture_output=True, text=True, timeout=PATIENCE, check=True,
                                      env={**os.environ, "XDG_CACHE_HOME": str(self.folder)})
                self.assertEqual(done.stdout, expected)
                self.assertNotIn("no pass of the plan has begun", done.stderr)
                if start != "from nothing":
                    self.assertIn("serving from", done.stderr)
                for line in done.stderr.splitlines():
                    self.assertLessEqual(len(line), 200, line)


if __name__ == "__main__":
    unittest.main()
