"""What the kernel refuses: every system call of the library's own fails in turn, and the program answers as ever.

The program (served/answering.cpp) is a small server that prints its answers. libfaults.so (faults/injector.c) lets the n-th
call of one kind fail, or that one and all after it; only calls that the library makes. Failure: another answer or status, a
program that hangs, words that are not ours or a flood of them, a trace that cannot be read although something was recorded.

The number of a file of the library's is taken by one of the program's, too, at each moment at which the library is about to
ask whose it is. Failure, besides: that file does not keep its bytes and its number.

By default every mmap, every number and the first call of each other kind. FAULTS=all tries every call with every error it may have, as
scripts/check/faults does.
"""

import bisect
import functools
import os
import subprocess
import unittest

from fault_runs import INJECTOR, MODES, FaultsCase
from guest import LIBRARY

JEMALLOC = os.environ["GUEST_JEMALLOC"]
PLAIN_JEMALLOC = os.environ["GUEST_PLAIN_JEMALLOC"]
ALL = os.environ.get("FAULTS") == "all"
MOST_OF_A_KIND = 60

EINTR, EIO, EAGAIN, ENOMEM, EACCES, EINVAL, EMFILE, ENOSPC, EROFS, ENOSYS = 4, 5, 11, 12, 13, 22, 24, 28, 30, 38
EPERM, EOPNOTSUPP = 1, 95
TAKEN = 1  # no error: the number of the library's file becomes that of one of the program's

# The errors that each call may fail with, the likeliest first.
ERRORS = {
    "access": [EACCES], "close": [EIO], "fallocate": [EOPNOTSUPP, ENOSPC],
    "fcntl": [EMFILE, EINVAL], "fstat": [EIO], "ftruncate": [ENOMEM], "getcwd": [EACCES],
    "getrlimit": [EINVAL], "lstat": [EACCES], "madvise": [EINVAL, ENOMEM], "memfd_create": [EMFILE, ENOSYS],
    "mincore": [ENOMEM], "mmap": [ENOMEM], "mprotect": [ENOMEM],
    "mremap": [EINVAL, ENOMEM], "munmap": [ENOMEM], "open": [EMFILE, EACCES, EROFS, ENOMEM], "pthread_create": [EAGAIN], "pthread_getattr_np": [ENOMEM],
    "pwritev2": [ENOSPC, "short", EINTR, EIO], "read": [EIO, EINTR, "short"], "readlink": [EACCES], "rename": [EACCES, ENOSPC],
    "sched_getaffinity": [EINVAL], "sched_setaffinity": [EINVAL], "stat": [EACCES, ENOMEM], "statx": [ENOSYS, EPERM, EIO, ENOMEM],
    "syscall": [ENOSYS, ENOSPC, EINTR], "sysconf": [EINVAL], "take": [TAKEN], "tgkill": [EINVAL], "unlink": [EACCES], "write": [ENOSPC, "short", EINTR],
}
# Calls that the kernel may interrupt for ever are called for ever: that is what POSIX has us do.
NEVER_FOR_EVER = {EINTR}

# jemalloc 5.3.0 does not look whether it got the mappings it starts with, or those of a new thread's arena, and crashes
# where it did not (docs/limits.md). Told by the function that crashed, and that it does so by itself is tried, too.
JEMALLOC_CRASHES_WITHOUT = {"mmap"}

# Tried at each place in any case, not at the first alone.
EVERYWHERE = {"mmap", "take"}

# Calls that a run may do without: a thread asks after another only where that is in a pass when it begins its own first, and
# pages of a lane are counted only where threads met so that a lane gives some back.
BY_CHANCE = {"mincore", "tgkill"}

# Imports of the library that enter the kernel and are not made to fail, and why.
LEFT_OUT = {
    "_exit": "does not return", "abort": "does not return", "clock_gettime": "cannot fail with a clock that is there",
    "getrusage": "cannot fail for the process itself",
    "creat": "jemalloc's profile dumps, which are not switched on", "getauxval": "no call", "geteuid": "cannot fail",
    "getpid": "cannot fail", "getppid": "cannot fail", "gettid": "cannot fail", "getuid": "cannot fail", "gettimeofday": "cannot fail",
    "sbrk": "jemalloc asks it only when mmap has failed, and takes it as it comes", "sched_yield": "cannot fail",
    "sched_getcpu": "cannot fail", "getcpu": "asked on machines of several nodes alone",
    "fprintf": "jemalloc's figures, not asked for", "sigprocmask": "cannot fail as it is called",
    "fputs": "writes to the stream that malloc_info is given",
    "environ": "no call",
    "process_vm_readv": "reads the name of a layer for a recording, which does without (tests/preload/hooks/recorded_names_test.cpp)",
    "prctl": "asks for tagged addresses on AArch64, which not every kernel has anyway",
    **dict.fromkeys(("clone", "close_range", "dup2", "execve", "mkdir", "rmdir", "setsid", "waitpid"),
                    "the start of a planner in mode auto, without which nothing is learned: e2e.run lets it go wrong"),
}



@functools.cache
def functions(file):
    """(address, name) of the functions in a library or archive, in order."""
    lines = subprocess.run(["nm", "--defined-only", file], check=True, capture_output=True, text=True).stdout
    table = [line.split() for line in lines.splitlines() if len(line.split()) == 3 and line.split()[1] in "tTW"]
    return sorted((int(address, 16), name.split(".")[0]) for address, _, name in table)


