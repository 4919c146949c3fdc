"""What `memomalloc check` says of a plan that it cannot replay whole.

The plan is that of the trace that fuzzing starts from, as planned and with a second variant, for threads that work for the
passes of others. A failure means that a share of what is served is read as if it counted what workers do.
"""

import json
import os
import pathlib
import shutil

import harness

WORKERS = int.from_bytes(b"workers", "little")  # the key of their variant
NOT_REPLAYED = "not replayed: what worker threads allocate"


class Check(harness.CliTest):
    def setUp(self):
        super().setUp()
        shutil.copy(pathlib.Path(os.environ["MEMO_TRACE_CORPUS"]) / "small", self.folder / "small.trace")
        self.run_command("plan", "-q", "small.trace")
        plan = json.loads(self.run_command("inspect", "--json", "small.plan")[0])
        plan["variants"].append({**plan["variants"][0], "key": WORKERS})
        self.write("workers.json", json.dumps(plan))
        self.run_command("plan", "-q", "--from-json", "workers.json")

    def said(self, *arguments):
        """(for people, for programs)"""
        return self.run_command("check", *arguments)[0], json.loads(self.run_command("check", "--json", *arguments)[0])

    def test_what_workers_allocate_is_said_not_to_be_replayed(self):
        text, figures = self.said("workers.plan", "small.trace")
        self.assertIn("workers.plan: sound, 2 variants", text)
        self.assertEqual(text.count(NOT_REPLAYED), 1)
        self.assertEqual((figures["workers"], figures["traces"][0]["passes"]), ("not replayed", 1))

    def test_without_a_trace_nothing_is_replayed_anyway(self):
        text, figures = self.said("workers.plan")
        self.assertNotIn("replayed", text)
        self.assertEqual((figures["workers"], figures["traces"]), ("not replayed", []))

    def test_a_plan_without_workers_is_replayed_whole(self):
        text, figures = self.said("small.plan", "small.trace")
        self.assertIn("small.plan: sound, 1 variant\n", text)
        self.assertNotIn("replayed", text)
        self.assertEqual(figures["workers"], "none")

    def plan_of_another_program(self):
        """The same plan, of another build: nothing of the trace is in it."""
        plan = json.loads(self.run_command("inspect", "--json", "small.plan")[0])
        for module in plan["modules"]:
            module["path"], module["build_id"] = "/another", "ab" * 20
        self.write("other.json", json.dumps(plan))
        self.run_command("plan", "-q", "--from-json", "other.json")
        return "other.plan"

    def test_the_share_is_said_by_count_and_by_bytes(self):
        text, figures = self.said("small.plan", "small.trace")
        self.assertRegex(text, r"small\.trace: [0-9.]+ % of \d+ allocations and [0-9.]+ % of [0-9.]+ \w+ served.*, in 1 passes")
        trace = figures["traces"][0]
        bytes_ = trace["served_bytes"] + trace["fallback_bytes"]
        self.assertAlmostEqual(trace["share_of_bytes"], trace["served_bytes"] / bytes_)

    def test_a_good_plan_is_to_be_served(self):
        out, err = self.run_command("check", "small.plan", "small.trace", "--at-least", "2")
        self.assertIn("verdict: the plan is of these passes", out)
        self.assertIn("next: memomalloc serve --plan small.plan", err)

    def test_a_plan_of_another_program_is_not(self):
        other = self.plan_of_another_program()
        out, err = self.run_command("check", other, "small.trace")
        self.assertIn("not of this program's passes: profile and plan again", out)
        self.assertIn("next: memomalloc profile", err)
        self.assertNotIn("memomalloc serve", err)

    def test_the_gate_says_what_is_below(self):
        other = self.plan_of_another_program()
        _, err = self.run_command("check", "-q", other, "small.trace", "--at-least", "95", status=5)
        self.assertIn("small.trace: 0.00 % of the allocations and 0.00 % of the bytes would be served", err)
        self.assertIn("--at-least wants 95 %", err)
        _, err = self.run_command("check", "-q", "small.plan", "small.trace", "--at-least", "50", status=5)
        self.assertIn("small.trace: 2.38 % of the bytes would be served", err)

    def test_a_goal_that_is_none(self):
        for goal in ("abc", "101", "-1", "95%"):
            _, err = self.run_command("check", "small.plan", "small.trace", f"--at-least={goal}", status=2)
            self.assertIn(f'"{goal}"', err)
        self.assertIn("needs traces", self.run_command("check", "small.plan", "--at-least", "95", status=2)[1])


if __name__ == "__main__":
    harness.main()
