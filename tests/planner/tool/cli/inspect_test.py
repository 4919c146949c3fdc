"""What `memomalloc inspect` says of a trace, and what it exports.

The traces are those that fuzzing starts from: one pass of two allocations, and the same cut off. A failure means that
a reader of the words, keys or files would find something else than the documentation promises.
"""

import csv
import json
import os
import pathlib
import shutil

import harness

# Of the two passes of the trace with call stacks (tests/planner/trace/trace_builder.h).
CALLER = "libnet.so+0xa10"
ASKED = f"{CALLER};libnet.so+0x820 8192\n{CALLER};libnet.so+0x910;libnet.so+0x810 16384\nno call stack 1024\n"
AT_PEAK = f"{CALLER};libnet.so+0x820 4096\n{CALLER};libnet.so+0x910;libnet.so+0x810 8192\n"


class Inspect(harness.CliTest):
    def setUp(self):
        super().setUp()
        corpus = pathlib.Path(os.environ["MEMO_TRACE_CORPUS"])
        shutil.copy(corpus / "small", self.folder / "small.trace")
        shutil.copy(corpus / "cut", self.folder / "cut.trace")
        shutil.copy(corpus / "stacks", self.folder / "stacks.trace")
        shutil.copy(corpus / "flow", self.folder / "flow.trace")

    def test_a_trace_for_people(self):
        stdout, stderr = self.run_command("inspect", "small.trace")
        self.assert_golden("inspect_trace.txt", f"--- stdout\n{stdout}--- stderr\n{stderr}")

    def test_a_trace_for_programs(self):
        trace = json.loads(self.run_command("inspect", "--json", "small.trace")[0])
        for key in ("passes", "scopes", "threads", "tags_wrapped", "lost"):
            self.assertIn(key, trace)
        for key in ("thread", "events", "allocations", "bytes", "peak_live", "fingerprint", "escaping"):
            self.assertIn(key, trace["passes"][0])

    def test_operators_by_path_and_by_the_outermost(self):
        trace = json.loads(self.run_command("inspect", "--json", "stacks.trace")[0])
        self.assertEqual({tuple(row["path"]): row["bytes"] for row in trace["operator_paths"]},
                         {("conv",): 16384, ("outside operators",): 9216})
        self.assertEqual([(row["name"], row["bytes"], row["calls"]) for row in trace["outermost"]],
                         [("conv", 16384, 2), ("outside operators", 9216, 0)])

    def test_passes_of_one_way_alone(self):
        for way, passes in (("hooks", 1), ("api", 0)):
            trace = json.loads(self.run_command("inspect", "--json", "--passes-by", way, "small.trace")[0])
            self.assertEqual((trace["passes_by"], len(trace["passes"])), (way, passes))
        _, stderr = self.run_command("inspect", "--passes-by", "period", "small.trace", status=3)
        self.assertIn("no pass shows", stderr)

    def test_a_cut_trace_says_where_and_what_is_left(self):
        _, stderr = self.run_command("inspect", "cut.trace")
        damage = json.loads(self.run_command("inspect", "--json", "cut.trace")[0])["damage"]
        self.assertEqual(len(damage), 1)
        self.assertIn(f"offset {damage[0]['offset']}", stderr)
        self.assertIn("still read: ", stderr)

    def test_a_foreign_file_is_refused_with_the_offset(self):
        self.write("foreign.trace", "\x7fELF and more of it, longer than the header of a block would be. " * 3)
        _, stderr = self.run_command("inspect", "foreign.trace", status=3)
        self.assertIn("foreign.trace is not a trace", stderr)
        self.assertIn("offset 0", stderr)

    def test_instances_can_be_packed(self):
        self.run_command("inspect", "--csv", "out", "small.trace")
        rows = list(csv.DictReader(self.read("out/pass-1.csv").splitlines()))
        self.assertEqual([row["size"] for row in rows], ["100"])
        self.assertEqual(rows[0]["scope"], "conv")
        self.run_command("pack", "--input", "out/pass-1.csv")

    def test_perfetto_gets_slices_counters_and_pairs(self):
        self.run_command("inspect", "--perfetto", "out.json", "small.trace")
        events = json.loads(self.read("out.json"))["traceEvents"]
        by_phase = {}
        for event in events:
            by_phase.setdefault(event["ph"], []).append(event)
        self.assertEqual({event["name"] for event in by_phase["M"]}, {"process_name", "thread_name"})
        self.assertEqual(len(by_phase["X"]), 2)  # the pass, and the operator inside it
        self.assertEqual(sorted(event["id"] for event in by_phase["b"]), sorted(event["id"] for event in by_phase["e"]))
        self.assertEqual([event["args"]["bytes"] for event in by_phase["b"]], [100, 4096])
        self.assertEqual(by_phase["C"][-1]["args"]["bytes"], 0)

    def test_stacks_are_folded(self):
        """Outermost function first, as tools that draw flame graphs read them, and nothing else on stdout."""
        self.assertEqual(self.run_command("inspect", "--stacks", "asked", "stacks.trace")[0], ASKED)
        self.assertEqual(self.run_command("inspect", "--stacks", "peak", "stacks.trace")[0], AT_PEAK)

    def test_stacks_of_what_a_plan_sends_to_the_heap(self):
        """The plan serves all blocks but the one that outlives its pass."""
        self.run_command("plan", "-o", "a.plan", "stacks.trace")
        folded, _ = self.run_command("inspect", "--stacks", "missed", "--plan", "a.plan", "stacks.trace")
        self.assertEqual(folded, "no call stack 1024\n")

    def test_stacks_that_cannot_be_shown(self):
        for arguments, status, words in (
            (("--stacks", "asked", "small.trace"), 3, "profile --stacks"),
            (("--stacks", "all", "stacks.trace"), 2, "asked, peak or missed"),
            (("--stacks", "missed", "stacks.trace"), 2, "needs --plan"),
            (("--stacks", "peak", "--plan", "a.plan", "stacks.trace"), 2, "only for --stacks missed"),
            (("--plan", "a.plan", "stacks.trace"), 2, "only for --stacks missed"),
            (("--stacks", "asked", "--json", "stacks.trace"), 2, "leave out --json"),
        ):
            self.assertIn(words, self.run_command("inspect", *arguments, status=status)[1])

    def test_the_data_flow(self):
        """Two branches from an input of 64 KiB that are added up in place (tests/planner/trace/trace_builder.h)."""
        printed, _ = self.run_command("inspect", "--data-flow", "flow.trace")
        self.assertIn("data flow of pass 2: 5 operators, 4 edges, at most 2 side by side", printed)
        self.assertEqual([line.split() for line in printed.splitlines()[2:]][2:], [
            ["2", "64.00", "KiB", "0", "bytes", "0", "pool"], ["3", "64.00", "KiB", "0", "bytes", "1", "pool"],
            ["4", "64.00", "KiB", "0", "bytes", "2", "3", "add"]])
        flow = json.loads(self.run_command("inspect", "--json", "flow.trace")[0])["data_flow"]
        self.assertEqual([(edge["from"], edge["to"]) for edge in flow["edges"]], [(0, 2), (1, 3), (2, 4), (3, 4)])
        self.assertEqual(flow["operators"][0] | {"place": ""}, {"name": "conv", "place": "", "level": 0, "outside": 64 << 10, "written": 4 << 20})
        self.assertIn("--data-flow prints it", self.run_command("inspect", "flow.trace")[0])
        self.assertIn("profile --data-flow", self.run_command("inspect", "--data-flow", "small.trace", status=3)[1])

    def test_an_order_with_a_lower_peak(self):
        """The two large blocks of the branches need not be alive at once."""
        said, _ = self.run_command("plan", "--reorder", "-o", "a.plan", "flow.trace")
        self.assertIn("order: the 5 operators of pass 2 have a peak of 8.06 MiB, and 4.12 MiB in this order (48.8 % less)", said)
        order = json.loads(self.run_command("plan", "--reorder", "--json", "--force", "-o", "a.plan", "flow.trace")[0])["order"]
        self.assertEqual(sorted(order["operators"]), [0, 1, 2, 3, 4])
        self.assertIn(order["operators"], ([0, 2, 1, 3, 4], [1, 3, 0, 2, 4]))
        self.assertIn("--data-flow", self.run_command("plan", "--reorder", "-o", "b.plan", "stacks.trace", status=3)[1])

    def test_branches_keep_bytes_of_their_own(self):
        """With --keep-parallel no branch may take what the other one has freed."""
        heights = [json.loads(self.run_command("plan", "--json", "--force", *options, "-o", "a.plan", "flow.trace")[0])["variants"][0]["height"]
                   for options in ((), ("--keep-parallel",))]
        self.assertLess(heights[0], heights[1])

    def test_nothing_is_overwritten(self):
        self.write("taken.json", "mine")
        self.run_command("inspect", "--perfetto", "taken.json", "small.trace", status=2)
        self.assertEqual(self.read("taken.json"), "mine")


harness.main()
