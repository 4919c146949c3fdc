"""Several models in one process whose passes run through one function, with no key: each is served from its own part of the plan,
although every pass follows one of another model. And the hooks of their operators, which rest while no pass needs them."""

import json
import os
import subprocess

from harness import PassesCase, share

ALTERNATING = os.environ["MEMO_ALTERNATING"]
PASSES = ("--pass-symbol", "_ZNK5Model7forwardEmm", "--scope-symbol", "layers_of_*")
WARM_UP = 8  # passes in which it shows which model goes which way
UNHOOKED, HOOKED_AGAIN = "operators are hooked no more", "operators are hooked again"


class Models(PassesCase):
    def setUp(self):
        super().setUp()
        trace = self.folder / "models.trace"
        self.run_command("profile", *PASSES, "-o", trace, "--", ALTERNATING, 40, 1)
        self.models, report = self.plan(trace)
        self.assertEqual(len(report["variants"]), 2)
        self.assertEqual([variant["scopes"] for variant in report["variants"]], [1, 1])

    def served(self, *words):
        stats, log = self.folder / "stats.json", self.folder / "log"
        log.unlink(missing_ok=True)  # the library writes behind what is there
        done = self.run_command("serve", *PASSES, "--plan", self.models, "--stats", stats, "--aside", "never", "--log", log,
                                "--", ALTERNATING, *words)
        plain = subprocess.run([ALTERNATING, *map(str, words)], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, plain.stdout)
        return json.loads(stats.read_text()), log.read_text() if log.exists() else ""

    def behind_the_warm_up(self, *words):
        (first, _), (whole, log) = self.served(WARM_UP, 1), self.served(*words)
        fallback = {reason: count - first["fallback"][reason] for reason, count in whole["fallback"].items()}
        self.assertEqual(whole["passes"], sum(words[::2]))
        return {"served": whole["served"] - first["served"], "fallback": fallback}, log

    def test_each_is_served_from_its_own_variant(self):
        behind, _ = self.behind_the_warm_up(40, 1)
        self.assertGreaterEqual(share(behind), 0.99, behind)

    def test_operators_are_hooked_as_long_as_a_pass_needs_them(self):
        _, log = self.served(40, 1)
        self.assertNotIn(UNHOOKED, log)
        behind, log = self.behind_the_warm_up(300, 1)
        self.assertGreaterEqual(share(behind), 0.99, behind)
        self.assertEqual((log.count(UNHOOKED), log.count(HOOKED_AGAIN)), (1, 0), log)

    def test_passes_that_depart_have_them_hooked_again(self):
        _, log = self.served(300, 1, 40, 2)
        self.assertEqual((log.count(UNHOOKED), log.count(HOOKED_AGAIN)), (1, 1), log)
        _, log = self.served(300, 1, 40, 2, 600, 1)
        self.assertEqual((log.count(UNHOOKED), log.count(HOOKED_AGAIN)), (2, 1), log)
