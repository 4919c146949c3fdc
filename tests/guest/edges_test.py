"""Whatever a stranger may put into the variables, the plan and the files of the library: the program answers as ever.

The program (served/answering.cpp) computes its answers in the blocks that it is given. Each case (edge_cases.py) starts it
with variables of arbitrary and near-valid values, with a plan that is whole, damaged and sealed again, cut, made up, a special
file or none, and with files in the place of those that the library writes. Another process meanwhile writes over the live
page, or removes it, and exchanges the plan. Failure: another answer or status, a program that hangs or floods, more memory
than the limit of the lanes allows, a command that crashes at what strangers say of themselves.

EDGES_SECONDS says for how long, EDGES_SEED which cases, and EDGES_CASE a single one, as scripts/check/edges passes them on.
"""

import contextlib
import itertools
import json
import mmap
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from edge_cases import BUDGET, Case, Place
from fault_runs import PROGRAM
from guest import LIBRARY
from planned import COMMAND, PATIENCE, folder_of_class, recorded_plan, started

SECONDS = float(os.environ.get("EDGES_SECONDS", "8"))
SEED = os.environ.get("EDGES_SEED", "1")
ONE_CASE = os.environ.get("EDGES_CASE")
MOST_LINES = 100
NOBODY = 65534
# What a process has beside its lanes: the heap, the tables of a plan, a recording with its buffers.
MEMORY_BESIDE_LANES = 400 << 20


def pages_in(folder):
    return [path for path in folder.glob("live/*.live") if path.is_file()]


