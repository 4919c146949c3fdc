"""The resident memory of a process while something goes on."""

import pathlib
import re
import statistics
import threading

SECONDS_BETWEEN_LOOKS = 0.01


def resident_megabytes(process):
    """None when the process has ended."""
    return megabytes_of(process.pid)


def megabytes_of(pid):
    """The same, of the process with this id; \"self\" is the one that asks."""
    try:
        found = re.search(r"VmRSS:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(found.group(1)) / 1000 if found else None


class LooksInBackground:
    """Looks again and again in a thread of its own while the `with` lasts; `_keep_looking` says at what, until `over`."""

    def __init__(self):
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._keep_looking)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


class Watch(LooksInBackground):
    """Looks at a process."""

    def __init__(self, process):
        super().__init__()
        self.process = process
        self.looks = []

    def _keep_looking(self):
        while not self.over.wait(SECONDS_BETWEEN_LOOKS):
            if (now := resident_megabytes(self.process)) is not None:
                self.looks.append(now)

    def _later_half(self):
        return self.looks[len(self.looks) // 2:len(self.looks) - len(self.looks) // 10]

    def steady(self):
        return statistics.median(self._later_half())

    def high(self):
        """What the machine must have for a program that goes on like this."""
        return max(self._later_half())
