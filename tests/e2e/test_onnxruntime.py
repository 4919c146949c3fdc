"""Passes that are found in ONNX Runtime's table of functions are served by the shapes of their inputs. The program looks
for a library of the suite's own that has such a table."""

import json
import os

from harness import PassesCase, missed

CLIENT = (os.environ["MEMO_ORT_CLIENT"], "hundred", os.environ["MEMO_ORT_FOLDER"])
PASSES = 100


class OnnxRuntime(PassesCase):
    def test_every_planned_allocation_of_each_shape_is_served(self):
        trace = self.folder / "client.trace"
        self.run_command("profile", "-o", trace, "--", *CLIENT)
        plan, report = self.plan(trace, name="client.plan")
        [variant] = report["variants"]
        self.assertEqual((variant["buffers"], variant["shapes"], variant["key"]), (2, 2, 0), report)

        stats = self.folder / "stats.json"
        self.run_command("serve", "--plan", plan, "--stats", stats, "--", *CLIENT)
        statistics = json.loads(stats.read_text())
        self.assertEqual(statistics["passes"], PASSES)
        self.assertEqual(statistics["served"], 2 * PASSES, statistics)
        self.assertEqual(missed(statistics), PASSES, "the result of each run, which outlives it")
