"""What scripts/bench/touchable concludes: which samples are an allocator's, and how much of a pass an allocator can touch."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from perf_samples import SAMPLES_A_SECOND, seconds_by_kind
from places import ROOT

LOADER = importlib.machinery.SourceFileLoader("touchable", str(ROOT / "scripts" / "bench" / "touchable"))
touchable = importlib.util.module_from_spec(importlib.util.spec_from_loader("touchable", LOADER))
LOADER.exec_module(touchable)


class Samples(unittest.TestCase):
    def test_are_of_the_kernel_the_allocator_or_the_program(self):
        lines = [f" {SAMPLES_A_SECOND} ;libjemalloc.so.2 ;[.] malloc", f"{2 * SAMPLES_A_SECOND};[kernel.kallsyms];[k] clear_page_erms",
                 f"{3 * SAMPLES_A_SECOND};libtorch_cpu.so;[.] gemm", f"{SAMPLES_A_SECOND};libmemomalloc.so;[.] memo_malloc"]
        self.assertEqual(seconds_by_kind(lines), {"allocator": 2, "kernel": 2, "program": 3})


class Share(unittest.TestCase):
    def test_is_that_of_allocator_and_kernel_and_bounds_what_can_be_gained(self):
        found = {"ms": 10.0, "faults": 12.4, "allocator": 0.001, "kernel": 0.001, "program": 0.006}
        self.assertAlmostEqual(touchable.touched(found), 0.25)
        self.assertEqual(touchable.cells("net", 1309, "jemalloc", found),
                         ["net", "jemalloc", "10.00", "1,309", "12", "1.00", "1.00", "25.0 %", "1.333", "not shown"])

    def test_is_never_below_nothing_where_two_runs_differ_the_other_way(self):
        found = {"ms": 10.0, "faults": -3.0, "allocator": -0.001, "kernel": -0.001, "program": 0.006}
        self.assertEqual(touchable.touched(found), 0)
        self.assertIn("0.00", touchable.cells("net", 1, "jemalloc", found))

    def test_a_pass_is_the_difference_of_a_longer_and_a_shorter_run(self):
        self.assertEqual(touchable.each_pass({"faults": 100}, {"faults": 180}, 8), {"faults": 10})


if __name__ == "__main__":
    unittest.main()
