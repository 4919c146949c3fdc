"""What a program and all that came of it take, looked at from outside, in /proc: processor time, page faults, and memory. Memory is what is
resident of a single process, and where there are several the sum of their proportional sets, so that what they share counts once.

The `memomalloc` command, which stands before a program and plans beside it, is left out: only what it started counts."""

import os
import pathlib
import time

from resident import SECONDS_BETWEEN_LOOKS, LooksInBackground

TICKS, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
IDLE = 15  # times what it took to search for processes and to weigh them, so that large ones are not held up by it


def text_of(*parts):
    """What a file of /proc says, or nothing where the process has ended."""
    try:
        return pathlib.Path("/proc", *map(str, parts)).read_text()
    except OSError:
        return ""


def children_of(pid):
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    return [int(child) for thread in threads for child in text_of(pid, "task", thread, "children").split()]


def executable_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def roots_below(pid, command):
    """The first processes on the way down from here that are not the command. One that has ended, and that nobody has waited for
    yet, cannot be told from it: it has no executable any more, and all that its children took."""
    executable = executable_of(pid)
    if executable and executable != command:
        return [pid]
    return [root for child in children_of(pid) for root in roots_below(child, command)]


def with_descendants(pid):
    return [pid, *(one for child in children_of(pid) for one in with_descendants(child))]


def spent_by(pid):
    """Processor seconds and page faults of a process and of its children that it has waited for; None where it has ended."""
    words = text_of(pid, "stat").rpartition(")")[2].split()
    if len(words) < 15:
        return None
    faults, of_children = int(words[7]), int(words[8])
    return sum(map(int, words[11:15])) / TICKS, faults + of_children


def resident_megabytes(pid):
    words = text_of(pid, "statm").split()
    return int(words[1]) * PAGE / 1e6 if words else 0.0


def proportional_megabytes(pid):
    for line in text_of(pid, "smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024 / 1e6
    return 0.0


def with_own_memory(pids):
    """One process of each memory. A child of vfork has its parent's until it begins its own program, and so the same figures."""
    return list({text_of(pid, "statm"): pid for pid in pids}.values())


class TreeWatch(LooksInBackground):
    """Looks at a process and at what came of it."""

    def __init__(self, pid, command):
        super().__init__()
        self.pid, self.command = pid, command
        self.known, self.all = [], []  # without the command, and with it and its planner
        self.program = 0  # the first of them
        self.processor, self.faults = 0.0, 0
        self.of_all = 0.0  # processor time
        self.megabytes = []

    def _keep_looking(self):
        due = 0.0
        while not self.over.wait(SECONDS_BETWEEN_LOOKS):
            if (begin := time.monotonic()) >= due:
                self._search_and_weigh()
                due = time.monotonic() + IDLE * (time.monotonic() - begin)
            self._add()

    def _search_and_weigh(self):
        roots = roots_below(self.pid, self.command)
        self.program = self.program or next(iter(roots), 0)
        self.known = [one for root in roots for one in with_descendants(root)]
        self.all = with_descendants(self.pid)
        memories = with_own_memory(self.known)
        weigh = resident_megabytes if len(memories) == 1 else proportional_megabytes
        if megabytes := sum(map(weigh, memories)):
            self.megabytes.append(megabytes)

    def _add(self):
        """A child that ended and was waited for counts in its parent. So a sum only ever falls when the last of them goes."""
        spent = {pid: found for pid in {*self.all, *self.known} if (found := spent_by(pid))}
        programs = [spent[pid] for pid in self.known if pid in spent]
        self.processor = max(self.processor, sum(processor for processor, _ in programs))
        self.faults = max(self.faults, sum(faults for _, faults in programs))
        self.of_all = max(self.of_all, sum(processor for processor, _ in spent.values()))

    def most(self):
        return max(self.megabytes, default=0.0)

    def last(self):
        """What was held at the end, but for the very last looks, which may meet a process that goes."""
        return self.megabytes[-5] if len(self.megabytes) >= 5 else self.most()

    def with_the_command(self, waited_for):
        """Processor time of all, where so much was counted of what was waited for: some children end unwaited, and count only here."""
        return max(waited_for, self.of_all)
