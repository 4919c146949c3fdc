"""What the checks of the injected library share: where it is, and how to run a program under it."""

import os
import subprocess

LIBRARY = os.environ["GUEST_LIBRARY"]
PROGRAMS = os.environ["GUEST_PROGRAMS"]


def program(name):
    return os.path.join(PROGRAMS, name)


def run(command, **variables):
    """Runs the command with the library injected and the given environment variables."""
    environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY, **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


def lines_of_ours(text):
    return [line for line in text.splitlines() if line.startswith("memomalloc[")]
