"""Several models in one process whose passes run through one function, with no key: each is served from its own part of the plan,
although every pass follows one of another model."""

import json
import os
import subprocess

from harness import PassesCase, share

ALTERNATING = os.environ["MEMO_ALTERNATING"]
PASSES = ("--pass-symbol", "_ZNK5Model7forwardEm")
WARM_UP = 8  # passes in which it shows which model goes which way


class Models(PassesCase):
    def served(self, plan, passes):
        stats = self.folder / "stats.json"
        done = self.run_command("serve", *PASSES, "--plan", plan, "--stats", stats, "--force", "--", ALTERNATING, passes)
        self.assertEqual(done.stdout, subprocess.run([ALTERNATING, str(passes)], capture_output=True, text=True, check=True).stdout)
        return json.loads(stats.read_text())

    def test_each_is_served_from_its_own_variant(self):
        trace, plan = self.folder / "models.trace", self.folder / "models.plan"
        self.run_command("profile", *PASSES, "-o", trace, "--", ALTERNATING, 40)
        report = json.loads(self.run_command("plan", "--json", "-o", plan, trace).stdout)
        self.assertEqual(len(report["variants"]), 2)
        first, whole = self.served(plan, WARM_UP), self.served(plan, 200)
        behind = {"served": whole["served"] - first["served"],
                  "fallback": {reason: count - first["fallback"][reason] for reason, count in whole["fallback"].items()}}
        self.assertEqual(whole["passes"], 200)
        self.assertGreaterEqual(share(behind), 0.99, behind)
