"""What the checks share that run a program under a plan of its own passes."""

import contextlib
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

from guest import program

COMMAND = os.environ["GUEST_COMMAND"]

# Set by scripts/check/aarch64.
emulated = "GUEST_EMULATED" in os.environ
PATIENCE = 600 if emulated else 60  # seconds after which a program hangs
NEEDS_OWN_PROGRAMS = "it starts a program of this machine's under the library of the other"


def new_folder(name, add_cleanup):
    """A folder until the cleanup. A process that was killed, or the planner of one that ended, may still write into it then."""
    holder = tempfile.TemporaryDirectory(prefix=f"memomalloc-{name}.", ignore_cleanup_errors=True)
    add_cleanup(holder.cleanup)
    return pathlib.Path(holder.name)


def folder_of_class(case, name):
    """A folder for all tests of the class."""
    return new_folder(name, case.addClassCleanup)


@contextlib.contextmanager
def started(arguments, **options):
    """The program while it runs. It ends with the block, or a check that fails in it would wait for it, and once it hangs."""
    with subprocess.Popen(arguments, **options) as process:
        killer = threading.Timer(PATIENCE, process.kill)
        killer.start()
        try:
            yield process
        finally:
            killer.cancel()
            process.kill()


def plan_of_trace(trace):
    """Made beside the trace."""
    plan = trace.with_suffix(".plan")
    subprocess.run([COMMAND, "plan", "-o", plan, trace], check=True, capture_output=True, timeout=PATIENCE)
    return plan


def recorded_plan(folder, path):
    """The plan of the ordinary passes of the program at this path."""
    trace = folder / "recorded.trace"
    subprocess.run([COMMAND, "profile", "-o", trace, "--", path, "record"], env={**os.environ, "HOSTILE_INJECTED": "1"}, check=True,
                   capture_output=True, timeout=PATIENCE)
    return plan_of_trace(trace)


class Planned(unittest.TestCase):
    def setUp(self):
        self.folder = new_folder("served", self.addCleanup)

    def command(self, *arguments, timeout=PATIENCE, **variables):
        done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=timeout,
                              env={**os.environ, "HOSTILE_INJECTED": "1", **variables})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def plan(self, name, **variables):
        """The plan of the program's ordinary passes."""
        plain = subprocess.run([program(f"served_{name}")], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((plain.returncode, plain.stderr), (0, ""))
        trace, plan = self.folder / "trace", self.folder / "plan"
        self.command("profile", "--force", "-o", trace, "--", program(f"served_{name}"), "record", **variables)
        self.command("plan", "--force", "-o", plan, trace)
        return plan
