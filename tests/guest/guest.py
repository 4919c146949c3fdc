"""What the checks of the injected library share: where it is, and how to run a program under it."""

import os
import pathlib
import resource
import subprocess

LIBRARY = os.environ["GUEST_LIBRARY"]
PROGRAMS = os.environ["GUEST_PROGRAMS"]
SOURCES = pathlib.Path(__file__).parent / "hostile"

# Keeps serving from standing aside: the cost of passes is measured in time, and a busy machine must not decide what the checks
# count.
os.environ.setdefault("MEMOMALLOC_ASIDE", "never")


def program(name):
    return os.path.join(PROGRAMS, name)


def run(command, limit=None, **variables):
    """Runs the command with the library injected, the given environment variables, and at most `limit` (a resource of
    setrlimit and its value)."""
    environment = {"PATH": os.environ["PATH"], "MEMOMALLOC_ASIDE": "never", "LD_PRELOAD": LIBRARY, **variables}
    restrict = (lambda: resource.setrlimit(limit[0], (limit[1], limit[1]))) if limit else None
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, preexec_fn=restrict)


def lines_of_ours(text):
    return [line for line in text.splitlines() if line.startswith("memomalloc[")]
