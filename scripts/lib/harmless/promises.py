"""What the default way owes to a program that it does not know, and whether the rounds that were taken keep it.

A ratio breaks its promise where its interval lies above what is promised. One round has no interval: then time, which other programs
disturb, is not judged, and counts are. What differs by less than anybody can notice breaks nothing."""

import dataclasses
import re
import statistics

from intervals import ratio_of

PLAIN, JEMALLOC, OFF, FIRST, SECOND = WAYS = ("plain", "jemalloc", "off", "first", "second")
OURS = (OFF, FIRST, SECOND)

# Differences that nobody notices: seconds, page faults, megabytes.
SMALL = {"processor": 0.05, "requests": 0.05, "total": 0.1, "wall": 0.1, "faults": 1000, "most": 4.0, "last": 4.0}
FIGURES = re.compile(r"[\d.,]+")
COMPARED = 100  # letters of a false line that tell it from others

TIMED = ("processor", "requests", "total", "wall")


@dataclasses.dataclass(frozen=True)
class Promise:
    name: str
    way: str
    figure: str
    beside: tuple  # ways; the least of them counts
    most: float

    @property
    def is_timed(self):
        return self.figure in TIMED


SHORT_WALL = Promise("first start, time of a short job", FIRST, "wall", (OFF,), 1.10)
PROMISES = (
    Promise("second start, processor time", SECOND, "processor", (OFF,), 1.02),
    Promise("second start, processor time of the requests", SECOND, "requests", (OFF,), 1.02),
    Promise("second start, page faults", SECOND, "faults", (OFF,), 1.10),
    Promise("second start, most memory", SECOND, "most", (OFF, JEMALLOC), 1.05),
    Promise("first start, processor time", FIRST, "processor", (OFF,), 1.10),
    Promise("first start, with planning", FIRST, "total", (OFF,), 1.10),
    SHORT_WALL,
)


def pairs_of(rounds, promise):
    """The figure of the way and of what it is compared with, for each round that has it: not every program measures itself."""
    return [(one[promise.way][promise.figure], min(one[way][promise.figure] for way in promise.beside)) for one in rounds
            if all(one[way][promise.figure] is not None for way in (promise.way, *promise.beside))]


def ratio_in(rounds, promise):
    """With its interval; None where nothing was measured."""
    least = SMALL[promise.figure]  # programs that hardly take any of it are compared as if they took this much
    return ratio_of([max(ours, least) / max(others, least) for ours, others in pairs_of(rounds, promise)])


def is_broken(rounds, promise):
    ratio = ratio_in(rounds, promise)
    if ratio is None or (promise.is_timed and "low" not in ratio):
        return False
    noticed = statistics.median(ours - others for ours, others in pairs_of(rounds, promise)) > SMALL[promise.figure]
    return noticed and ratio.get("low", ratio["value"]) > promise.most


def promises_for(is_short):
    return [promise for promise in PROMISES if is_short or promise is not SHORT_WALL]


def in_words(ratio):
    if "low" not in ratio:
        return f"{ratio['value']:.3f}"
    return f"{ratio['value']:.3f} ({ratio['low']:.3f} to {ratio['high']:.3f})"


def broken_ratios(rounds, is_short):
    return [f"{promise.name}: {in_words(ratio_in(rounds, promise))} of {' and '.join(promise.beside)}, {promise.most:.2f} promised"
            for promise in promises_for(is_short) if is_broken(rounds, promise)]


def wrong_answers(rounds):
    """Ways whose answers or exit status are not what they are without the library. A program whose own differ proves nothing."""
    plain = {(one[PLAIN]["answer"], one[PLAIN]["status"]) for one in rounds}
    if len(plain) > 1:
        return ["the program does not answer the same twice without the library"]
    return [f"{way}: {what}" for way in OURS for what in ("answer", "status") if any(one[way][what] != one[PLAIN][what] for one in rounds)]


def false_lines(rounds):
    """Once what several rounds say with other figures."""
    found = [f"{way}: {line}" for one in rounds for way in OURS for line in one[way]["false"]]
    return list({FIGURES.sub("", line)[:COMPARED]: line for line in reversed(found)}.values())[::-1]


def broken_by(rounds, is_short=False):
    """A sentence for each promise that is broken."""
    if not rounds:
        return []
    return [*(f"answers differ, {wrong}" for wrong in wrong_answers(rounds)), *broken_ratios(rounds, is_short),
            *(f"a false line, {line}" for line in false_lines(rounds))]
