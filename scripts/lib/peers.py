"""The allocators that programs are measured under, as `memomalloc compare` names, finds and tunes them. Run as a program
it prints the packages that they are in."""

import functools
import json
import os

from commands import build_benchmarks, build_memomalloc, output_of, run, setup
from places import COMMAND, LIBRARY

# Each as it is shipped; and jemalloc under our configuration, which never gives memory back: what it is at its fastest.
PEERS = ("glibc", "jemalloc", "jemalloc-our-conf", "tcmalloc", "mimalloc")

# What tables call those that `memomalloc compare` is to take.
ROWS = {"serve": "memomalloc serve", "off": "memomalloc off", **{name: name for name in PEERS}}


@functools.cache
def listed():
    return json.loads(output_of([COMMAND, "compare", "--list-allocators", "--json"]))["allocators"]


def packages(names=PEERS):
    return sorted({row["package"] for row in listed() if row["name"] in names})


def environment_of(name):
    """The variables that put an allocator of the list into a program."""
    row = next(row for row in listed() if row["name"] == name)
    return {**({"LD_PRELOAD": row["library"]} if row["library"] else {}), **row["settings"]}


def peers():
    return {name: environment_of(name) for name in PEERS}


def mode_off():
    return {"LD_PRELOAD": str(LIBRARY), "MEMOMALLOC_MODE": "off"}


def mode_serve(plan, lanes, stats):
    return {"LD_PRELOAD": str(LIBRARY), "MEMOMALLOC_MODE": "serve", "MEMOMALLOC_PLAN": str(plan),
            "MEMOMALLOC_LANES": str(lanes), "MEMOMALLOC_STATS": str(stats)}


def prepare(targets, further_packages=()):
    """Installs and builds what is missing."""
    build_memomalloc()
    setup(*packages(), *further_packages)
    if targets:
        build_benchmarks(*targets)


def printed_under(environment, command):
    """What the command prints. A peer that cannot be loaded is no measurement."""
    done = run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300)
    if "cannot be preloaded" in done.stderr:
        raise SystemExit(done.stderr.splitlines()[0])
    return done.stdout


if __name__ == "__main__":
    print("\n".join(packages()))
