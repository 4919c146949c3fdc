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


if __name__ == "__main__":
    harness.main()
