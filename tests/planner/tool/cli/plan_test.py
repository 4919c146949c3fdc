"""`memomalloc plan` over the traces of many replicas.

Two builds of a program are profiled twice each, and stand for replicas of two services on one machine. A failure means that
one broken file costs the plan, that a folder is not understood, or that the plan depends on the order in which traces are
named, or on the number of threads that read them.
"""

import json
import os
import shutil
from unittest import mock

import harness

BOUND = ("--nodes", "1000", "--force", "-q")  # no clock ends the search, so that plans are comparable


class Plan(harness.CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "fleet" / "east").mkdir(parents=True)
        self.traces = []
        for name, size in (("small", 5000), ("large", 70000)):
            program = self.build_program(name, BYTES=size, STEPS=20)
            for replica in ("fleet/first", "fleet/east/second"):
                self.traces.append(f"{replica}-{name}.trace")
                self.run_command("profile", "-q", "-o", self.traces[-1], "--", program)

    def plan(self, *words, status=0):
        """(bytes of the plan, what was said on stderr)"""
        _, said = self.run_command("plan", *BOUND, "-o", "some.plan", *words, status=status)
        return (self.folder / "some.plan").read_bytes(), said

    def figures(self, *traces):
        return json.loads(self.run_command("plan", *BOUND, "--json", "-o", "some.plan", *traces)[0])

    def test_a_proof_that_holds_for_larger_shapes(self):
        program = self.build_program("growing", BYTES='((size_t)atol(getenv("BLOCK")))')
        traces = []
        for megabytes in (1, 3):
            traces.append(f"{megabytes}.trace")
            with mock.patch.dict(os.environ, BLOCK=str(megabytes << 20)):
                self.run_command("profile", "-q", "-o", traces[-1], "--", program)
        variant = self.figures(*traces)["variants"][0]
        self.assertEqual((variant["shapes"], variant["status"], variant["optimal_for_larger"]), (2, "optimal", True))
        text = self.run_command("plan", *BOUND, "-o", "some.plan", *traces)[0]
        self.assertIn("  proof        holds for every larger shape too", text)
        alone = self.figures(traces[0])["variants"][0]
        self.assertFalse(alone["optimal_for_larger"], "one shape shows no line")
        self.assertNotIn("proof", self.run_command("plan", *BOUND, "-o", "some.plan", traces[0])[0])

    def test_neither_order_nor_threads_matter(self):
        expected, _ = self.plan("--threads", "1", *self.traces)
        for threads in ("1", "3"):
            self.assertEqual(self.plan("--threads", threads, *reversed(self.traces))[0], expected)
        self.assertEqual(self.plan("--threads", "2", *self.traces[1:], self.traces[0])[0], expected)

    def test_a_folder_stands_for_the_traces_below_it(self):
        expected, _ = self.plan(*self.traces)
        self.write("fleet/notes.txt", "no trace")
        self.assertEqual(self.plan("fleet")[0], expected)
        self.assertEqual(self.plan("fleet", "fleet/east", self.traces[0])[0], expected, "no trace counts twice")
        self.run_command("plan", "-q", "fleet/")
        self.assertTrue((self.folder / "fleet.plan").exists())

    def test_passes_that_are_alike_are_counted_and_dropped(self):
        alone = self.figures(self.traces[0])
        for number in range(8):
            shutil.copy(self.folder / self.traces[0], self.folder / f"fleet/copy-{number}.trace")
        figures = self.figures(*(f"fleet/copy-{number}.trace" for number in range(8)))
        self.assertEqual((figures["traces"], figures["unreadable"]), (8, 0))
        self.assertEqual((figures["passes"], figures["distinct"]), (8 * alone["passes"], alone["distinct"]))
        text, _ = self.run_command("plan", *BOUND, "-o", "some.plan", "fleet")
        self.assertRegex(text, r"traces: 12 read, 0 unreadable; \d+ distinct passes, \d+ like one of these were dropped\n")

    def test_a_trace_that_cannot_be_read_costs_one_line(self):
        expected, _ = self.plan(*self.traces)
        self.write("fleet/broken.trace", "this is text that is longer than any header of a trace, and none of it is one")
        self.write("fleet/empty.trace", "")
        _, said = self.run_command("plan", *BOUND[:-1], "-o", "some.plan", "fleet", "missing.trace")
        self.assertEqual((self.folder / "some.plan").read_bytes(), expected)
        for name in ("fleet/broken.trace", "fleet/empty.trace", "missing.trace"):
            (line,) = [line for line in said.splitlines() if name in line]
            self.assertIn("; the plan is made without it", line)
        figures = self.figures("fleet", "missing.trace")
        self.assertEqual((figures["traces"], figures["unreadable"]), (4, 3))

    def test_no_trace_at_all_is_an_error(self):
        (self.folder / "nothing").mkdir()
        _, said = self.run_command("plan", "-o", "some.plan", "nothing", status=3)
        self.assertIn("nothing has no file named *.trace in it", said)
        self.write("nothing/empty.trace", "")
        _, said = self.run_command("plan", "-o", "some.plan", "nothing", "missing", status=3)
        self.assertIn("none of the 2 traces can be read", said)
        _, said = self.run_command("plan", "-o", "some.plan", "missing", status=3)
        self.assertEqual(len(said.splitlines()), 1, said)
        self.assertFalse((self.folder / "some.plan").exists())

    def test_a_period_is_found_whatever_the_order(self):
        traces = []
        for name in ("small", "large"):
            traces.append(f"{name}-all.trace")
            self.run_command("profile", "-q", "--passes-by", "period", "-o", traces[-1], "--", f"./{name}")
        expected, _ = self.plan("--passes-by", "period", *traces)
        self.assertEqual(self.plan("--passes-by", "period", *reversed(traces))[0], expected)


harness.main()
