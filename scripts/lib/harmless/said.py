"""Whether what the library and the command said is true: each line beside what was measured or can be looked up when all is over."""

import dataclasses
import pathlib
import re

OURS = "memomalloc: "
LONGEST = 200
NEAR = 1.0  # percentage points between a share that is said and the one that was counted
MEGABYTES = {"KiB": 1024 / 1e6, "MiB": 2**20 / 1e6, "GiB": 2**30 / 1e6}
ROOM = 1.05  # of what was measured that a size may say, since it was looked at at another moment
SMALL = 8.0  # megabytes that make no difference
FOLDERS = re.compile(r"(?<!\S)/(?:[^\s/]+/)*")
STATISTICS = re.compile(r"; the statistics are in \S+")


@dataclasses.dataclass
class Facts:
    """What a start did, as others saw it. `statistics` are those of all its processes."""
    names: tuple  # by which the application may be called
    most: float  # megabytes
    statistics: list
    own: dict  # those of the program itself, or nothing
    later: bool = False  # whether it ran with what an earlier start has learned


def ours(text):
    return [line for line in text.splitlines() if line.startswith(OURS)]


def false_lines(lines, facts):
    """A sentence for each line that is not so."""
    said = [STATISTICS.sub("", line) for line in lines]  # which this script asks for, and no user
    return [f"{wrong}: {line[:LONGEST]}" for line in said for check in CHECKS for wrong in check(line, facts)]


def length_of(line, _):
    """Folders are the user's own, and count for nothing."""
    length = len(FOLDERS.sub("", line))
    if length > LONGEST:
        yield f"{length} letters long"


def places_in(line, _):
    """Paths that a reader is sent to are there when all is over."""
    for place in re.findall(r"(?:from|is|at|in|to|see|keeps?) (/[^\s;:,]+)", line):
        if not pathlib.Path(place.rstrip(".")).exists():
            yield f"there is no {place}"


def application_of(line, facts):
    learned = re.search(r"learning the passes of (.+)", line)
    if learned and not {pathlib.Path(word).name for word in learned[1].split()}.intersection(facts.names):
        yield f"{learned[1]} is not what was started"


def are_of_all(facts, line):
    """Whether the statistics are those of as many processes as the line speaks of: programs that others start write over one file."""
    processes = re.search(r"in (\d+) processes", line)
    return len(facts.statistics) == (int(processes[1]) if processes else 1)


def passes_of(line, facts):
    said = re.search(r"^memomalloc: (\d+) pass(?:es)?\b", line)
    if said and are_of_all(facts, line) and int(said[1]) != (counted := sum(one["passes"] for one in facts.statistics)):
        yield f"{counted} passes were counted"


def steady_share(statistics, served, missed):
    given, rest = (sum(one["steady"][figure] for one in statistics) for figure in (served, missed))
    return 100 * given / max(1, given + rest)


def shares_of(line, facts):
    said = re.search(r"in the steady state ([\d.]+) % of the allocations and ([\d.]+) % of the bytes(?: of all passes)? were served", line)
    if not said or not are_of_all(facts, line):
        return
    for text, figures in zip(said.groups(), (("served", "missed"), ("served_bytes", "missed_bytes")), strict=True):
        if abs(float(text) - (counted := steady_share(facts.statistics, *figures))) > NEAR:
            yield f"{counted:.1f} % of the {figures[0]} was counted, and not {text}"


def sizes_of(line, facts):
    sizes = {name: float(amount) * MEGABYTES[unit] for name, amount, unit in re.findall(r"(slab|heap) of ([\d.]+) ([KMG]iB)", line)}
    if sizes and sum(sizes.values()) > facts.most * ROOM + SMALL:
        yield f"slab and heap of {sum(sizes.values()):.0f} MB, where all of it took {facts.most:.0f} MB at the most"
    if "heap" in sizes and facts.own and "process with most passes" not in line:
        held = facts.own["heap"]["resident"] / 1e6
        if abs(sizes["heap"] - held) > SMALL + held * (ROOM - 1):
            yield f"the program's heap held {held:.1f} MB"


def contradiction_of(line, facts):
    """What an earlier start said that a later one keeps to, and what one line says against another."""
    if "in the steady state" in line and "stood aside" not in line and any(one.get("state") == "standing aside" for one in facts.statistics):
        yield "it stands aside"
    if facts.later and line.startswith(f"{OURS}serving from") and not any(one["passes"] for one in facts.statistics):
        yield "no pass was served"
    if facts.later and "the next start plans" in line:
        yield "this start was the next one"


def worth_of(line, facts):
    """What serving is said to be worth, against what the program's own statistics hold."""
    if said := re.search(r"a request takes ([\d.]+) % .* (less|more) processor time", line):
        share = facts.own.get("worth", {}).get("share", 0.0)
        if abs(abs(share) * 100 - float(said[1])) > 0.1 or (share < 0) != (said[2] == "less"):
            yield f"the experiment found {100 * share:+.1f} %"


CHECKS = (length_of, places_in, application_of, passes_of, shares_of, sizes_of, contradiction_of, worth_of)
