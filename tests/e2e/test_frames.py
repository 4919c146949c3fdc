"""Call stacks of a Python program: its functions stand in them in the order in which they call each other, whether or not the
thread holds the interpreter's lock, and the program prints what it prints without the library. A stack that has another order,
lacks a function or names one that is gone is a failure; so is a program that ends otherwise, as while a daemon thread runs on.
With each Python that is found of the versions whose functions can be read."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from harness import COMMAND, PassesCase

PROGRAM = pathlib.Path(__file__).parent / "programs" / "frames.py"
ABOUT = "import sys, ctypes; print(sys.executable, *sys.version_info[:2])"
VERSIONS = ("3.11", "3.12", "3.13")
ADDED = r"add;produce;produce\.<locals>\.<lambda>;größe"


def pythons():
    """One Python of each version, by the version."""
    own = pathlib.Path(os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv") / "versions"
    found = {}
    for python in (sys.executable, *(shutil.which(f"python{one}") for one in VERSIONS), *own.glob("3.1*/bin/python3")):
        done = python and subprocess.run([python, "-c", ABOUT], capture_output=True, text=True, check=False)
        if done and done.returncode == 0:
            path, *version = done.stdout.split()
            found.setdefault(".".join(version), path)
    return {version: found[version] for version in VERSIONS if version in found}


PYTHONS = pythons()


@unittest.skipUnless(PYTHONS, f"there is no Python of {', '.join(VERSIONS)}")
class Frames(PassesCase):
    def profile(self, *words):
        """(what the program printed, what was said meanwhile, the folded stacks without the places of functions)."""
        trace = self.folder / "trace"
        done = subprocess.run([COMMAND, "profile", "--stacks", "--force", "-o", trace, *map(str, words)], capture_output=True, text=True,
                              check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, done.stderr, self.run_command("inspect", "--stacks", "asked", trace).stdout

    def assert_has_path(self, path, folded):
        without_places = re.sub(r" \([^;]*?:\d+\)", "", folded)
        self.assertRegex(without_places, rf"(?m)(^|;){path};[^;]")

    def test_functions_stand_in_their_order(self):
        for version, python in PYTHONS.items():
            with self.subTest(version):
                expected = subprocess.run([python, PROGRAM], capture_output=True, text=True, check=True).stdout
                printed, said, folded = self.profile("--", python, PROGRAM)
                self.assertEqual(printed, expected)
                self.assertNotIn("call stacks", said)
                for called in ("with_lock", "without_lock"):
                    self.assert_has_path(f"<module>;run;{called};{ADDED}", folded)
                    self.assert_has_path(f"Thread.run;run;{called};{ADDED}", folded)
                for turn in range(4):
                    self.assert_has_path(f"run;short_lived;generated_{turn};größe", folded)
                self.assert_has_path(";".join(["recurse"] * 100 + ["größe"]), folded)
                self.assertIn("größe (programs/frames.py:14);", folded)
                self.assertNotIn("_PyEval_EvalFrameDefault;", folded)

    def test_the_end_of_the_interpreter(self):
        """A daemon thread that has given the lock up allocates while the interpreter throws its state away."""
        for version, python in PYTHONS.items():
            for _ in range(5):
                with self.subTest(version):
                    self.profile("--", python, PROGRAM)

    def test_without_the_python_side(self):
        """Nobody says when the interpreter ends: threads that have given the lock up keep native stacks, and it is said why."""
        for version, python in PYTHONS.items():
            with self.subTest(version):
                _, said, folded = self.profile("--python", "off", "--", python, PROGRAM)
                self.assertEqual(said.count("leave out --python off"), 1, said)
                self.assert_has_path(f"<module>;run;with_lock;{ADDED}", folded)
                self.assertNotIn("without_lock", folded)


class OldPython(PassesCase):
    def test_is_said_to_have_native_stacks(self):
        trace = self.folder / "trace"
        done = self.run_command("profile", "--stacks", "-o", trace, "--", os.environ["MEMO_OLD_PYTHON"])
        self.assertEqual(done.stderr.count("record with a release of Python 3.11, 3.12 or 3.13"), 1, done.stderr)
        self.assertIn("_PyEval_EvalFrameDefault 1000\n", self.run_command("inspect", "--stacks", "asked", trace).stdout)


if __name__ == "__main__":
    unittest.main()
