"""Starts Pythons as the command does: with the bootstrap in front on PYTHONPATH, and a library in the process that writes down
the marks it gets."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "preload" / "python"
BOOTSTRAP = PACKAGE / "bootstrap"
FAKES = pathlib.Path(__file__).resolve().parent / "fakes"
MARKS = os.environ["MEMO_MARKS"]  # tests/preload/python/marks.c, built


class PythonCase(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="memomalloc-python.")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def python(self, *words, path=(), interpreter=sys.executable, library=True, bootstrap=True, **variables):
        """The finished process of a Python with these words on its command line."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MEMOMALLOC_", "PYTHON", "LD_"))}
        folders = [*([BOOTSTRAP] if bootstrap else []), *path]
        if folders:
            environment["PYTHONPATH"] = os.pathsep.join(map(str, folders))
        if library:
            environment["LD_PRELOAD"] = MARKS
        environment.update({"MARKS": str(self.folder / "marks"), "MEMOMALLOC_MODE": "serve", "MEMOMALLOC_LOG": "stderr",
                            "PYTHONDONTWRITEBYTECODE": "1", **variables})
        return subprocess.run([interpreter, *words], capture_output=True, text=True, check=False, env=environment, cwd=self.folder,
                              timeout=120)

    def marks(self, program, path=(FAKES,), **options):
        """What the library was told while the program ran, and what that printed."""
        done = self.python("-c", program, path=path, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        file = self.folder / "marks"
        marks = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return marks, done.stdout
