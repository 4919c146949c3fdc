"""Passes that nobody marks: with hooks and API out of the way the planner finds them in what the threads allocate, the same
ones as the hooks, for any number of workers; and none in programs that have none."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from harness import BUILD, COMMAND, SMALL, PassesCase, Server, share

ROOT = pathlib.Path(__file__).parents[2]
sys.dont_write_bytecode = True
sys.path.append(str(ROOT / "scripts/lib"))
from frameworks.boundaries import compare  # noqa: E402

ALL = ("--record", "all")
PERIOD = ("--passes-by", "period")
UNMARKED = 3  # exit code of a plan that has no passes to be made from


class Period(PassesCase):
    def record(self, *how, workers=1, requests=40):
        trace = self.folder / "server.trace"
        prefix = (COMMAND, "profile", "--force", "-o", str(trace), *how, "--")
        with Server(*SMALL, "--threads", str(workers), prefix=prefix) as server:
            server.load(requests, connections=workers)
            self.assertEqual(server.stop(), 0, server.stderr())
        return trace

    def plan_by(self, way, trace):
        done = self.run_command("plan", "--json", "--force", "--passes-by", way, "-o", self.folder / f"{way}.plan", trace)
        return json.loads(done.stdout)

    def passes_by(self, way, trace):
        return json.loads(self.run_command("inspect", "--json", "--passes-by", way, trace).stdout)["passes"]

    def test_the_same_passes_as_by_hooks_for_any_number_of_workers(self):
        for workers in (1, 2, 8):
            with self.subTest(workers=workers):
                trace = self.record(*ALL, workers=workers)
                hooks, period = self.plan_by("hooks", trace), self.plan_by("period", trace)
                self.assertEqual((hooks["passes_by"], period["passes_by"]), ("hooks", "period"))
                (anchor,) = period["anchors"]
                # Each worker's last pass has nothing behind it that would close it.
                self.assertGreaterEqual(anchor["passes"], hooks["passes"] - workers)
                self.assertLessEqual(anchor["passes"], hooks["passes"])
                self.assertEqual(anchor["stretches"], anchor["passes"])
                seen = compare(self.passes_by("hooks", trace), self.passes_by("period", trace))
                self.assertTrue(seen.agree, seen)
                self.assertEqual(seen.reference, anchor["passes"])
                self.assertGreaterEqual(seen.allocations, seen.reference_allocations)
                by_hooks, by_period = hooks["variants"][0], period["variants"][0]
                self.assertGreaterEqual(by_period["buffers"], by_hooks["buffers"])
                self.assertLess(by_period["height"], 1.1 * by_hooks["height"])
                self.assertLess(by_period["unplanned"], by_period["buffers"] // 100)

    def test_without_hooks_the_period_is_looked_for_by_itself(self):
        trace = self.record(*PERIOD)
        done = self.run_command("plan", "--json", trace)
        self.assertEqual(json.loads(done.stdout)["passes_by"], "period")
        self.assertIn("opened by", self.run_command("inspect", trace.with_suffix(".plan")).stdout)

    def test_a_plan_by_period_serves_every_pass_with_the_same_answers(self):
        for workers in (1, 2, 8):
            with self.subTest(workers=workers):
                options = (*SMALL, "--threads", str(workers))
                expected = self.answers(*options)
                self.plan_by("period", self.record(*PERIOD, workers=workers))
                checksums, statistics, errors = self.serve(
                    self.folder / "period.plan", *options, requests=60, connections=workers)
                self.assertEqual((checksums, errors.count("\n")), (expected, 2), errors)  # what is said at the end
                # The passes that the workers are in at the end have not ended.
                self.assertGreaterEqual(statistics["passes"], 60 - workers)
                self.assertGreater(share(statistics), 0.95, statistics)
                self.assertEqual(statistics["double_free"] + statistics["bad_free"] + statistics["abandoned"], 0)

    def test_check_finds_the_passes_of_a_plan_by_period_in_other_traces(self):
        self.plan_by("period", self.record(*PERIOD))
        done = self.run_command("check", "--json", self.folder / "period.plan", self.record(*PERIOD, requests=20))
        (figures,) = json.loads(done.stdout)["traces"]
        self.assertGreaterEqual(figures["passes"], 19)
        self.assertGreater(figures["served"] / (figures["served"] + sum(figures["fallback"].values())), 0.95)

    def test_nothing_is_claimed_of_programs_without_passes(self):
        source = ROOT / "tests" / "guest" / "hostile" / "realloc_rules.c"
        loop = 'i=0; while [ $i -lt 500 ]; do i=$((i+1)); x="a$i"; case $x in a1*) y=$x;; esac; done; echo $y'
        for command in (["gcc", "-O1", "-I", str(ROOT), "-S", str(source), "-o", "/dev/null"], ["sh", "-c", loop]):
            with self.subTest(program=command[0]):
                self.claims_nothing(command)

    def claims_nothing(self, command):
        environment = {**os.environ, "LD_PRELOAD": str(BUILD / "lib" / "libmemomalloc.so"), "MEMOMALLOC_MODE": "profile",
                       "MEMOMALLOC_PASSES_BY": "period", "MEMOMALLOC_TRACE": str(self.folder / "%c.%p.trace")}
        subprocess.run(command, env=environment, check=True, capture_output=True)
        traces = sorted(self.folder.glob("*.trace"))
        self.assertTrue(traces)
        for trace in traces:
            done = self.run_command("plan", "--force", trace, status=UNMARKED)
            self.assertIn("no pass shows", done.stderr)
            trace.unlink()


if __name__ == "__main__":
    unittest.main()
