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
REPORT = ["--stdio", "-q", "-g", "none", "-F", "sample,dso,sym", "-t", ";", "--time", "50%-90%"]


def kind_of(dso, symbol):
    if symbol.startswith(KERNEL):
        return "kernel"
    return "allocator" if ALLOCATOR.search(dso) else "program"


def shares_by_kind(lines):
    """From lines \"samples;object;symbol\" the shares of the kernel, of an allocator's library, and of all the rest."""
    samples = collections.Counter({"kernel": 0, "allocator": 0, "program": 0})
    for line in lines:
        count, dso, symbol = (field.strip() for field in line.split(";", 2))
        samples[kind_of(dso, symbol)] += int(count)
    if not samples.total():
        raise SystemExit("perf took no samples; let the program run longer")
    return {kind: count / samples.total() for kind, count in samples.items()}


def with_variables(environment, command):
    return ["--", "env", *(f"{name}={value}" for name, value in environment.items()), *map(str, command)]


def sampled(command, environment):
    """Runs the command, and returns the shares of its threads' time by kind, from the middle of the run to
    a little before its end, where the program has much to free."""
    with tempfile.TemporaryDirectory(prefix="memomalloc-perf.") as folder:
        data = pathlib.Path(folder) / "perf.data"
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", str(SAMPLES_A_SECOND), "-o", data,
                        *with_variables(environment, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        said = subprocess.run(["perf", "report", "-i", data, *REPORT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=True).stdout
    return shares_by_kind(line for line in said.splitlines() if line.count(";") >= 2)


def counts_cache_misses():
    """Whether this machine's processor shows its counter of cache misses; most virtual ones do not."""
    done = subprocess.run(["perf", "stat", "-x,", "-e", "cache-misses", "true"], capture_output=True, text=True, check=False)
    return done.returncode == 0 and "not supported" not in done.stderr


def cache_misses(command, environment):
    done = subprocess.run(["perf", "stat", "-x,", "-e", "cache-misses", *with_variables(environment, command)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return next(int(line.split(",")[0]) for line in done.stderr.splitlines() if "cache-misses" in line)
