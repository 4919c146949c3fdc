"""What scripts/bench/touchable concludes: which samples are an allocator's, and how much of a pass an allocator can touch."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from loading import load_script
from perf_samples import shares_by_kind

touchable = load_script("bench/touchable")


class Samples(unittest.TestCase):
    def test_are_of_the_kernel_the_allocator_or_the_program(self):
        lines = [" 10 ;libjemalloc.so.2 ;[.] malloc", "20;[kernel.kallsyms];[k] clear_page_erms", "60;libtorch_cpu.so;[.] gemm",
                 "10;libmemomalloc.so;[.] memo_malloc"]
        self.assertEqual(shares_by_kind(lines), {"allocator": 0.2, "kernel": 0.2, "program": 0.6})

    def test_none_is_no_measurement(self):
        self.assertRaises(SystemExit, shares_by_kind, [])


class Cells(unittest.TestCase):
    def test_the_share_of_allocator_and_kernel_bounds_what_can_be_gained(self):
        found = {"ms": 10.0, "faults": 12.4, "allocator": 0.1, "kernel": 0.15, "program": 0.75}
        self.assertEqual(touchable.cells("net", 1309, "jemalloc", found),
                         ["net", "jemalloc", "10.00", "1,309", "12", "1.50", "1.00", "25.0 %", "1.333", "not shown"])

    def test_misses_of_caches_are_there_where_the_processor_shows_them(self):
        found = {"ms": 1.0, "faults": 0, "allocator": 0.0, "kernel": 0.0, "program": 1.0, "cache_misses": 12345.6}
        self.assertEqual(touchable.cells("net", 1, "serve", found)[-1], "12,346")

    def test_the_longer_run_takes_the_seconds_that_were_wanted(self):
        self.assertEqual(touchable.passes_for(2, 20), touchable.FEW_PASSES + 100)


if __name__ == "__main__":
    unittest.main()
