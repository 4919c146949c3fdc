"""Which plans a process of a soak must have taken up: those under which a pass began, a while after they came. A process that is too slow
for the others owes nothing, and one that is fast owes all of them."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts" / "lib"))

from soaking.exchanges import SECONDS_TO_BE_SEEN, Exchanges  # noqa: E402


class Due(unittest.TestCase):
    def setUp(self):
        self.now = 100.0
        self.exchanges = Exchanges(True, clock=lambda: self.now)

    def wait(self, share=1.0):
        self.now += SECONDS_TO_BE_SEEN * share

    def test_each_whole_plan_is_due_to_a_process_that_makes_passes(self):
        for whole in (True, False, True, True):
            self.wait()
            for _ in range(5):
                self.exchanges.pass_began(self.now)
            self.assertTrue(self.exchanges.had_chance)
            self.exchanges.exchanged(whole)
        self.assertEqual(self.exchanges.due, 3)

    def test_nothing_is_due_to_a_process_without_a_pass(self):
        for _ in range(5):
            self.wait(3)
            self.exchanges.exchanged(True)
        self.assertEqual(self.exchanges.due, 0)

    def test_a_pass_that_began_too_early_need_not_see_the_plan(self):
        self.wait(0.9)
        began = self.now
        self.wait()
        self.exchanges.pass_began(began)
        self.assertFalse(self.exchanges.had_chance)

    def test_passes_that_were_on_their_way_tell_nothing(self):
        self.exchanges.count_passes(0, at_once=4)
        self.wait()
        self.exchanges.count_passes(100, at_once=4)
        self.exchanges.count_passes(104, at_once=4)
        self.assertFalse(self.exchanges.had_chance)
        self.exchanges.count_passes(105, at_once=4)
        self.assertEqual(self.exchanges.due, 1)

    def test_passes_are_counted_anew_for_each_plan(self):
        self.wait()
        self.exchanges.count_passes(10, at_once=1)
        self.exchanges.exchanged(True)
        self.exchanges.count_passes(20, at_once=1)
        self.wait()
        self.exchanges.count_passes(30, at_once=1)
        self.exchanges.count_passes(31, at_once=1)
        self.assertEqual(self.exchanges.due, 0)
        self.exchanges.count_passes(32, at_once=1)
        self.assertEqual(self.exchanges.due, 1)


if __name__ == "__main__":
    unittest.main()
