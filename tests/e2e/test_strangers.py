"""A plan belongs to the program that was started. What that program starts by another name is not learned in its place: it writes no
trace, makes no plan, and serves from none. Marked passes win over those that are found by their period, and a plan of another
program keeps no program from being learned. A failure is a trace, a plan or a pass of the wrong program."""

import json
import os
import pathlib
import shutil
import sys
import unittest

from harness import COMMAND, AskedProgram, PassesCase, share, wait_until

STARTER = os.environ["MEMO_STARTER"]
UNMARKED = os.environ["MEMO_UNMARKED"]
SPAWNING = pathlib.Path(__file__).parent / "programs" / "spawning.py"
PERIODIC = f"{UNMARKED} 60000"  # requests that are all alike, and more allocations than a shell makes


class Strangers(PassesCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache" / "memomalloc"
        self.stats = self.folder / "stats.json"
        with AskedProgram(STARTER) as program:
            self.expected = {words: program.ask(words) for words in ("pass 40", "request 2000")}

    def run_program(self, *command, options=()):
        prefix = (COMMAND, "run", "--stats", str(self.stats), *options, "--")
        return AskedProgram(*command, prefix=prefix, environment={"XDG_CACHE_HOME": str(self.folder / "cache")})

    def ask(self, program, words):
        self.assertEqual(program.ask(words), self.expected[words])

    def ask_until(self, program, words, said):
        wait_until(lambda: said in program.stderr(), program.stderr, lambda: self.ask(program, words))

    def start_another(self, program, command=PERIODIC):
        self.assertRegex(program.ask(f"start exec {command}"), r"^[0-9a-f]{16}$")

    def traces(self):
        return [path.name for path in self.cache.glob("memomalloc.run*/*.trace*")]

    def plan(self):
        (plan,) = self.cache.glob("*.plan")
        return plan

    def binaries_of_plan(self):
        return self.run_command("inspect", self.plan()).stdout

    def serve_once(self, *command):
        with self.run_program(*command) as program:
            for _ in range(3):
                self.ask(program, "pass 40")
            self.assertEqual(program.end(), 0, program.stderr())
        return json.loads(self.stats.read_text())

    def assert_marked_passes_are_served(self, *command):
        statistics = self.serve_once(*command)
        self.assertEqual((statistics["passes"], statistics["recordings"]), (120, 0), statistics)
        self.assertGreater(share(statistics), 0.9, statistics)

    def test_a_child_by_another_name_is_not_learned(self):
        with self.run_program(STARTER) as program:
            self.start_another(program)
            self.start_another(program)
            self.assertEqual(self.traces(), [])
            self.ask_until(program, "pass 40", "planned; serving")
            self.start_another(program)
            self.assertEqual([name for name in self.traces() if not name.startswith("starter.")], [])
            self.assertEqual(program.end(), 0, program.stderr())
            self.assertIn(f"learning the passes of {STARTER}", program.stderr())
        self.assertNotIn("unmarked", self.binaries_of_plan())
        self.assert_marked_passes_are_served(STARTER)

    def learn_as_one_of(self, name):
        """A plan of the program `unmarked` in the place of the starter's, as somebody may have left it."""
        with self.run_program(UNMARKED, "60000", options=("--finish", "60s")) as program:
            program.process.stdout.read()
        foreign = self.plan()
        for kind in (".plan", ".json", ".traces"):
            foreign.with_suffix(kind).rename(name.with_suffix(kind))

    def lay_plan_of_another(self):
        with self.run_program(STARTER) as program:
            self.ask_until(program, "pass 40", "planned; serving")
        name = self.plan()
        shutil.rmtree(self.cache)
        self.learn_as_one_of(name)
        self.assertIn("unmarked", self.binaries_of_plan())

    def test_a_plan_of_another_program_does_not_keep_passes_from_being_found_by_their_period(self):
        self.lay_plan_of_another()
        with self.run_program(STARTER) as program:
            self.ask_until(program, "request 2000", "planned anew; serving")
            self.assertEqual(program.end(), 0, program.stderr())
        with self.run_program(STARTER) as program:
            for _ in range(3):
                self.ask(program, "request 2000")
            self.assertEqual(program.end(), 0, program.stderr())
        statistics = json.loads(self.stats.read_text())
        self.assertGreater(statistics["served"], 3 * 1900 * 40, statistics)

    def test_a_plan_of_another_program_is_recovered_from_in_one_start(self):
        self.lay_plan_of_another()
        with self.run_program(STARTER) as program:
            self.ask_until(program, "pass 40", "planned anew; serving")
            self.assertEqual(program.end(), 0, program.stderr())
        self.assertNotIn("unmarked", self.binaries_of_plan())
        self.assert_marked_passes_are_served(STARTER)

    def test_marked_passes_win_over_those_found_by_their_period(self):
        with self.run_program(STARTER) as program:
            self.ask_until(program, "request 2000", "planned; serving")
            self.ask_until(program, "pass 40", "planned anew; serving")
            self.assertEqual(program.end(), 0, program.stderr())
        self.assert_marked_passes_are_served(STARTER)

    def script(self, text):
        path = self.folder / "start.sh"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    def test_a_script_that_starts_the_program_is_looked_through(self):
        """Whatever else it starts: only the program marks passes."""
        script = self.script(f"{PERIODIC} > /dev/null\n{STARTER}\nexit $?")
        with self.run_program(script) as program:
            self.ask_until(program, "pass 40", "planned; serving")
            self.assertEqual(program.end(), 0, program.stderr())
        self.assertNotIn("unmarked", self.binaries_of_plan())
        self.assert_marked_passes_are_served(script)

    def test_a_wrapper_that_starts_the_program_as_a_child(self):
        """By its period: it is named on the command line."""
        for wrapper in (("sh", "-c", f"{STARTER}; exit $?"), ("env", "sh", "-c", '"$@"; exit $?', "sh", STARTER)):
            with self.subTest(wrapper=wrapper):
                with self.run_program(*wrapper) as program:
                    self.ask_until(program, "request 2000", "planned; serving")
                    self.assertEqual(program.end(), 0, program.stderr())
                self.plan().unlink()

    def test_passes_of_another_program_do_not_count_where_the_program_marks_its_own(self):
        other = self.folder / "other"
        shutil.copy2(STARTER, other)
        with self.run_program(STARTER) as program:
            self.ask(program, "pass 40")
            self.assertEqual(program.ask(f"start printf 'pass 40\\npass 40\\n' | exec {other}"), self.expected["pass 40"])
            self.assertEqual([name for name in self.traces() if name.startswith("other.")], [])
            self.assertEqual(program.end(), 0, program.stderr())

    def test_spawned_workers_of_the_same_script_are_one_program(self):
        def state(program):
            return json.loads(program.ask(4))["state"]
        with self.run_program(sys.executable, str(SPAWNING)) as program:
            wait_until(lambda: state(program) == "serving", program.stderr)
            self.assertEqual(program.end(), 0, program.stderr())
            self.assertIn(f"learning the passes of {sys.executable} {SPAWNING}", program.stderr())
        with self.run_program(sys.executable, str(SPAWNING)) as program:
            statistics = json.loads(program.ask(40))
            self.assertEqual((statistics["state"], statistics["recordings"]), ("serving", 0), statistics)
            self.assertGreater(share(statistics), 0.9, statistics)


if __name__ == "__main__":
    unittest.main()
