"""Runs the built `memomalloc` in a scratch folder and compares what it says, word for word.

Each test of a verb is one Python file beside this one, started by CTest with the path of the command. Golden texts
are in golden/; figures that differ from run to run (seconds) are masked before comparing. With
MEMOMALLOC_UPDATE_GOLDEN=1 the golden texts are rewritten instead; read the difference before committing it.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).parent / "program.c"
GOLDEN = pathlib.Path(__file__).parent / "golden"


def command():
    return os.environ["MEMOMALLOC_COMMAND"]


def masked(text):
    """Hides what may differ between two runs."""
    text = re.sub(r'("seconds": )[-+.e0-9]+', r"\1<seconds>", text)
    return re.sub(r"(?m)^(seconds +)[.0-9]+$", r"\1<seconds>", text)


class CliTest(unittest.TestCase):
    """A test case with a scratch folder as its working directory."""

    maxDiff = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, name, text):
        (self.folder / name).write_bytes(text.encode())

    def read(self, name):
        return (self.folder / name).read_bytes().decode()

    def run_command(self, *arguments, status=0, stdin=None):
        """Runs the command and returns (stdout, stderr); fails unless it exits with `status`."""
        done = subprocess.run([command(), *arguments], cwd=self.folder, input=stdin, capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout, done.stderr

    def cc(self, *words):
        subprocess.run(["cc", *words], cwd=self.folder, check=True)

    def build_program(self, name, *options, **definitions):
        """Builds program.c, which says what can be defined, and returns how to call it from the folder."""
        self.cc(PROGRAM, "-O1", "-fno-builtin", "-I", os.environ["MEMO_INCLUDE"], "-o", name,
                *(f"-D{key}={value}" for key, value in definitions.items()), *options)
        return f"./{name}"

    def assert_golden(self, name, text):
        path = GOLDEN / name
        if os.environ.get("MEMOMALLOC_UPDATE_GOLDEN"):
            path.write_text(masked(text))
        self.assertEqual(masked(text), path.read_text())


def main():
    os.environ["MEMOMALLOC_COMMAND"] = os.path.abspath(sys.argv.pop(1))
    unittest.main()
