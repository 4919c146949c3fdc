"""Passes of eight threads at once share the memory of their worst moments. A plan for passes at once has the program answer the same,
and hold less slab than the plan with a whole slab for each. Failure: another answer, a plan that was not split, as much slab
as without, or more than one in twenty allocations on the heap. The test prints the figures it judges."""

import json
import os
import pathlib
import re

from harness import COMMAND, AskedProgram, PassesCase, share

AT_ONCE = 8
PASSES = 40


class Peaks(PassesCase):
    def answer(self, *prefix):
        """What the program says, and the most bytes that it held at once."""
        with AskedProgram(os.environ["MEMO_TOWER"], prefix=prefix) as program:
            said = program.ask(PASSES)
            status = pathlib.Path(f"/proc/{program.children()[0]}/status").read_text()
        return said, 1024 * int(re.search(r"VmHWM:\s+(\d+)", status).group(1))

    def plan_for(self, trace, concurrent):
        plan = self.folder / f"for-{concurrent}.plan"
        done = self.run_command("plan", "--json", "--concurrent", concurrent, "-o", plan, trace)
        return plan, json.loads(done.stdout)

    def served_by(self, plan):
        stats = plan.with_suffix(".json")
        said, held = self.answer(COMMAND, "serve", "--plan", str(plan), "--stats", str(stats), "--")
        statistics = json.loads(stats.read_text())
        self.assertEqual(said, self.expected)
        self.assertEqual(statistics["double_free"] + statistics["bad_free"], 0)
        self.assertGreater(share(statistics), 0.95, statistics)
        return statistics, held

    def test_passes_at_once_hold_less(self):
        self.expected, _ = self.answer()
        trace = self.folder / "tower.trace"
        self.answer(COMMAND, "profile", "-o", str(trace), "--")
        whole, report = self.plan_for(trace, 1)
        self.assertNotIn("peaks", report)
        split, report = self.plan_for(trace, AT_ONCE)
        self.assertLess(report["peaks"]["sum"], report["peaks"]["unsplit"] * 7 / 8)
        self.assertIn("peaks", json.loads(self.run_command("inspect", "--json", split).stdout))
        self.run_command("check", split, trace)
        with_whole, most_whole = self.served_by(whole)
        with_split, most_split = self.served_by(split)
        self.assertEqual(with_whole["fallback"]["no_peak"], 0)
        self.assertGreater(with_split["peaks"]["taken"], 0)
        self.assertLess(with_split["slab_bytes"], with_whole["slab_bytes"])
        print(f"{with_whole['lanes']} lanes: {with_whole['slab_bytes']} bytes of slab, {most_whole} held; split {with_split['lanes']} lanes, "
              f"{with_split['peaks']['regions']} regions: {with_split['slab_bytes']}, {most_split} held, "
              f"{with_split['fallback']['no_peak']} blocks found none")
