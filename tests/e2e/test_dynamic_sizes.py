"""Blocks whose sizes follow from nothing that is known before, as the boxes that a detector finds: planned in one layout with the blocks
that are always alike, and served for images that the profile did not have."""

import json
import os

from harness import PassesCase, share

DETECTOR = os.environ["MEMO_DETECTOR"]
PROFILED = ("1", "150")
SERVED = ("2", "20", "3", "300")  # seed and passes


def share_of_bytes(statistics):
    return statistics["served_bytes"] / (statistics["served_bytes"] + statistics["fallback_bytes"])


class DynamicSizes(PassesCase):
    def test_boxes_of_images_that_were_not_profiled_are_served(self):
        trace, plan = self.folder / "detector.trace", self.folder / "detector.plan"
        self.run_command("profile", "-o", trace, "--", DETECTOR, *PROFILED)
        report = json.loads(self.run_command("plan", "--json", "-o", plan, trace).stdout)
        self.assertEqual(len(report["variants"]), 1)
        self.assertGreaterEqual(report["variants"][0]["shapes"], 140)
        for passes in (SERVED[:2], SERVED):
            statistics = self.served_program(plan, DETECTOR, *passes)
            print(f"a detector, {statistics['passes']} passes: {share(statistics):.2%} of its allocations and "
                  f"{share_of_bytes(statistics):.2%} of their bytes served, {statistics['plans_grown']} growths")
            self.assertGreaterEqual(share(statistics), 0.98, statistics)
            self.assertGreaterEqual(share_of_bytes(statistics), 0.98, statistics)
