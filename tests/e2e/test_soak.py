"""What a soak says of growth: flat stays flat, however much it wavers, and a leak is found in the noise."""

import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts" / "lib"))

from soaking.trend import LEAST_VALUES, Trend  # noqa: E402


def looks(growth, noise, count=2000):
    """A walk that is drawn back to its level, as the memory of a process wavers, with `growth` over the whole time."""
    dice, wave, values = random.Random(3), 0.0, []
    for at in range(count):
        wave = 0.9 * wave + dice.gauss(0, noise)
        values.append(100 + wave + growth * at / count)
    return values


class Trends(unittest.TestCase):
    def test_flat(self):
        for noise in (0.01, 1, 3):
            trend = Trend(looks(0, noise), 3600)
            self.assertTrue(trend.is_flat(), trend)
            self.assertLess(trend.least, trend.growth)
            self.assertGreater(trend.most, trend.growth)

    def test_a_leak_is_found(self):
        for noise in (0.01, 1):
            trend = Trend(looks(5, noise), 3600)
            self.assertFalse(trend.is_flat(), trend)
            self.assertTrue(trend.least < 5 < trend.most, trend)

    def test_shrinking_is_no_leak(self):
        self.assertTrue(Trend(looks(-20, 0.1), 3600).is_flat())

    def test_too_few_looks_are_refused(self):
        with self.assertRaises(ValueError):
            Trend([100.0] * (LEAST_VALUES - 1), 10)


if __name__ == "__main__":
    unittest.main()
