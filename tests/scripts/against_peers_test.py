"""What rounds of a comparison are put together to: ratios with intervals, verdicts in words, and a file that a run goes on from."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from against_peers import ratio_over, round_of, verdict
from results import Results


def rounds(**speeds):
    """A peer's speeds, one for each round. The memory of each is a tenth more than the peer's, give or take."""
    count = len(next(iter(speeds.values())))
    return [{peer: {"speed": values[i], "memory": 1.1 + i / 1000} for peer, values in speeds.items()} for i in range(count)]


class Ratios(unittest.TestCase):
    def test_is_the_geometric_mean_with_students_interval(self):
        ratio = ratio_over(rounds(glibc=(1.0, 1.21)), "glibc", "speed")
        self.assertAlmostEqual(ratio["value"], 1.1)
        self.assertAlmostEqual(ratio["low"], 1.1 / 1.21 ** (12.706 / 2), places=6)
        self.assertAlmostEqual(ratio["high"], 1.1 * 1.21 ** (12.706 / 2), places=6)

    def test_has_no_interval_after_one_round_and_is_none_without_any(self):
        self.assertEqual(ratio_over(rounds(glibc=(1.5,)), "glibc", "speed"), {"value": 1.5})
        self.assertIsNone(ratio_over([], "glibc", "speed"))

    def test_leaves_out_rounds_that_lack_the_peer(self):
        self.assertEqual(ratio_over([{}, *rounds(glibc=(2.0,))], "glibc", "speed"), {"value": 2.0})

    def test_reads_a_report(self):
        report = {"allocators": [{"name": "glibc", "times_as_fast": {"value": 1.2}, "peak_memory": {"value": 0.9}}, {"name": "serve"}]}
        self.assertEqual(round_of(report), {"glibc": {"speed": 1.2, "memory": 0.9}})


class Verdicts(unittest.TestCase):
    def test_tells_peers_apart_by_their_intervals(self):
        found = rounds(glibc=(1.20, 1.21, 1.22), jemalloc=(1.1, 1.1, 1.1), tcmalloc=(0.9, 0.91, 0.9), mimalloc=(0.9, 1.0, 1.1))
        self.assertEqual(verdict(found), "faster than glibc and jemalloc, slower than tcmalloc, level with mimalloc; memory more than all")

    def test_says_all_where_all_are_alike(self):
        self.assertEqual(verdict(rounds(glibc=(1.2, 1.2), tcmalloc=(1.1, 1.1))), "faster than all; memory more than all")

    def test_says_nothing_of_one_round(self):
        self.assertEqual(verdict(rounds(glibc=(1.2,))), "too few rounds")


class Kept(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = pathlib.Path(scratch.name) / "folder" / "results.json"

    def test_rounds_are_there_again_for_the_same_versions_only(self):
        first = Results(self.path)
        first.rounds_of("jax", {"engine": "1"}).append({"glibc": {}})
        first.case("jax")["shares"] = "kept"
        first.save()
        self.assertEqual(Results(self.path).rounds_of("jax", {"engine": "1"}), [{"glibc": {}}])
        later = Results(self.path)
        self.assertEqual(later.rounds_of("jax", {"engine": "2"}), [])
        self.assertEqual(later.case("jax")["shares"], "kept")

    def test_leaves_one_file(self):
        Results(self.path).save()
        self.assertEqual(list(self.path.parent.iterdir()), [self.path])


if __name__ == "__main__":
    unittest.main()
