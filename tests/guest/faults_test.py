"""What the kernel refuses: every system call of the library's own fails in turn, and the program answers as ever.

The program (served/answering.cpp) is a small server that prints its answers. libfaults.so (faults/injector.c) lets the n-th
call of one kind fail, or that one and all after it; only calls that the library makes. Then limits that the system itself
sets: address space, file descriptors, folders, disks, control groups. Failure: another answer or status, a program that
hangs, words that are not ours or a flood of them, a trace that cannot be read although something was recorded.

By default a selection that takes a few seconds. FAULTS=all tries every call, as scripts/check-faults does.
"""

import collections
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

from guest import LIBRARY, lines_of_ours, program

COMMAND = os.environ["GUEST_COMMAND"]
INJECTOR = os.environ["GUEST_INJECTOR"]
ALL = os.environ.get("FAULTS") == "all"
MOST_OF_A_KIND = 60 if ALL else 1
PROGRAM = program("served_answering")

EINTR, EIO, EAGAIN, ENOMEM, EACCES, EINVAL, EMFILE, ENOSPC, EROFS, ENOSYS = 4, 5, 11, 12, 13, 22, 24, 28, 30, 38
EOPNOTSUPP = 95

# What each call may fail with, the likeliest first.
ERRORS = {
    "access": [EACCES], "close": [EIO], "fallocate": [EOPNOTSUPP, ENOSPC], "fstat": [EIO], "getcwd": [EACCES],
    "getrlimit": [EINVAL], "lstat": [EACCES], "madvise": [EINVAL, ENOMEM], "mmap": [ENOMEM], "mprotect": [ENOMEM],
    "munmap": [ENOMEM], "open": [EMFILE, EACCES, EROFS, ENOMEM], "pthread_create": [EAGAIN], "pthread_getattr_np": [ENOMEM],
    "pwritev2": [ENOSPC, "short", EINTR, EIO], "read": [EIO, EINTR, "short"], "readlink": [EACCES], "rename": [EACCES, ENOSPC],
    "sched_getaffinity": [EINVAL], "sched_setaffinity": [EINVAL], "stat": [EACCES, ENOMEM], "syscall": [ENOSYS, ENOSPC, EINTR],
    "sysconf": [EINVAL], "tgkill": [EINVAL], "unlink": [EACCES], "write": [ENOSPC, "short", EINTR],
}
# Calls that the kernel may interrupt for ever are called for ever: that is what POSIX has us do.
NEVER_FOR_EVER = {EINTR}

# Then jemalloc 5.3.0 writes to a mapping that it did not get: when it starts, and by itself just so.
CRASHES_IN_JEMALLOC = "<jemalloc>: Cannot allocate memory for MADV_DONTNEED check"

# Imports of the library that enter the kernel and are not made to fail, and why.
LEFT_OUT = {
    "_exit": "does not return", "abort": "does not return", "clock_gettime": "cannot fail with a clock that is there",
    "creat": "jemalloc's profile dumps, which are not switched on", "getauxval": "no call", "geteuid": "cannot fail",
    "getpid": "cannot fail", "getppid": "cannot fail", "gettid": "cannot fail", "getuid": "cannot fail", "gettimeofday": "cannot fail",
    "sbrk": "jemalloc asks it only when mmap has failed, and takes it as it comes", "sched_yield": "cannot fail",
    "sched_getcpu": "cannot fail", "fprintf": "jemalloc's figures, not asked for",
}

Mode = collections.namedtuple("Mode", "name variables records serves")
MODES = [
    Mode("off", {}, False, False),
    Mode("profile", {"MEMOMALLOC_MODE": "profile"}, True, False),
    Mode("profile, newest", {"MEMOMALLOC_MODE": "profile", "MEMOMALLOC_KEEP": "newest", "MEMOMALLOC_TRACE_LIMIT": "4",
                             "MEMOMALLOC_FOLLOW": "1", "MEMOMALLOC_RECORD": "all"}, True, False),
    Mode("serve", {"MEMOMALLOC_MODE": "serve"}, False, True),
    Mode("serve, two lanes, log", {"MEMOMALLOC_MODE": "serve", "MEMOMALLOC_LANES": "2", "MEMOMALLOC_LOG": "{folder}/log"}, False,
         True),
]


