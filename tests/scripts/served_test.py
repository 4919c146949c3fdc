"""What scripts call served in the steady state, worked out from two statistics."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from served import beyond, passes_on_slabs


def statistics(passes, served, served_bytes, fallback_bytes, **fallback):
    return {"passes": passes, "served": served, "served_bytes": served_bytes, "fallback_bytes": fallback_bytes,
            "fallback": fallback}


class Beyond(unittest.TestCase):
    def test_leaves_the_warm_up_out(self):
        steady = beyond(statistics(10, 100, 1000, 9000, no_plan=900), statistics(20, 1090, 10900, 9100, no_plan=910))
        self.assertEqual((steady.passes, steady.made), (10, 1000))
        self.assertEqual(steady.share, 0.99)
        self.assertEqual(steady.share_of_bytes, 0.99)

    def test_knows_reasons_that_only_the_longer_run_has(self):
        steady = beyond(statistics(1, 0, 0, 0), statistics(2, 90, 90, 10, too_big=4, unexpected=6))
        self.assertEqual(steady.share, 0.9)
        self.assertEqual(steady.reasons(), "6 unexpected, 4 too_big")

    def test_takes_no_reason_for_less_than_nothing(self):
        steady = beyond(statistics(1, 0, 0, 50, no_plan=5), statistics(2, 10, 10, 40, no_plan=4))
        self.assertEqual((steady.share, steady.share_of_bytes), (1, 1))
        self.assertEqual(steady.reasons(), "")

    def test_says_the_shares_without_what_the_program_keeps(self):
        longer = {**statistics(2, 80, 800, 200, kept=15, too_big=5), "kept_bytes": 100}
        steady = beyond(statistics(1, 0, 0, 0), longer)
        rest = steady.without_kept()
        self.assertEqual((steady.share, steady.share_of_bytes), (0.8, 0.8))
        self.assertEqual((rest.share, rest.share_of_bytes), (80 / 85, 800 / 900))
        self.assertEqual(rest.reasons(), "5 too_big")

    def test_says_for_how_many_passes_serving_stood_aside(self):
        shorter = {**statistics(10, 100, 1000, 0), "aside": {"passes": 1}, "compared": {"passes": 2}}
        longer = {**statistics(30, 200, 2000, 900, gave_up=90), "aside": {"passes": 9}, "compared": {"passes": 8}}
        steady = beyond(shorter, longer)
        self.assertEqual((steady.stood_aside(), steady.made), ("8 of 20", 190))
        self.assertEqual(beyond(shorter, shorter).stood_aside(), "no pass")
        self.assertEqual((passes_on_slabs(shorter), passes_on_slabs(longer)), (7, 13))

    def test_says_nothing_was_served_where_nothing_was_made(self):
        steady = beyond({}, {})
        self.assertEqual((steady.passes, steady.made, steady.share), (0, 0, 0))


if __name__ == "__main__":
    unittest.main()
