"""Runs of a program that prints its answers, in each mode of the library, with something going wrong.

The program is served/answering.cpp. Whatever fails, its answers must be those of a run without the library, it must end by
itself, and nobody must be flooded with words.
"""

import collections
import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest

from guest import LIBRARY, lines_of_ours, program
from planned import COMMAND, folder_of_class, recorded_plan

INJECTOR = os.environ["GUEST_INJECTOR"]
PROGRAM = program("served_answering")

Mode = collections.namedtuple("Mode", "name variables records serves")
MODES = [
    Mode("off", {}, False, False),
    Mode("profile", {"MEMOMALLOC_MODE": "profile"}, True, False),
    Mode("profile, newest", {"MEMOMALLOC_MODE": "profile", "MEMOMALLOC_KEEP": "newest", "MEMOMALLOC_TRACE_LIMIT": "4",
                             "MEMOMALLOC_FOLLOW": "1", "MEMOMALLOC_RECORD": "all"}, True, False),
    Mode("profile, aliases", {"MEMOMALLOC_MODE": "profile", "MEMOMALLOC_TAG": "alias"}, True, False),
    Mode("serve", {"MEMOMALLOC_MODE": "serve"}, False, True),
    Mode("serve, two lanes, log", {"MEMOMALLOC_MODE": "serve", "MEMOMALLOC_LANES": "2", "MEMOMALLOC_LOG": "{folder}/log"}, False,
         True),
]


class FaultsCase(unittest.TestCase):
    """Running the program in a mode, and what must hold whatever failed."""

    @classmethod
    def setUpClass(cls):
        cls.folder = folder_of_class(cls, "faults")
        cls.answers = subprocess.run([PROGRAM], capture_output=True, text=True, check=True, timeout=60).stdout
        cls.plan = recorded_plan(cls.folder, PROGRAM)
        cls.counts = collections.Counter()

    def environment(self, mode, run):
        variables = {name: value.format(folder=run) for name, value in mode.variables.items()}
        if mode.records:
            variables["MEMOMALLOC_TRACE"] = str(run / "trace")
        if mode.serves:
            variables.update(MEMOMALLOC_PLAN=str(self.plan), MEMOMALLOC_STATS=str(run / "stats"))
        return {"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY, "MEMOMALLOC_ASIDE": "never", **variables}

    def start(self, mode, *arguments, fail=None, limit=None, folder=None, **more):
        """Runs the program once; (what it did, how often each call was made)."""
        run = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.addCleanup(shutil.rmtree, run, ignore_errors=True)
        environment = {**self.environment(mode, folder or run), "FAULTS_REPORT": str(run / "report")}
        if fail or limit is None:
            environment["LD_PRELOAD"] = f"{INJECTOR} {LIBRARY}"
        environment.update(more)
        if fail:
            environment["FAULTS_FAIL"] = fail
        restrict = (lambda: resource.setrlimit(limit[0], (limit[1], limit[1]))) if limit else None
        done = subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=60, preexec_fn=restrict)
        report = run / "report"
        calls = dict(line.split() for line in report.read_text().splitlines()) if report.exists() else {}
        return done, {name: int(count) for name, count in calls.items()}, folder or run

    def assert_answers(self, done):
        self.assertEqual((done.returncode, done.stdout), (0, self.answers), done.stderr)
        lines = [line for line in done.stderr.splitlines() if not line.startswith("<jemalloc>: ")]
        self.assertEqual(lines_of_ours(done.stderr), lines)
        self.assertLessEqual(len(lines), 12, done.stderr)

    def passes_in(self, trace):
        """How many passes the command finds in a trace; 0 where there is none to read."""
        if not trace.exists() or trace.stat().st_size == 0:
            return 0
        read = subprocess.run([COMMAND, "inspect", "--json", trace], capture_output=True, text=True, timeout=60)
        if read.returncode != 0:
            self.assertEqual(read.returncode, 3, read.stderr)
            return 0
        return len(json.loads(read.stdout)["passes"])
