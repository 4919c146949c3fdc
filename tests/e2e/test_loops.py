"""A pass that repeats a part of itself, profiled with 20 and 50 iterations, is served with any number of them: from one
plan, with the same answers."""

import json
import os
import subprocess

from harness import PassesCase, missed, share

GENERATOR = os.environ["MEMO_GENERATOR"]
PROFILED = ("20", "50")
SERVED = [str(steps) for steps in (5, 200, 6, 7, 199, 50, 20, 21, 113, 64, 8, 150, 5)]


class Loops(PassesCase):
    def generate(self, *arguments):
        return subprocess.run([GENERATOR, *arguments], capture_output=True, text=True, check=True).stdout

    def plan_for(self, *options):
        trace, plan = self.folder / "generator.trace", self.folder / "generator.plan"
        options = [str(option) for option in options]
        done = self.run_command("profile", "--force", "-o", trace, "--", GENERATOR, *options, *PROFILED)
        self.assertEqual(done.stdout, self.generate(*options, *PROFILED))
        report = json.loads(self.run_command("plan", "--force", "--json", "-o", plan, trace).stdout)
        return trace, plan, report

    def served(self, plan, *arguments):
        return self.served_program(plan, GENERATOR, *arguments)

    def test_any_number_of_iterations_is_served_from_one_variant(self):
        trace, plan, report = self.plan_for()
        self.assertEqual(len(report["variants"]), 1)
        self.assertEqual([loop["lengths"] for loop in report["variants"][0]["loops"]], [[20, 50]])
        for steps in SERVED:
            statistics = self.served(plan, steps)
            self.assertGreaterEqual(share(statistics), 0.95, (steps, statistics))
        statistics = self.served(plan, *SERVED)
        print(f"a recurrent network, profiled with 20 and 50 steps: {statistics['served']} of its allocations in passes "
              f"of 5 to 200 served, {missed(statistics)} not")
        self.assertGreaterEqual(share(statistics), 0.95, statistics)
        checked = json.loads(self.run_command("check", "--json", plan, trace).stdout)["traces"][0]
        self.assertEqual(checked["fallback"].get("too_big", 0), 0)
        self.assertGreaterEqual(checked["served"], 0.95 * (checked["served"] + sum(checked["fallback"].values())))
        inspected = json.loads(self.run_command("inspect", "--json", plan).stdout)
        self.assertEqual(len(inspected["variants"][0]["loops"]), 1)

    def test_states_of_many_steps_ago_are_served(self):
        """The state lives on until the one that takes its turn is made: so the plan has a place more than the steps between."""
        for back in (5, 8, 12):
            _, plan, report = self.plan_for("--back", back)
            self.assertEqual([loop["period"] for loop in report["variants"][0]["loops"]], [back + 1])
            self.assertEqual(report["variants"][0]["unplanned"], 0)
            statistics = self.served(plan, "--back", str(back), *SERVED)
            print(f"which looks back {back} steps: {share(statistics):.2%} of its allocations served")
            self.assertGreaterEqual(share(statistics), 0.95, statistics)

    def test_buffers_that_grow_are_served_beyond_what_was_seen(self):
        """One cache takes no more in the slab than on the heap. A pass that outgrows it goes to the heap with what is too
        large; the ones behind it have room for the same and more."""
        _, plan, report = self.plan_for("--cache")
        self.assertEqual(len(report["variants"]), 1)
        growing = report["variants"][0]["loops"][0]["growing"]
        self.assertEqual((growing["slots"], growing["handed_on"], growing["kept_in"]), (2, 1, "slab"))
        self.assertLessEqual(growing["slab_bytes"], growing["heap_bytes"])
        self.assertIn("2 grow with each, 0 of these in cells that they share, 0 on the heap", self.run_command("inspect", plan).stdout)
        once = self.served(plan, "--cache", "5", "50", "33", "200")
        again = self.served(plan, "--cache", "5", "50", "33", "200", *SERVED)
        self.assertGreater(once["fallback"]["too_big"], 100, once)
        self.assertGreater(again["plans_grown"], 0)
        later = missed(again) - missed(once)
        share_later = 1 - later / (again["served"] + missed(again) - once["served"] - missed(once))
        print(f"with a cache that grows: {once['fallback']['too_big']} too large in the first pass of 200, {later} in "
              f"{len(SERVED)} later ones not served, {share_later:.2%} served")
        self.assertEqual(again["fallback"]["too_big"], once["fallback"]["too_big"], again)
        self.assertGreaterEqual(share_later, 0.99)
