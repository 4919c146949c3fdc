"""Descriptors are the program's: whatever it does to them, no byte of its files is the library's, and no file of its is closed.

The program (hostile/descriptors.c) closes, moves and overlays every number there is, opens files of its own, which get those
numbers, and goes on with its passes in each mode; it checks each of its bytes. So does a server in Python
(hostile/closing_script.py) with a database. Failure: a byte or a descriptor of theirs that is not as they left it, a trace that
is not whole although its path led to it all the time, or anything said but the one line that a trace ends.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

from guest import LIBRARY, lines_of_ours, program
from planned import COMMAND, emulated, folder_of_class, plan_of_trace

SCRIPT = pathlib.Path(__file__).parent / "hostile" / "closing_script.py"

NUMBERS = 300
WAYS = ["nothing", "closefrom", "closeall", "close_range", "unshare", "each", "overlay", "overlay_most", "move", "unlink", "chdir",
        "stderr", "vfork", *(f"{call}{files}" for call in ("fork", "_Fork", "clone", "clone3") for files in ("", "_overlaid"))]
# Nothing leads to the trace any more, or no number is left to open it by.
LOST = {"overlay", "unlink", "stderr"}

PROFILE = {"MEMOMALLOC_MODE": "profile", "MEMOMALLOC_TRACE": "{folder}/trace"}
NEWEST = {**PROFILE, "MEMOMALLOC_KEEP": "newest", "MEMOMALLOC_TRACE_LIMIT": "4"}
RELATIVE = {**PROFILE, "MEMOMALLOC_TRACE": "trace", "MEMOMALLOC_FOLLOW": "1", "MEMOMALLOC_RECORD": "all"}
SERVE = {"MEMOMALLOC_MODE": "serve", "MEMOMALLOC_PLAN": "{plan}", "MEMOMALLOC_STATS": "{folder}/stats",
         "MEMOMALLOC_STATS_EVERY": "1"}
LOGGED = {**SERVE, "MEMOMALLOC_LOG": "{folder}/log"}
AUTO = {"MEMOMALLOC_MODE": "auto", "MEMOMALLOC_PLANNER": COMMAND, "TMPDIR": "{folder}", "XDG_CACHE_HOME": "{folder}",
        "MEMOMALLOC_STATS": "{folder}/stats", "MEMOMALLOC_LOG": "{folder}/log"}


def limit_numbers():
    resource.setrlimit(resource.RLIMIT_NOFILE, (NUMBERS, NUMBERS))


class Descriptors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = folder_of_class(cls, "descriptors")

    def folder(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.root))

    def run_program(self, command, folder, variables, plan=None):
        """What it did in a folder of its own."""
        filled = {name: value.format(folder=folder, plan=plan) for name, value in variables.items()}
        environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": LIBRARY, "HOSTILE_INJECTED": "1", **filled}
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=60,
                              preexec_fn=limit_numbers)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertEqual(lines_of_ours(done.stderr), done.stderr.splitlines())
        return done

    def run_way(self, way, variables, plan=None):
        folder = self.folder()
        done = self.run_program([program("descriptors"), way, str(folder)], folder, variables, plan)
        return folder, done.stderr.splitlines()

    def command(self, *arguments):
        done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def assert_whole(self, folder, plan=None):
        """The trace has its end and each pass that the program made, unless newer ones took the place of older ones, and is as
        good as any to check a plan by."""
        trace = json.loads(self.command("inspect", "--json", folder / "trace"))
        made = int((folder / "passes").read_text())
        self.assertIn(len(trace["passes"]), range(1, made) if trace["overwritten"] else [made])
        self.assertTrue(trace["ended"])
        if plan is not None:
            self.command("check", plan, folder / "trace")

    def test_the_program_without_the_library(self):
        for way in WAYS:
            folder = self.folder()
            subprocess.run([program("descriptors"), way, folder], check=True, timeout=60, preexec_fn=limit_numbers)

    def test_profiled(self):
        folder, _ = self.run_way("nothing", PROFILE)
        plan = plan_of_trace(folder / "trace")
        for variables in (PROFILE, NEWEST, RELATIVE):
            for way in WAYS:
                with self.subTest(way=way, **variables):
                    folder, lines = self.run_way(way, variables)
                    if way not in LOST:
                        self.assertEqual(lines, [])
                        self.assert_whole(folder, plan)

    def test_a_trace_out_of_reach_ends_with_one_line(self):
        for way in ("overlay", "unlink"):
            for variables in (PROFILE, NEWEST):
                with self.subTest(way=way, **variables):
                    _, lines = self.run_way(way, variables)
                    self.assertEqual(len(lines), 1, lines)
                    self.assertIn("the trace ends here: the program closed its file", lines[0])

    def test_served(self):
        folder, _ = self.run_way("nothing", PROFILE)
        plan = plan_of_trace(folder / "trace")
        for variables in (SERVE, LOGGED):
            for way in WAYS:
                with self.subTest(way=way, **variables):
                    folder, _ = self.run_way(way, variables, plan)
                    figures = json.loads((folder / "stats").read_text())
                    self.assertEqual(figures["passes"], int((folder / "passes").read_text()))
                    self.assertGreater(figures["served"], 0)

    def test_every_line_of_the_log_is_in_the_log(self):
        """And in none of the files that got the number of stderr: those the program checks itself."""
        folder, _ = self.run_way("nothing", PROFILE)
        plan = plan_of_trace(folder / "trace")
        for way in ("closefrom", "closeall", "stderr"):
            folder, lines = self.run_way(way, LOGGED, plan)
            self.assertEqual(lines, [])
            self.assertEqual((folder / "log").read_text().count("/nonexistent/plan"), 6)

    def test_a_path_that_names_a_descriptor(self):
        """/dev/stderr leads to whatever has that number: no file of the program's is written to, or cut, through it."""
        folder, _ = self.run_way("nothing", PROFILE)
        plan = plan_of_trace(folder / "trace")
        for way, variable, name in (("closeall", "MEMOMALLOC_LOG", "/dev/stderr"), ("stderr", "MEMOMALLOC_LOG", "/proc/self/fd/2"),
                                    ("closeall", "MEMOMALLOC_STATS", "/dev/fd/1"), ("stderr", "MEMOMALLOC_STATS", "/dev/stderr")):
            with self.subTest(way=way, **{variable: name}):
                self.run_way(way, {**SERVE, variable: name}, plan)

    @unittest.skipIf(emulated, "it starts a program of this machine's under the library of the other")
    def test_learned(self):
        for way in WAYS:
            with self.subTest(way=way):
                folder, _ = self.run_way(way, AUTO)
                self.assertIn("recording to", (folder / "log").read_text())

    @unittest.skipIf(emulated, "it starts a program of this machine's under the library of the other")
    def test_under_run(self):
        for way in ("closefrom", "each", "overlay_most", "fork_overlaid", "clone3_overlaid"):
            with self.subTest(way=way):
                folder = self.folder()
                environment = {**os.environ, "HOSTILE_INJECTED": "1", "TMPDIR": str(folder)}
                done = subprocess.run([COMMAND, "run", "--no-cache", "--", program("descriptors"), way, folder], env=environment,
                                      capture_output=True, text=True, timeout=60, preexec_fn=limit_numbers)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue((folder / "passes").exists())

    def run_script(self, variables, plan=None, limit=256, words=()):
        folder = self.folder()
        lines = self.run_program([sys.executable, str(SCRIPT), str(folder), str(limit), *words], folder,
                                 {"PYTHONMALLOC": "malloc", **variables}, plan)
        self.assertEqual(lines.stderr, "")
        return folder

    @unittest.skipIf(emulated, "Python is this machine's")
    def test_a_server_in_python_keeps_its_database(self):
        folder = self.run_script(PROFILE)
        plan = plan_of_trace(folder / "trace")
        for limit in (256, NUMBERS):
            with self.subTest(limit=limit):
                self.run_script({}, limit=limit)
                for variables in (PROFILE, NEWEST, RELATIVE):
                    self.assert_whole(self.run_script(variables, limit=limit))
                for variables in (SERVE, LOGGED):
                    folder = self.run_script(variables, plan, limit=limit)
                    self.assertGreater(json.loads((folder / "stats").read_text())["served"], 0)

    @unittest.skipIf(emulated, "Python is this machine's")
    def test_a_server_in_python_that_is_learned_keeps_its_database(self):
        folder = self.run_script(AUTO, words=["until_served"])
        self.assertGreater(json.loads((folder / "stats").read_text())["served"], 0)

    def run_under_run(self, cache, *words):
        """(statistics, lines) of a start of the script under `memomalloc run`."""
        folder = self.folder()
        environment = {**os.environ, "HOSTILE_INJECTED": "1", "TMPDIR": str(folder), "XDG_CACHE_HOME": str(cache),
                       "PYTHONMALLOC": "malloc"}
        done = subprocess.run([COMMAND, "run", "--stats", folder / "stats", "--", sys.executable, SCRIPT, folder, "256", *words],
                              env=environment, capture_output=True, text=True, timeout=110, preexec_fn=limit_numbers)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((folder / "stats").read_text()), done.stderr

    @unittest.skipIf(emulated, "it starts a program of this machine's under the library of the other")
    def test_a_server_in_python_under_run_keeps_its_database_twice(self):
        """The second start is served from the plan of the first, from its first passes on."""
        cache = self.folder()
        (learned, _), (served, lines) = (self.run_under_run(cache, "until_served") for _ in range(2))
        self.assertGreater(learned["recordings"], 0)
        self.assertEqual(served["recordings"], 0, lines)
        self.assertGreater(served["served"], 0, lines)


if __name__ == "__main__":
    unittest.main()
