"""Shapes that were profiled are served from their own variants, request by request; shapes that were not run on the heap,
correct and counted."""

import json

from harness import PassesCase, missed

BOTH = ("1x32", "2x32")


class Shapes(PassesCase):
    def test_two_profiled_shapes_are_both_served(self):
        trace, checksums = self.profile("--image", "32", shapes=BOTH, requests=16)
        plan, report = self.plan(trace)
        self.assertEqual(len(report["variants"]), 2)
        served, statistics, _ = self.serve(plan, "--image", "32", shapes=BOTH, requests=16)
        self.assertEqual(served, checksums)
        self.assertLessEqual(missed(statistics), 0.01 * statistics["served"], statistics)

    def test_traces_of_two_shapes_make_one_plan(self):
        first, _ = self.profile("--image", "32", shapes=BOTH[:1], name="first.trace")
        second, _ = self.profile("--image", "32", shapes=BOTH[1:], name="second.trace")
        _, report = self.plan(first, second)
        self.assertEqual(len(report["variants"]), 2)

    def test_a_shape_that_was_not_profiled_runs_on_the_heap(self):
        trace, _ = self.profile("--image", "32")
        plan, _ = self.plan(trace)
        served, statistics, _ = self.serve(plan, "--image", "32", shapes=("4x32",))
        self.assertEqual(served, self.answers("--image", "32", shapes=("4x32",)))
        self.assertGreater(missed(statistics), 0)
        done = self.run_command("check", "--json", plan, trace)
        self.assertEqual(json.loads(done.stdout)["traces"][0]["fallback"].get("too_big", 0), 0)
