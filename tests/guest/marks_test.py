"""Passes that Python marks, in which the program does its worst: exceptions, threads that end inside, generators that end
elsewhere, children, handlers, closed descriptors, small stacks, names of all kinds, and another program in its place.

The script (hostile/marks_script.py) tags and checks each block. Failure: another answer than without the library, in any way
to start it.
"""

import os
import pathlib
import subprocess
import sys
import unittest

from planned import COMMAND, PATIENCE, folder_of_class, plan_of_trace

SCRIPT = pathlib.Path(__file__).parent / "hostile" / "marks_script.py"
PACKAGE = pathlib.Path(__file__).parents[2] / "preload" / "python"


class Marks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = folder_of_class(cls, "marks")
        cls.answers = cls.run_script(PYTHONPATH=str(PACKAGE)).stdout
        cls.run_script("profile", "-o", cls.folder / "marks.trace", "--", arguments=["record"])
        cls.plan = plan_of_trace(cls.folder / "marks.trace")

    @classmethod
    def run_script(cls, *words, arguments=(), **variables):
        command = [*([COMMAND, "-q", *words] if words else []), sys.executable, SCRIPT, *arguments]
        # All of Python's memory through malloc, so that the library sees every object.
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=cls.folder,
                              env={**os.environ, "PYTHONMALLOC": "malloc", "XDG_CACHE_HOME": str(cls.folder), **variables})
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        return done

    def test_its_answers_are_its_own(self):
        self.assertEqual(self.answers.count("\n"), 2)
        for words in (("serve", "--plan", self.plan), ("profile", "-o", self.folder / "t.%p", "--follow"), ("run", "--no-cache")):
            with self.subTest(words[0]):
                self.assertEqual(self.run_script(*words, "--").stdout, self.answers)

    def test_the_variables_alone_serve_too(self):
        """As in containers and unit files, without the command around the program."""
        done = self.run_script(LD_PRELOAD=os.environ["GUEST_LIBRARY"], MEMOMALLOC_MODE="serve", MEMOMALLOC_PLAN=str(self.plan),
                               PYTHONPATH=str(PACKAGE / "bootstrap"))
        self.assertEqual(done.stdout, self.answers)


if __name__ == "__main__":
    unittest.main()
