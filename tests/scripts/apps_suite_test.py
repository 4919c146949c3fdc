"""Ordinary programs under the library, by counts alone: answers, exit status, page faults, memory, and whether what is said is true. No
time is judged. A failure means that the default way harms a program as people write it. Programs that lack something here are left
out."""

import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from harmless.promises import PROMISES, false_lines, is_broken, wrong_answers

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check" / "apps"
PROGRAMS = ("cxx-maps", "cxx-blocks-160", "cxx-moved", "cxx-popen-perl", "cxx-tiny-20", "json-records", "sqlite", "processes-fork",
            "node-buffers", "java", "sort", "git")

WIDTH = 0.2  # what one round of counts may differ by, so that no chance decides
ROUNDS_OF_BROKEN = 4


def broken_clearly(rounds):
    """Leaves out the promises about time, which several rounds would judge: other programs of the machine disturb it."""
    wider = [dataclasses.replace(promise, most=promise.most + WIDTH) for promise in PROMISES if not promise.is_timed]
    return [*wrong_answers(rounds), *(promise.name for promise in wider if is_broken(rounds, promise)), *false_lines(rounds)]


class OrdinaryPrograms(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def rounds_of(self, programs, rounds):
        """The rounds of each program; those that were measured before are among them."""
        found = self.folder / f"found.{rounds}"
        words = [SCRIPT, "--quick", "--rounds", str(rounds), "--results", self.folder / "results", "--json", found, *programs]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertTrue(found.exists(), done.stderr)
        measured = json.loads(found.read_text())["rounds"]
        self.assertTrue(measured, done.stderr)
        return measured

    def test_counts(self):
        """What one round breaks is measured again: how often a garbage collector runs differs from one run to the next."""
        broken = [name for name, rounds in self.rounds_of(PROGRAMS, 1).items() if broken_clearly(rounds)]
        again = self.rounds_of(broken, ROUNDS_OF_BROKEN) if broken else {}
        self.assertEqual([f"{name}: {sentence}" for name, rounds in again.items() for sentence in broken_clearly(rounds)], [])


if __name__ == "__main__":
    unittest.main()
