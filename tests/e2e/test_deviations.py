"""Programs that stray from the plan get right answers, and most of the plan still serves."""

from harness import SMALL, PassesCase, missed, share


class Deviations(PassesCase):
    def test_branches_in_the_other_order_are_still_served(self):
        trace, checksums = self.profile("--image", "64")
        plan, _ = self.plan(trace)
        served, statistics, _ = self.serve(plan, "--image", "64", "--swap-branches")
        self.assertEqual(served, checksums)
        print(f"branches swapped: {100 * share(statistics):.2f} % served")
        self.assertGreater(share(statistics), 0.95, statistics)

    def test_branches_in_two_orders_are_served_where_both_were_profiled(self):
        traces, checksums = zip(*(self.profile("--image", "64", *order, name=name)
                                  for name, order in (("one.trace", ()), ("other.trace", ("--swap-branches",)))), strict=True)
        plan, _ = self.plan(*traces)
        for order in ((), ("--swap-branches",)):
            served, statistics, _ = self.serve(plan, "--image", "64", *order, requests=40)
            self.assertEqual(set(served), set(checksums[0]))
            self.assertGreater(share(statistics), 0.995, statistics)
            self.assertGreater(statistics["served_bytes"] / (statistics["served_bytes"] + statistics["fallback_bytes"]), 0.995, statistics)

    def test_more_passes_at_once_than_lanes(self):
        trace, checksums = self.profile(*SMALL, "--threads", "4")
        plan, _ = self.plan(trace)
        served, statistics, _ = self.serve(plan, *SMALL, "--threads", "4", connections=4, requests=40, lanes=1)
        self.assertEqual(served, checksums)
        self.assertGreater(statistics["served"], 0)
        self.assertEqual(missed(statistics), statistics["fallback"]["no_lane"], statistics)
        self.assertEqual(statistics["lanes"], 1)
