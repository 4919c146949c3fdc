"""What a soak of engines finds: programs that answer numbers live long, end and are killed under `serve` and under `memomalloc run`. One that
is as it should be has neither wrong answers nor crashes, although it is killed again and again. One that answers wrongly, one that dies by
itself, and one that hangs are found, and so are plans that are not taken up, and a server that was asked nothing. The programs are
stand-ins that mark their passes; an engine is asked where one is installed."""

import contextlib
import importlib.machinery
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))

from harness import COMMAND  # noqa: E402, I001  (keeps serving from standing aside)

os.environ.setdefault("MEMOMALLOC_COMMAND", COMMAND)
from soaking import engines, exchanges, life, servers  # noqa: E402

SCRIPT = importlib.machinery.SourceFileLoader("soak", str(ROOT / "scripts/check/soak")).load_module()

STAND_IN = """
import os, sys
sys.path.append(sys.argv[1])
import memomalloc
fault, is_served = sys.argv[2], os.environ.get("MEMOMALLOC_MODE") in ("serve", "auto")
print(os.getpid(), flush=True)
for asked, line in enumerate(sys.stdin):
    with memomalloc.forward():
        blocks = [bytes(1000 + 64 * i + int(line)) for i in range(40)]
        answer = sum(map(len, blocks))
        del blocks
    if is_served and asked == 30 and fault == "dies":
        os.abort()
    if is_served and asked == 30 and fault == "hangs":
        sys.stdin.read()
    print(answer + (is_served and asked == 30 and fault == "lies"), flush=True)
"""


class Forgetful(engines.PlannedEngine):
    """Does not exchange the plans that it says it does."""

    def exchange_plan(self, number):
        if number == 0:
            super().exchange_plan(number)


class EngineSoaks(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "program.py").write_text(STAND_IN)

    def soak(self, way, fault, turns=6):
        """What comes of some turns."""
        program = (sys.executable, self.folder / "program.py", ROOT / "preload" / "python")
        server = way(engines.Engine(fault, program), self.folder / "served", self.folder, threading.Event(), self.folder / "cache")
        server.prepare()
        server.begin()
        with mock.patch.multiple(engines, SECONDS_OF_A_TURN=0.3, MOST_SECONDS_OF_A_START=0.05):
            for _ in range(turns):
                server.take_turn()
            server.finish()
        server.soaked.record.close()
        return server.soaked

    def test_plans_are_exchanged_and_processes_killed_and_nothing_is_wrong(self):
        soaked = self.soak(engines.PlannedEngine, "none")
        self.assertEqual(soaked.wrong, [])
        self.assertEqual((soaked.wrong_answers, soaked.crashes, soaked.restarts), (0, 0, 6))
        self.assertGreater(min(soaked.kills, soaked.swaps, soaked.passes, soaked.served, len(soaked.looks)), 0)

    def test_learning_is_killed_and_nothing_is_wrong(self):
        soaked = self.soak(engines.LearningEngine, "none")
        self.assertEqual(soaked.wrong, [])
        self.assertEqual((soaked.wrong_answers, soaked.crashes, soaked.restarts), (0, 0, 6))
        self.assertGreater(min(soaked.kills, soaked.served), 0)

    def test_a_wrong_answer_is_found(self):
        soaked = self.soak(engines.PlannedEngine, "lies", turns=1)
        self.assertGreater(soaked.wrong_answers, 0)
        self.assertIn("without MemoMalloc", soaked.wrong[0])

    def test_a_crash_is_found(self):
        soaked = self.soak(engines.PlannedEngine, "dies", turns=1)
        self.assertGreater(soaked.crashes, 0)
        self.assertIn("it died by itself: it ended with", soaked.wrong[0])

    def test_a_program_that_hangs_is_found(self):
        with mock.patch.object(life, "PATIENCE", 2):
            soaked = self.soak(engines.PlannedEngine, "hangs", turns=1)
        self.assertGreater(soaked.crashes, 0)
        self.assertIn("said nothing", soaked.wrong[0])

    def test_plans_that_are_not_taken_up_are_found(self):
        with mock.patch.object(exchanges, "SECONDS_TO_BE_SEEN", 0.1):
            soaked = self.soak(Forgetful, "none", turns=4)
        self.assertGreaterEqual(soaked.swaps, 3)
        self.assertEqual([what.split(",")[0] for what in soaked.wrong if "plans were" in what], ["1 plans were taken up"])

    def test_no_passes_are_counted_of_a_process_without_a_page(self):
        """A server that still loads its network has none yet."""
        with subprocess.Popen(["/bin/sleep", "60"]) as process:
            try:
                self.assertIsNone(servers.passes_until_now(process))
            finally:
                process.kill()

    def test_a_soak_that_is_interrupted_before_the_first_request_fails_and_says_so(self):
        interrupted = threading.Event()
        interrupted.set()
        every = engines.Engines(self.folder, self.folder, interrupted, ["onnxruntime"])
        every.prepare()
        for soaked in every.soak(60):
            self.assertEqual(soaked.passes, 0)
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertFalse(SCRIPT.judged(soaked))
            self.assertIn(f"soak: {soaked.name}: it answered nothing", said.getvalue())
            soaked.record.close()

    def test_an_engine(self):
        if not engines.is_installed("onnxruntime"):
            self.skipTest("there is no ONNX Runtime: scripts/setup-engines installs it")
        (self.folder / "cache").mkdir()
        every = engines.Engines(self.folder, self.folder, threading.Event(), ["onnxruntime"])
        every.prepare()
        for server in every.servers:
            server.begin()
            server.take_turn()
            server.finish()
            server.soaked.record.close()
            self.assertEqual(server.soaked.wrong, [], server.name)
            self.assertGreater(server.soaked.passes, 0, server.name)


if __name__ == "__main__":
    unittest.main()
