"""What the benchmarks under scripts/ share: the allocators that are compared and how each is set, medians with their
spread, tables."""

import math
import os
import re
import statistics
import subprocess

from places import BUILD, COMMAND, LIBRARY, ROOT

PACKAGES = ["libjemalloc2", "libtcmalloc-minimal4", "libmimalloc2.0"]


def compiled_in_conf():
    """The configuration in the library's source, so that the two can never differ."""
    source = (ROOT / "preload" / "heap" / "default_conf.cpp").read_text()
    return re.search(r'memo_je_malloc_conf\s*=\s*"([^"]*)"', source).group(1)


def peers():
    """Environments. jemalloc under our configuration never gives memory back: what it is at its fastest."""
    return {
        "glibc": {},
        "jemalloc": {"LD_PRELOAD": "libjemalloc.so.2"},
        "jemalloc our-conf": {"LD_PRELOAD": "libjemalloc.so.2", "MALLOC_CONF": compiled_in_conf()},
        "tcmalloc": {"LD_PRELOAD": "libtcmalloc_minimal.so.4"},
        "mimalloc": {"LD_PRELOAD": "libmimalloc.so.2"},
    }


def mode_off():
    return {"LD_PRELOAD": str(LIBRARY), "MEMOMALLOC_MODE": "off"}


def mode_serve(plan, lanes, stats):
    return {"LD_PRELOAD": str(LIBRARY), "MEMOMALLOC_MODE": "serve", "MEMOMALLOC_PLAN": str(plan),
            "MEMOMALLOC_LANES": str(lanes), "MEMOMALLOC_STATS": str(stats)}


def prepare(targets, packages=()):
    """Installs and builds what is missing."""
    subprocess.run([ROOT / "scripts" / "setup", *PACKAGES, *packages], check=True)
    subprocess.run(["cmake", "--preset", "release", "-DMEMOMALLOC_BENCHMARKS=ON"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", BUILD, "--target", "memomalloc_preload", *targets], check=True,
                   stdout=subprocess.DEVNULL)


def run(command, environment):
    """What the command prints under this environment. A peer that cannot be loaded is no measurement."""
    done = subprocess.run([str(part) for part in command], env={**os.environ, **environment}, check=True,
                          capture_output=True, text=True, timeout=300)
    if "cannot be preloaded" in done.stderr:
        raise SystemExit(done.stderr.splitlines()[0])
    return done.stdout


def make_plan(trace, plan):
    subprocess.run([COMMAND, "plan", "--force", "-q", "-o", plan, trace], check=True, capture_output=True)


def one_round(number, contenders, measure):
    """Measures every contender, each round another one first: whoever always runs first looks a few percent faster."""
    names = list(contenders)
    done = {name: measure(contenders[name]) for name in names[number % len(names):] + names[:number % len(names)]}
    return {name: done[name] for name in names}


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def cell(values, digits=3):
    median, least, most = statistics.median(values), min(values), max(values)
    return f"{median:.{digits}f} ({least:.{digits}f}–{most:.{digits}f})"


def print_table(header, rows, markdown):
    if markdown:
        rows = [header, ["---"] * len(header), *rows]
        print("\n".join("| " + " | ".join(row) + " |" for row in rows))
        return
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, *rows]:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