class FaultsCase(unittest.TestCase):
    """Running the program in a mode, and what must hold whatever failed."""

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="memomalloc-faults.")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.answers = subprocess.run([PROGRAM], capture_output=True, text=True, check=True, timeout=60).stdout
        trace, cls.plan = cls.folder / "server.trace", cls.folder / "server.plan"
        recording = {**os.environ, "HOSTILE_INJECTED": "1"}
        subprocess.run([COMMAND, "profile", "-o", trace, "--", PROGRAM, "record"], env=recording, check=True, capture_output=True)
        subprocess.run([COMMAND, "plan", "-o", cls.plan, trace], check=True, capture_output=True)
        cls.counts = collections.Counter()

    def environment(self, mode, run):
        variables = {name: value.format(folder=run) for name, value in mode.variables.items()}
        if mode.records:
            variables["MEMOMALLOC_TRACE"] = str(run / "trace")
        if mode.serves:
            variables.update(MEMOMALLOC_PLAN=str(self.plan), MEMOMALLOC_STATS=str(run / "stats"))
        return {"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY, **variables}

    def start(self, mode, fail=None, limit=None, folder=None, **more):
        """Runs the program once; (what it did, how often each call was made)."""
        run = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.addCleanup(shutil.rmtree, run, ignore_errors=True)
        environment = {**self.environment(mode, folder or run), "FAULTS_REPORT": str(run / "report"), **more}
        if fail or limit is None:
            environment["LD_PRELOAD"] = f"{INJECTOR} {LIBRARY}"
        if fail:
            environment["FAULTS_FAIL"] = fail
        restrict = (lambda: resource.setrlimit(limit[0], (limit[1], limit[1]))) if limit else None
        done = subprocess.run([PROGRAM], env=environment, capture_output=True, text=True, timeout=60, preexec_fn=restrict)
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


class EachCallFails(FaultsCase):
    def kinds(self, calls):
        return {name: count for name, count in calls.items() if name != "failed"}

    def check(self, mode, call, which, error):
        with self.subTest(mode=mode.name, fail=f"{call} {which} {error}"):
            done, calls, run = self.start(mode, f"{call} {which} {error}")
            if call == "mmap" and done.returncode == -signal.SIGSEGV and CRASHES_IN_JEMALLOC in done.stderr:
                self.counts["crashes in jemalloc"] += 1
                return
            self.assert_answers(done)
            self.assertGreater(calls["failed"], 0)
            self.counts["faults"] += calls["failed"]
            self.counts["runs"] += 1
            if mode.records:
                self.check_trace(run, call, which)

    def check_trace(self, run, call, which):
        """What was recorded before the fault can be read: a fault late in the run leaves the passes before it."""
        passes = self.passes_in(run / "trace")
        late = call == "pwritev2" and int(which.rstrip("+")) > 8
        if late:
            self.assertGreater(passes, 0)

    def test_in_every_mode(self):
        for mode in MODES:
            done, calls, run = self.start(mode)
            self.assert_answers(done)
            self.assertEqual(calls["failed"], 0)
            if mode.records:
                self.assertGreater(self.passes_in(run / "trace"), 20)
            for call, count in self.kinds(calls).items():
                self.try_call(mode, call, count)
        print(f"{self.counts['faults']} calls failed on purpose in {self.counts['runs']} runs; jemalloc itself crashed in "
              f"{self.counts['crashes in jemalloc']}", flush=True)

    def try_call(self, mode, call, count):
        for error in ERRORS[call] if ALL else ERRORS[call][:1]:
            for number in range(1, min(count, MOST_OF_A_KIND) + 1):
                self.check(mode, call, str(number), error)
                if error not in NEVER_FOR_EVER:
                    self.check(mode, call, f"{number}+", error)

    def test_no_import_is_forgotten(self):
        """Whatever the library imports is either made to fail, or known not to enter the kernel, or left out for a reason."""
        imports = subprocess.run(["nm", "-D", "--undefined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
        names = {line.split()[-1].split("@")[0] for line in imports.splitlines()}
        pure = ("str", "mem", "pthread_", "_", "v", "sn", "dl", "exp", "log", "round", "secure_getenv", "sigfillset")
        unknown = {name for name in names - ERRORS.keys() - LEFT_OUT.keys() if not name.startswith(pure)}
        self.assertEqual(unknown, set())
        self.assertEqual({name for name in names if name.startswith("pthread_create")} - ERRORS.keys(), set())


if __name__ == "__main__":
    unittest.main()
