"""`memomalloc compare`, which runs a command under several allocators and measures it."""

import json
import subprocess
import sys

from places import COMMAND


def compare_words(command, *options, allocators, runs):
    return [COMMAND, "compare", "--json", "--runs", runs, "--allocators", ",".join(allocators), *options, "--", *command]


def compare(command, *options, allocators, runs, cwd=None, env=None):
    """Its report (docs/compare.md). What it says on stderr is shown; nothing is measured of runs that fail or differ."""
    words = compare_words(command, *options, allocators=allocators, runs=runs)
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, check=False, cwd=cwd, env=env)
    if done.returncode != 0:
        sys.exit("the answers differ" if done.returncode == 5 else f"memomalloc compare ended with {done.returncode}")
    return json.loads(done.stdout)


def values_of(report, allocator, figure, unit=1):
    """One value for each round."""
    row = next(row for row in report["allocators"] if row["name"] == allocator)
    return [value / unit for value in row["figures"][figure]["values"]]


def ratio_cell(ratio):
    """A ratio of the report with its interval; in brackets where the interval does not tell it from 1."""
    if not ratio:
        return "–"
    if "low" not in ratio:
        return f"{ratio['value']:.2f}"
    text = f"{ratio['value']:.2f} ({ratio['low']:.2f}–{ratio['high']:.2f})"
    return text if ratio["low"] > 1 or ratio["high"] < 1 else f"[{text}]"
