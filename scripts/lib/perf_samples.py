"""Where the processor's time of a program goes, by sampling with perf. The samples come by the clock, since most virtual machines
have no counters of the processor."""

import collections
import pathlib
import re
import subprocess
import tempfile

SAMPLES_A_SECOND = 999
ALLOCATOR = re.compile(r"lib(jemalloc|tcmalloc|mimalloc|memomalloc)[^/]*\.so")
KERNEL = "[k] "
REPORT = ["--stdio", "-q", "-g", "none", "-F", "sample,dso,sym", "-t", ";"]


def kind_of(dso, symbol):
    if symbol.startswith(KERNEL):
        return "kernel"
    return "allocator" if ALLOCATOR.search(dso) else "program"


def seconds_by_kind(lines):
    """From lines \"samples;object;symbol\" the seconds in the kernel, in an allocator's library, and in all the rest."""
    seconds = collections.Counter()
    for line in lines:
        samples, dso, symbol = (field.strip() for field in line.split(";", 2))
        seconds[kind_of(dso, symbol)] += int(samples) / SAMPLES_A_SECOND
    return seconds


def sampled(command, environment):
    """Runs the command, and returns the seconds of its threads by kind."""
    with tempfile.TemporaryDirectory(prefix="memomalloc-perf.") as folder:
        data = pathlib.Path(folder) / "perf.data"
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", str(SAMPLES_A_SECOND), "-o", data, "--", "env",
                        *(f"{name}={value}" for name, value in environment.items()), *map(str, command)],
                       stdout=subprocess.DEVNULL, check=True)
        said = subprocess.run(["perf", "report", "-i", data, *REPORT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=True).stdout
    return seconds_by_kind(line for line in said.splitlines() if line.count(";") >= 2)


def counts_cache_misses():
    """Whether this machine's processor shows its counter of cache misses; most virtual ones do not."""
    done = subprocess.run(["perf", "stat", "-x,", "-e", "cache-misses", "true"], capture_output=True, text=True, check=False)
    return done.returncode == 0 and "not supported" not in done.stderr


def cache_misses(command, environment):
    done = subprocess.run(["perf", "stat", "-x,", "-e", "cache-misses", "env",
                           *(f"{name}={value}" for name, value in environment.items()), *map(str, command)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return next(int(line.split(",")[0]) for line in done.stderr.splitlines() if "cache-misses" in line)