@contextlib.contextmanager
def mapped(page):
    """The page, to be written to: its user takes the right to first."""
    page.chmod(0o600)
    with open(page, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        yield memory


class Disturber(threading.Thread):
    """Does to the live page and to the plan what another process of the same user can do, until the end of the `with`."""

    def __init__(self, case):
        super().__init__()
        self.case = case
        self.draw = random.Random(case.draw.random())
        self.ended = threading.Event()

    def run(self):
        with contextlib.suppress(FileNotFoundError):
            while not self.ended.wait(0.001):
                self.disturb()

    def disturb(self):
        if self.case.disturbance == "plan":
            self.exchange_plan()
        for page in pages_in(self.case.place.folder):
            with contextlib.suppress(OSError, ValueError):
                self.disturb_page(page)

    def disturb_page(self, page):
        match self.case.disturbance:
            case "scribble":
                self.write_over(page, lambda size: self.draw.randrange(size), 64)
            case "fill":
                self.write_over(page, lambda _: 0, 1 << 20)
            case "remove":
                page.unlink()
            case "replace":
                page.with_suffix(".new").write_bytes(self.draw.randbytes(4096))
                page.with_suffix(".new").rename(page)
            case "rights":
                page.chmod(0)
            case "append":
                page.chmod(0o600)
                with open(page, "ab") as end:
                    end.write(bytes(100))

    def write_over(self, page, place, most):
        with mapped(page) as memory:
            at = place(len(memory))
            length = min(most, len(memory) - at)
            memory[at:at + length] = b"\xff" * length if most > 64 else self.draw.randbytes(length)

    def exchange_plan(self):
        plan = self.case.place.folder / "plan"
        fresh = self.case.mutated_plan()
        match self.draw.randrange(4):
            case 0:
                plan.write_bytes(fresh)
            case 1:
                (plan.parent / "next").write_bytes(fresh)
                (plan.parent / "next").rename(plan)
            case 2:
                plan.unlink(missing_ok=True)
            case 3:
                plan.write_bytes(fresh[:len(fresh) // 2])

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join()


class EdgesCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = folder_of_class(cls, "edges")
        cls.answers = subprocess.run([PROGRAM], capture_output=True, check=True, timeout=PATIENCE).stdout
        cls.recorded = recorded_plan(cls.folder, PROGRAM)
        cls.plan = cls.recorded.read_bytes()

    def place(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        (folder / "live").mkdir()
        before = os.getcwd()
        os.chdir(folder)  # the path of a socket is short
        try:
            return Place(folder)
        finally:
            os.chdir(before)


class Edges(EdgesCase):
    def test_the_program_answers_whatever_it_is_given(self):
        end = time.monotonic() + SECONDS
        numbers = [int(ONE_CASE)] if ONE_CASE else itertools.count()
        done = 0
        for number in numbers:
            if time.monotonic() > end and not ONE_CASE:
                break
            self.check(number)
            done += 1
        print(f"{done} starts with what a stranger drew, seed {SEED}")
        self.assertGreater(done, 0)

    def check(self, number):
        case = Case(SEED, number, self.place(), self.plan, COMMAND)
        said = f"scripts/check/edges --seed {SEED} --case {number}: {case.plan_kind} plan, {case.disturbance}, {case.variables}"
        status, answers, errors, memory = self.run_case(case)
        self.assertEqual((status, answers), (0, self.answers), f"{said}\n{errors}")
        self.assertLessEqual(errors.count(b"\n"), MOST_LINES, f"{said}\n{errors}")
        self.assertLessEqual(memory, BUDGET + MEMORY_BESIDE_LANES, said)
        shutil.rmtree(case.place.folder, ignore_errors=True)

    def run_case(self, case):
        """(status, what it printed, what it said on stderr, its greatest memory in bytes)."""
        environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY, **case.variables}
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            with started([PROGRAM], env=environment, cwd=case.place.folder, stdout=out, stderr=err) as process:
                with Disturber(case):
                    _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            return process.returncode, out.read(), err.read(), usage.ru_maxrss * 1024

    def serve(self, arguments=(PROGRAM,), user=None, meanwhile=None, **variables):
        """A run on the whole plan."""
        folder = self.place().folder
        (folder / "plan").write_bytes(self.plan)
        for path in (self.folder, folder, folder / "live"):
            path.chmod(0o777)
        environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY, "MEMOMALLOC_MODE": "serve", "MEMOMALLOC_ASIDE": "never",
                       "MEMOMALLOC_PLAN": str(folder / "plan"), "MEMOMALLOC_LIVE": str(folder / "live"), **variables}
        with started(arguments, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, user=user) as process:
            if meanwhile:
                meanwhile(process, folder)
            out, err = process.communicate()
        return process.returncode, out, err

    def test_patterns_that_take_in_everything(self):
        """Functions of the C library are hooked too, and it calls them while it holds its own locks."""
        for name in ("MEMOMALLOC_SCOPE_SYMBOLS", "MEMOMALLOC_PASS_SYMBOLS"):
            for mode in ("serve", "profile"):
                with self.subTest(name=name, mode=mode):
                    status, answers, errors = self.serve(**{name: "*", "MEMOMALLOC_MODE": mode})
                    self.assertEqual((status, answers), (0, self.answers), errors)

    def test_two_words_of_a_choice_are_none(self):
        status, answers, errors = self.serve(MEMOMALLOC_MODE="off|profile")
        self.assertEqual((status, answers), (0, self.answers), errors)
        self.assertIn(b'MEMOMALLOC_MODE is "off|profile"; it takes off|profile|serve|auto. Using off', errors)

    def test_texts_of_the_page_without_an_end(self):
        """Written over by another process, the names in the live page run into each other and to the end of the page."""
        def fill(process, folder):
            while process.poll() is None:
                for page in pages_in(folder):
                    with contextlib.suppress(OSError, ValueError), mapped(page) as memory:
                        memory[16:] = b"x" * (len(memory) - 16)
            stats.append((folder / "stats").read_text())

        stats = []
        status, answers, errors = self.serve(meanwhile=fill, MEMOMALLOC_STATS="stats")
        self.assertEqual((status, answers), (0, self.answers), errors)
        self.assertEqual(json.loads(stats[0])["program"], "x" * 64)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to start a program as another user")
    def test_nobody_cuts_the_page_off_by_accident(self):
        """Not even its own user, who has to take the right to write first."""
        refused = []

        def cut(process, folder):
            command = f"for page in {folder}/live/*.live; do : >$page; done"
            while process.poll() is None:
                if pages_in(folder):
                    done = subprocess.run(["sh", "-c", command], user=NOBODY, capture_output=True, text=True)
                    refused.append("Permission denied" in done.stderr)

        try:
            status, answers, errors = self.serve(user=NOBODY, meanwhile=cut)
        except PermissionError:
            self.skipTest(f"others may not run {PROGRAM}")
        if status == 127 or b"cannot be preloaded" in errors:
            self.skipTest(f"others may not read {LIBRARY}")
        self.assertEqual((status, answers), (0, self.answers), errors)
        self.assertTrue(any(refused))


class Strangers(EdgesCase):
    """The command looks at what other users' processes and files say of themselves."""

    def stranger(self, page):
        """A process that looks as if it had the library and a page, and has a name of no letters."""
        folder = self.place().folder
        (folder / "libmemomalloc.so").write_bytes(bytes(4096))
        process = subprocess.Popen([sys.executable, "-c", STRANGER, folder, page.hex()], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        return str(process.pid)

    def a_page(self):
        """Of a process that was served."""
        folder = self.place().folder
        (folder / "plan").write_bytes(self.plan)
        environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY, "MEMOMALLOC_MODE": "serve", "MEMOMALLOC_PLAN": str(folder / "plan"),
                       "MEMOMALLOC_LIVE": str(folder / "live")}
        subprocess.run([PROGRAM], env=environment, check=True, capture_output=True, timeout=PATIENCE)
        return max(pages_in(folder), key=lambda page: page.stat().st_size).read_bytes()

    def status(self, *arguments):
        done = subprocess.run([COMMAND, "status", "--interval", "10ms", *arguments], capture_output=True, timeout=PATIENCE)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(done.stderr, b"")
        return done.stdout

    def test_status_of_strangers(self):
        whole = self.a_page()
        kept = 32  # magic, version, size and what a release takes
        for page in (whole[:kept] + b"\xff" * (len(whole) - kept), whole[:kept] + (b"\x1b[2J" * len(whole))[:len(whole) - kept],
                     whole[:100], b"", random.Random(SEED).randbytes(len(whole))):
            with self.subTest(page=page[:64]):
                process = self.stranger(page)
                table = self.status(process)
                self.assertIn(process.encode(), table)
                self.assertNotIn(b"\x1b", table)
                self.assertEqual(len(json.loads(self.status("--json", process))["processes"]), 1)

    def test_statistics_that_a_stranger_wrote(self):
        stats = self.folder / "stats"
        draw = random.Random(SEED)
        environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY, "MEMOMALLOC_MODE": "serve", "MEMOMALLOC_STATS": str(stats),
                       "MEMOMALLOC_PLAN": str(self.recorded)}
        subprocess.run([PROGRAM], env=environment, check=True, capture_output=True, timeout=PATIENCE)
        whole = stats.read_bytes()
        for _ in range(30):
            stats.write_bytes(damaged_text(draw, whole))
            for arguments in (["inspect", "--json"], ["inspect", "--force", "--prometheus", self.folder / "metrics"]):
                with self.subTest(arguments=arguments[:2], stats=stats.read_bytes()):
                    done = subprocess.run([COMMAND, *arguments, stats], capture_output=True, timeout=PATIENCE)
                    self.assertIn(done.returncode, (0, 3), done.stderr)
                    self.assertNotIn(b"json.exception", done.stderr)
                    self.assertNotIn(b"\x1b", done.stdout + done.stderr)


STRANGER = """
import ctypes, mmap, os, sys
folder, page = sys.argv[1], bytes.fromhex(sys.argv[2])
path = os.path.join(folder, f"{os.getpid()}.1.live")
open(path, "wb").write(page or bytes(1))
kept = [mmap.mmap(os.open(name, os.O_RDWR), 0) for name in (os.path.join(folder, "libmemomalloc.so"), path)]
ctypes.CDLL(None).prctl(15, b"\\xff\\x1b[31mx")  # PR_SET_NAME
print("ready", flush=True)
sys.stdin.read()
"""


def damaged_text(draw, text):
    """Statistics in which some values are of another kind, or out of range."""
    try:
        statistics = json.loads(text)
    except ValueError:
        return text
    for key in draw.sample(sorted(statistics), min(3, len(statistics))):
        statistics[key] = draw.choice([None, -1, 1e308, 2**64 - 1, "text", "\x1b[2J\n", [], {}, {"a": {}}, True, [1, "x"]])
    whole = json.dumps(statistics).encode()
    return draw.choice([whole, whole, whole[:draw.randrange(len(whole))], whole.replace(b'"', b"\xff", 1)])


if __name__ == "__main__":
    unittest.main()