def function_at(library, offset):
    """What the code at this offset belongs to, under the name that jemalloc gives it. Of malloc the library has the first
    instructions copied, and calls what they go on with."""
    table = functions(library)
    name = table[bisect.bisect(table, (offset, "~")) - 1][1].removeprefix("memo_").removeprefix("je_")
    return "malloc" if name == "malloc_default" else name


VICTIM = b"a file of the program's own" * 1000


class EachCallFails(FaultsCase):
    crashed_in = set()

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.victim = cls.folder / "victim"

    def kinds(self, calls):
        return {name: count for name, count in calls.items() if name in ERRORS}

    def is_jemallocs(self, offset):
        if offset == 0:
            return False
        names = {name.removeprefix("memo_").removeprefix("je_") for _, name in functions(JEMALLOC)}
        return function_at(LIBRARY, offset) in names

    def check(self, mode, call, which, error):
        with self.subTest(mode=mode.name, fail=f"{call} {which} {error}"):
            self.victim.write_bytes(VICTIM)
            done, calls, run = self.start(mode, fail=f"{call} {which} {error}", FAULTS_VICTIM=str(self.victim))
            if call in JEMALLOC_CRASHES_WITHOUT and self.is_jemallocs(calls.get("crashed", 0)):
                self.counts["crashes in jemalloc"] += 1
                self.crashed_in.add(function_at(LIBRARY, calls["crashed"]))
                return
            self.assert_answers(done)
            self.assertEqual((self.victim.read_bytes(), calls["harmed"]), (VICTIM, 0))
            if int(which.rstrip("+")) == 1 and call not in BY_CHANCE:
                self.assertGreater(calls["failed"], 0)
            self.counts["faults"] += calls["failed"]
            self.counts["runs"] += 1
            if mode.records:
                self.check_trace(run, call, which)

    def check_trace(self, run, call, which):
        """What was recorded before the fault can be read: a fault late in the run leaves the passes before it."""
        passes = self.passes_in(run / "trace")
        if call == "pwritev2" and int(which.rstrip("+")) > 12:
            self.assertGreater(passes, 0)

    def test_in_every_mode(self):
        for mode in MODES:
            done, calls, run = self.start(mode)
            self.assert_answers(done)
            self.assertEqual(calls["failed"], 0)
            if mode.serves:
                self.assertGreater(calls.get("pthread_create", 0), 0, "no plan grew on a thread of the library's")
            if mode.name == "serve":  # lanes that have all their memory from the start change places instead
                self.assertGreater(calls.get("mremap", 0), 0, "no plan grew around a block that lives")
            if mode.records:
                self.assertGreater(self.passes_in(run / "trace"), 20)
            for call, count in self.kinds(calls).items():
                self.try_call(mode, call, count)
        print(f"{self.counts['faults']} calls failed on purpose in {self.counts['runs']} runs; jemalloc itself crashed in "
              f"{self.counts['crashes in jemalloc']}", flush=True)

    def try_call(self, mode, call, count):
        for error in ERRORS[call] if ALL else ERRORS[call][:1]:
            every = range(1, min(count, MOST_OF_A_KIND) + 1)
            for number in every if ALL or call in EVERYWHERE else every[:1]:
                self.check(mode, call, str(number), error)
                if error not in NEVER_FOR_EVER and (ALL or number == 1):
                    self.check(mode, call, f"{number}+", error)

    def test_jemalloc_crashes_by_itself(self):
        """Preloaded alone, of the same archive, wherever it crashed within the library. (Runs after the test of every mode.)"""
        alone = {"LD_PRELOAD": f"{INJECTOR} {PLAIN_JEMALLOC}", "FAULTS_GUEST": "libplain_jemalloc"}
        _, calls, _ = self.start(MODES[0], **alone)
        runs, crashes, crashed_in = 0, 0, set()
        for number in range(1, min(calls["mmap"], MOST_OF_A_KIND) + 1):
            for which in (str(number), f"{number}+"):
                _, calls, _ = self.start(MODES[0], **alone, FAULTS_FAIL=f"mmap {which} {ENOMEM}")
                runs += 1
                if calls["crashed"] != 0:
                    crashes += 1
                    crashed_in.add(function_at(PLAIN_JEMALLOC, calls["crashed"]))
        print(f"jemalloc alone crashed in {crashes} of {runs} runs in which its mmap failed, in {', '.join(sorted(crashed_in))}; "
              f"within the library in {', '.join(sorted(self.crashed_in)) or 'none'}", flush=True)
        self.assertGreater(crashes, 0)
        self.assertLessEqual(self.crashed_in, crashed_in)

    def test_no_import_is_forgotten(self):
        """Whatever the library imports is either made to fail, or known not to enter the kernel, or left out for a reason."""
        imports = subprocess.run(["nm", "-D", "--undefined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
        names = {line.split()[-1].split("@")[0] for line in imports.splitlines()}
        pure = ("str", "mem", "pthread_", "_", "v", "sn", "dl", "exp", "log", "round", "secure_getenv", "sigfillset", "sigemptyset",
                "sigdelset")
        unknown = {name for name in names - ERRORS.keys() - LEFT_OUT.keys() if not name.startswith(pure)}
        self.assertEqual(unknown, set())
        self.assertEqual({name for name in names if name.startswith("pthread_create")} - ERRORS.keys(), set())


if __name__ == "__main__":
    unittest.main()
