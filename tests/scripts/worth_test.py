"""How scripts/check/worth judges. A failure means that a figure which a process finds wrongly passes for a true one, or that the
requests of a warm-up count."""

import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib" / "engines"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

import reporting
from harmless.catalogue import PROGRAMS
from loading import load_script

worth = load_script("check/worth")


def own(share, low, high):
    return {"finding": "helps", "share": share, "low": low, "high": high, "more_faults": -0.2, "pairs": 40}


def start(processor, faults=0, answer="a"):
    return {"processor": processor, "faults": faults, "answer": answer}


def put_together(found, ratios, answer="a", faults=0):
    rounds = [{"off": start(10.0), "served": start(10.0 * ratio, faults, answer)} for ratio in ratios]
    return worth.put_together(100, start(10.0), found, rounds)


class Agreement(unittest.TestCase):
    def test_each_in_the_others_interval(self):
        found = put_together(own(-0.03, -0.05, -0.01), (0.96, 0.97, 0.98), faults=-50)
        self.assertEqual(list(worth.wrong(found)), [])
        self.assertEqual(worth.row_of("p", found)[:3], ["p", "100", "-3.0 % (-5.0 to -1.0), helps, 40 pairs"])
        self.assertEqual(worth.row_of("p", found)[4:], ["-0.2, -0.5", "yes", "yes"])

    def test_intervals_that_only_overlap(self):
        found = put_together(own(-0.03, -0.05, -0.01), (0.98, 0.985, 0.99))
        self.assertEqual(list(worth.wrong(found)), [])
        self.assertEqual(worth.row_of("p", found)[5:], ["no", "yes"])

    def test_intervals_that_do_not_overlap(self):
        found = put_together(own(-0.03, -0.05, -0.01), (1.029, 1.03, 1.031))
        (fault,) = worth.wrong(found)
        self.assertIn("it finds -3.0 % (-5.0 to -1.0), and +3.0 % (", fault)
        self.assertEqual(worth.row_of("p", found)[5:], ["no", "no"])

    def test_nothing_found_proves_nothing(self):
        for nothing in ({}, {**own(0, 0, 0), "finding": "not yet"}):
            found = put_together(nothing, (1.0, 1.01))
            self.assertIn("nothing yet", next(worth.wrong(found)))
            self.assertEqual(worth.row_of("p", found)[5:], ["–", "–"])

    def test_other_answers(self):
        self.assertEqual(list(worth.wrong(put_together(own(0, -0.01, 0.01), (0.99, 1.01), answer="b"))), ["the answers differ"])


class Programs(unittest.TestCase):
    def test_are_of_the_zoo_and_measure_themselves(self):
        for name in worth.APPS:
            self.assertIn("{size}", PROGRAMS[name].words)
            self.assertEqual((PROGRAMS[name].load, PROGRAMS[name].fresh), ("", ()))

    def test_leave_out_their_warm_up(self):
        with mock.patch.dict(os.environ, {"MEMO_APP_WARM_UP": "2"}), mock.patch.object(reporting, "spent", side_effect=[1, 5]):
            report = reporting.Report()
            counted = [report.note_answer() or report.before for _ in range(4)]
        self.assertEqual(counted, [1, 5, 5, 5])


class Slower(unittest.TestCase):
    def test_what_the_library_says(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            self.assertEqual(worth.what_it_says(log), "")
            log.write_text("memomalloc[1]: another line\n")
            self.assertEqual(worth.what_it_says(log), "")
            log.write_text("memomalloc[1]: a request takes 2.0 % (1.0 to 3.0) more: serving stands aside for it for 10 min\n")
            self.assertEqual(worth.what_it_says(log), "a request takes 2.0 % (1.0 to 3.0) more: serving stands aside for it for 10 min")


if __name__ == "__main__":
    unittest.main()
