"""Counts how many plans a process must have taken up. The library looks for a new file when a pass begins, twice a second at the most. So
a plan is due once a pass began a while after the plan came. A process at the lowest priority may make no pass for seconds, and need not
take up what comes and goes in them."""

import time

SECONDS_TO_BE_SEEN = 1  # the library looks each half second


class Exchanges:
    """The plans that one process finds at its path, one after the other."""

    def __init__(self, whole, clock=time.monotonic):
        self._clock = clock
        self.due = 0
        self._come(whole)

    def exchanged(self, whole):
        """Another file has come. It is no plan unless it is whole."""
        self._come(whole)

    def seconds(self):
        """How long ago the file came that is there now."""
        return self._clock() - self._came

    def pass_began(self, moment):
        """A pass began at this moment, or after it."""
        if moment >= self._came + SECONDS_TO_BE_SEEN and not self.had_chance:
            self.had_chance = True
            self.due += self._is_whole

    def count_passes(self, ended, at_once):
        """So many passes have ended by now, of at most `at_once` at a time: more of them than that, and one began since."""
        if self.seconds() < SECONDS_TO_BE_SEEN:
            return
        if self._ended_before is None:
            self._ended_before, self._counted = ended, self._clock()
        elif ended > self._ended_before + at_once:
            self.pass_began(self._counted)

    def _come(self, whole):
        self._is_whole = whole
        self._came = self._clock()
        self._ended_before = self._counted = None
        self.had_chance = False  # whether a pass would have found this file
