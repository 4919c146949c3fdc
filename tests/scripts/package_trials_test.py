"""What is said of a trial of packages, from the files that it leaves. A failure means that packages pass that serve nothing, change
what a program answers, or leave files behind."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from package_trials import PLAIN, TORCH, judge, read_wishes


def steady(served, missed, served_bytes, missed_bytes):
    return {"steady": {"served": served, "missed": missed, "served_bytes": served_bytes, "missed_bytes": missed_bytes}}


class Judge(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.leave("before", "/usr\n/usr/bin\n")
        self.leave("after", "/usr\n/usr/bin\n")
        for run in ("alone", "1", "2"):
            self.leave(f"{run}.out", "42\n")
        self.leave("2.json", json.dumps(steady(99, 1, 990, 10)))

    def leave(self, name, text):
        (self.folder / name).write_text(text)

    def judged(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            passes = judge("a bare system", self.folder)
        return passes, said.getvalue()

    def test_all_is_as_it_should_be(self):
        passes, said = self.judged()
        self.assertTrue(passes)
        self.assertIn("a bare system: 99.00 % of 100 allocations and 99.00 % of the bytes", said)

    def test_bytes_count_as_allocations_do(self):
        self.leave("2.json", json.dumps(steady(99, 1, 500, 500)))
        self.assertFalse(self.judged()[0])

    def test_no_pass_in_the_steady_state_is_nothing_served(self):
        self.leave("2.json", json.dumps(steady(0, 0, 0, 0)))
        self.assertFalse(self.judged()[0])

    def test_every_start_has_to_give_the_answer_of_the_program_alone(self):
        self.leave("1.out", "43\n")
        passes, said = self.judged()
        self.assertFalse(passes)
        self.assertIn("1 starts with another answer", said)

    def test_what_stays_behind_is_named(self):
        self.leave("after", "/usr\n/usr/bin\n/usr/lib/memomalloc\n")
        passes, said = self.judged()
        self.assertFalse(passes)
        self.assertIn("left: /usr/lib/memomalloc\n", said)


class Wishes(unittest.TestCase):
    def test_the_plain_program_is_tried_unless_another_is_wanted(self):
        self.assertEqual(read_wishes("usage", []), ([], PLAIN))
        self.assertEqual(read_wishes("usage", ["--torch", "trixie"]), (["trixie"], TORCH))

    def test_what_is_run_is_there(self):
        for trial in (PLAIN, TORCH):
            self.assertTrue(trial.program.is_file(), trial.program)


if __name__ == "__main__":
    unittest.main()
