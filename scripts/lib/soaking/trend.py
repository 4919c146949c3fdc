"""Does a series of figures grow? A straight line through the means of its blocks, with the interval of its slope."""

import math
import statistics

BLOCKS = 20
LEAST_VALUES = 2 * BLOCKS
STUDENT_95 = 2.101  # two-sided, for BLOCKS - 2 degrees of freedom


class Trend:
    """The slope of `values`, equally far apart over `seconds`, as growth over that whole time: estimate, least, most.

    Neighbouring looks at a process are much alike, so that taking each for an independent one would make any interval too
    narrow. Means of long blocks are nearly independent."""

    def __init__(self, values, seconds):
        if len(values) < LEAST_VALUES:
            raise ValueError(f"{len(values)} values are too few for a trend, {LEAST_VALUES} are needed")
        size = len(values) // BLOCKS
        means = [statistics.fmean(values[at * size:(at + 1) * size]) for at in range(BLOCKS)]
        self.seconds = seconds
        self.level = statistics.median(values)
        line = statistics.linear_regression(range(BLOCKS), means)
        residuals = [mean - line.intercept - line.slope * at for at, mean in enumerate(means)]
        spread = math.sqrt(sum(r * r for r in residuals) / (BLOCKS - 2))
        error = spread / math.sqrt(sum((at - (BLOCKS - 1) / 2) ** 2 for at in range(BLOCKS)))
        self.growth, half = line.slope * BLOCKS, STUDENT_95 * error * BLOCKS
        self.least, self.most = self.growth - half, self.growth + half

    def is_flat(self, share=0.01):
        """No growth is proved that would be more than this share of the level."""
        return self.least <= share * self.level

    def __str__(self):
        return (f"{self.level:.1f} MB, {self.growth:+.2f} MB in {self.seconds:.0f} s "
                f"(95 %: {self.least:+.2f} to {self.most:+.2f})")
