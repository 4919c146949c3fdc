"""Libraries that come and go in several threads while passes run in them.

hostile/loading_threads.c says what it does. Failure: it crashes, computes something else, or runs passes that the library
has not seen. GUEST_LOADS is the number of times that each of its four threads loads.
"""

import json
import os
import pathlib
import subprocess
import unittest

from guest import lines_of_ours, program, run
from planned import COMMAND, Planned

LOADS = int(os.environ.get("GUEST_LOADS", "300"))
PASSES = ("--pass-symbol", "loading_forward")


class Loading(Planned):
    def setUp(self):
        super().setUp()
        found = sorted(map(str, pathlib.Path(program("loading")).glob("*loading_plugin*.so")))
        self.plugins = [plugin for plugin in found if plugin.endswith("_1.so")]
        self.of_two_models = found
        self.assertEqual((len(self.plugins), len(found)), (3, 6))

    def command(self, *arguments):
        return super().command(*arguments, timeout=600).stdout

    def program(self, binding, loads=LOADS, plugins=None):
        return [program("loading_threads"), str(loads), binding, *(plugins or self.plugins)]

    def passes_in(self, trace):
        return len(json.loads(self.command("inspect", "--json", trace))["passes"])

    def serve(self, binding, plugins=None, **variables):
        stats = self.folder / "stats.json"
        result = run(self.program(binding, plugins=plugins), HOSTILE_INJECTED="1", MEMOMALLOC_PASS_SYMBOLS="loading_forward",
                     MEMOMALLOC_STATS=str(stats), **variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(stats.read_text()), int(result.stdout), result.stderr

    def test_without_the_library_the_program_computes_what_it_expects(self):
        for binding in ("lazy", "now"):
            done = subprocess.run(self.program(binding, 10, self.of_two_models), capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "80\n", ""))

    def test_no_pass_is_missed_while_a_plan_serves(self):
        trace, plan = self.folder / "trace", self.folder / "plan"
        self.command("profile", "--force", *PASSES, "-o", trace, "--", *self.program("now", 3))
        self.command("plan", "--force", "-o", plan, trace)
        for binding in ("lazy", "now"):
            with self.subTest(binding):
                statistics, passes, words = self.serve(binding, MEMOMALLOC_MODE="serve", MEMOMALLOC_PLAN=str(plan))
                self.assertEqual(statistics["passes"], passes, words)
                self.assertGreater(statistics["served"], 0)
                self.assertEqual(lines_of_ours(words), [])

    def test_of_two_functions_of_one_name_each_plugin_gets_its_own(self):
        """Which of them, only the loader knows, and it knows when the first call is on its way: a pass may be missed then."""
        for binding in ("lazy", "now"):
            with self.subTest(binding):
                statistics, passes, words = self.serve(binding, self.of_two_models, MEMOMALLOC_MODE="serve")
                self.assertLessEqual(statistics["passes"], passes, words)
                self.assertGreater(statistics["passes"], 0)

    def test_no_pass_is_missed_by_the_recorder(self):
        for binding in ("lazy", "now"):
            with self.subTest(binding):
                trace = self.folder / binding
                self.command("profile", "--force", *PASSES, "-o", trace, "--", *self.program(binding, LOADS // 4))
                self.assertEqual(self.passes_in(trace), LOADS // 4 * 8)

    def test_a_program_that_learns_while_libraries_come_and_go_is_unharmed(self):
        for binding in ("lazy", "now"):
            with self.subTest(binding):
                self.serve(binding, MEMOMALLOC_MODE="auto", MEMOMALLOC_PLAN=str(self.folder / "learned"),
                           MEMOMALLOC_PLANNER=COMMAND)


if __name__ == "__main__":
    unittest.main()
