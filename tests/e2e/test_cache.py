"""Whose plan is whose: a program finds its plan whatever changes from one start to the next, and never that of another
program. A Python program in two folders is two programs."""

import json
import os
import subprocess
import sys
import unittest
import uuid

from harness import BUILD, COMMAND, PassesCase, RunningProgram, wait_until

# Makes passes until its input ends. Each allocates the same.
PROGRAM = """
import ctypes, select, sys
library = ctypes.CDLL(None)
library.memo_pass_begin.argtypes = [ctypes.c_uint64]
while not select.select([sys.stdin], [], [], 0.002)[0]:
    library.memo_pass_begin(1)
    blocks = [bytearray(4096 * size) for size in range(1, 9)]
    del blocks
    library.memo_pass_end()
"""


class Program(RunningProgram):
    """`python3 app.py` in a folder, until the end of the `with`."""

    def __init__(self, folder, *arguments, prefix=(), environment=None):
        super().__init__([*prefix, sys.executable, "app.py", *arguments], environment, cwd=folder, stdin=subprocess.PIPE)


class Cache(PassesCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache" / "memomalloc"
        for name in ("one", "two", "tmp"):
            (self.folder / name).mkdir()
        for name in ("one", "two"):
            (self.folder / name / "app.py").write_text(PROGRAM)
        self.environment = {"XDG_CACHE_HOME": str(self.folder / "cache"), "TMPDIR": str(self.folder / "tmp")}

    def start(self, name, *arguments, **variables):
        return Program(self.folder / name, *arguments, prefix=(COMMAND, "run", "--"), environment={**self.environment, **variables})

    def arguments(self, port):
        """What is another at every start."""
        made = self.folder / "tmp" / f"{port}.json"
        made.write_text("{}")
        return ("--port", str(port), f"--bind=0.0.0.0:{port}", "--run-id", str(uuid.uuid4()), "--out", str(made), "--log",
                str(self.folder / "tmp" / f"{port}.log"))

    def wait_for(self, words, said):
        wait_until(lambda: words in said(), said)

    def learn(self, name, *arguments):
        with self.start(name, *arguments) as program:
            self.wait_for("planned; serving", program.stderr)
            self.assertIn("learning the passes", program.stderr())

    def assert_served_from_the_start(self, name, *arguments):
        with self.start(name, *arguments) as program:
            self.wait_for("serving from", program.stderr)
            self.assertNotIn("learning", program.stderr())

    def plans(self):
        return {path.name for path in self.cache.glob("*.plan")}

    def test_a_program_finds_its_plan_and_no_other(self):
        self.learn("one", *self.arguments(8080))
        (first,) = self.plans()
        self.assertRegex(first, r"^python[0-9.]*-app\.py\.[0-9a-f]{16}\.plan$")
        self.assert_served_from_the_start("one", *self.arguments(9090))
        self.assertEqual(self.plans(), {first})
        self.learn("two", *self.arguments(8080))
        self.assertEqual(len(self.plans()), 2)
        self.learn("one", *self.arguments(8080), "--model", "resnet")
        self.assertEqual(len(self.plans()), 3)

    def alone(self, name, *arguments):
        """With the library in it and nobody beside it."""
        self.log = self.folder / "log"
        return Program(self.folder / name, *arguments, environment={
            **self.environment, "LD_PRELOAD": str(BUILD / "lib" / "libmemomalloc.so"), "MEMOMALLOC_MODE": "auto",
            "MEMOMALLOC_LOG": str(self.log)})

    def logged(self):
        return self.log.read_text() if self.log.exists() else ""

    def test_by_environment_alone_it_finds_the_same_plan(self):
        self.learn("one", *self.arguments(8080))
        with self.alone("one", *self.arguments(9090)):
            self.wait_for("auto: serving from", self.logged)
        self.assertNotIn("the planner ", self.logged())
        self.assertEqual(len(self.plans()), 1)

    def test_what_is_learned_by_environment_alone_serves_the_command(self):
        with self.alone("two", *self.arguments(8080)):
            self.wait_for("auto: serving from", self.logged)
        self.assertIn("the planner ", self.logged())
        self.assert_served_from_the_start("two", *self.arguments(9090))
        (name,) = self.plans()
        shown = json.loads(self.cache_command("show", "--json", name))
        self.assertEqual(shown["command"][1:4], ["app.py", "--port", "8080"])
        self.assertEqual(shown["folder"], str((self.folder / "two").resolve()))

    def cache_command(self, *arguments):
        done = subprocess.run([COMMAND, "cache", *arguments], env={**os.environ, **self.environment}, capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_start_is_noted_as_the_last_use(self):
        self.learn("one")
        (name,) = self.plans()
        record = (self.cache / name).with_suffix(".json")
        os.utime(record, (1_000_000_000, 1_000_000_000))
        self.assert_served_from_the_start("one")
        self.assertGreater(record.stat().st_mtime, 1_500_000_000)
        self.assertGreater(json.loads(self.cache_command("show", "--json", name))["used"], "2015")

    def test_the_learner_keeps_to_the_limit(self):
        self.cache_command("limit", "0")
        self.learn("one")
        (name,) = self.plans()
        self.wait_for("[]", lambda: str(list((self.cache / name).with_suffix(".traces").glob("*"))))
        self.assertEqual(json.loads(self.cache_command("list", "--json"))["trace_bytes"], 0)


if __name__ == "__main__":
    unittest.main()
