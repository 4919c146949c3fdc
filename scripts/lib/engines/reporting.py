"""What a program measures itself, for whoever names a file by MEMO_APP_REPORT: processor time and page faults of its requests, and the
memory that it held before the first one. MEMO_APP_WARM_UP says how many of the first requests do not count."""
import itertools
import json
import os
import pathlib
import resource


def spent():
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime, own.ru_minflt


def resident_megabytes():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


class Report:
    """Begins before the first request."""

    def __init__(self):
        self.warm_up = int(os.environ.get("MEMO_APP_WARM_UP", "0"))
        self.answered = itertools.count(1)
        self.base = resident_megabytes()
        self.before = spent()

    def note_answer(self):
        """May be called by several threads at once."""
        if next(self.answered) == self.warm_up:
            self.before = spent()

    def write(self):
        seconds, faults = (now - before for now, before in zip(spent(), self.before, strict=True))
        if path := os.environ.get("MEMO_APP_REPORT"):
            pathlib.Path(path).write_text(json.dumps({"processor": seconds, "faults": faults, "base": self.base}))
