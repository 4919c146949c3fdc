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
        print(f"two shapes mixed: {statistics['served']} allocations served, {missed(statistics)} not")
        self.assertLessEqual(missed(statistics), 0.01 * statistics["served"], statistics)

    def test_traces_of_two_shapes_make_one_plan(self):
        first, _ = self.profile("--image", "32", shapes=BOTH[:1], name="first.trace")
        second, _ = self.profile("--image", "32", shapes=BOTH[1:], name="second.trace")
        _, report = self.plan(first, second)
        self.assertEqual(len(report["variants"]), 2)

    def test_a_shape_that_was_not_profiled_runs_on_the_heap(self):
        """Its passes have no key to tell them by: blocks that happen to fit are served, and all are accounted for."""
        trace, _ = self.profile("--image", "32")
        plan, _ = self.plan(trace)
        served, statistics, _ = self.serve(plan, "--image", "32", shapes=("4x32",))
        self.assertEqual(served, self.answers("--image", "32", shapes=("4x32",)))
        self.assertGreater(missed(statistics), 0)
        other, _ = self.profile("--image", "32", shapes=("4x32",), name="other.trace")
        _, report = self.plan(other, name="other.plan")
        allocations = report["variants"][0]["buffers"] + report["variants"][0]["unplanned"]
        print(f"a shape that was not profiled: {statistics['served']} served, {missed(statistics)} not")
        self.assertEqual(statistics["served"] + missed(statistics), statistics["passes"] * allocations)
        done = self.run_command("check", "--json", plan, trace)
        self.assertEqual(json.loads(done.stdout)["traces"][0]["fallback"].get("too_big", 0), 0)
