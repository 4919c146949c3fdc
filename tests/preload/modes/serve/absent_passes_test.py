"""A plan whose passes never begin: the program has changed, or the plan is another program's.

Nothing is served then, and nothing that happens once for each pass happens. A failure means that a better plan is not
taken up while the program runs, or that nobody is told.
"""

import json
import unittest

from guest import program, run
from planned import Planned

PROGRAM = program("served_other_anchors")


class AbsentPasses(Planned):
    def plan(self, what, passes_by=("--passes-by", "period")):
        trace, plan = self.folder / f"{what}.trace", self.folder / f"{what}.plan"
        self.command("profile", *passes_by, "-o", trace, "--", PROGRAM, what)
        self.command("plan", *passes_by, "-o", plan, trace)
        return str(plan)

    def serve(self, plan, *words):
        stats = self.folder / "stats.json"
        done = run([PROGRAM, *words], HOSTILE_INJECTED="1", MEMOMALLOC_MODE="serve", MEMOMALLOC_PLAN=plan,
                   MEMOMALLOC_STATS=str(stats))
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(stats.read_text()), done.stderr.splitlines()

    def test_a_plan_that_fits_is_taken_up_where_no_pass_ever_begins(self):
        one, two = self.plan("one"), self.plan("two")
        statistics, lines = self.serve(one, "replace", one, two)
        self.assertEqual((statistics["plans_loaded"], statistics["state"], lines), (2, "serving", []))

    def test_such_a_plan_takes_the_place_of_one_of_marked_passes_that_never_begin(self):
        """No allocation waits for an anchor of the first plan: what looks is the heap, now and then."""
        marked, two = self.plan("marked", passes_by=()), self.plan("two")
        statistics, lines = self.serve(marked, "replace", marked, two)
        self.assertEqual((statistics["plans_loaded"], statistics["state"], lines), (2, "serving", []))

    def test_that_no_pass_begins_is_said_once_and_stands_in_the_statistics(self):
        statistics, lines = self.serve(self.plan("one"), "never")
        self.assertEqual((statistics["passes"], statistics["served"], statistics["state"]), (0, 0, "awaiting passes"))
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("no pass of the plan has begun", lines[0])

    def test_a_shorter_program_says_it_at_its_end(self):
        statistics, lines = self.serve(self.plan("one"), "some")
        self.assertEqual((statistics["passes"], statistics["state"], len(lines)), (0, "awaiting passes", 1), lines)

    def test_a_wrapper_says_nothing(self):
        done = run([PROGRAM, "one"], HOSTILE_INJECTED="1", MEMOMALLOC_MODE="serve", MEMOMALLOC_PLAN=self.plan("two"),
                   MEMOMALLOC_STATS=str(self.folder / "stats.json"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertFalse((self.folder / "stats.json").exists())

    def test_one_whose_passes_begin_serves_and_says_nothing(self):
        statistics, lines = self.serve(self.plan("two"), "never")
        self.assertEqual((statistics["state"], lines), ("serving", []))
        self.assertGreater(statistics["served"], 1_000_000)


if __name__ == "__main__":
    unittest.main()
