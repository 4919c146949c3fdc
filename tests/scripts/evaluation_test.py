"""What the evaluation makes of its measurements: tables of strategies and of locks, and the thesis's figures
beside ours."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "evaluation"))

import beside
import lock_sweep
import pictures
import published
import steps
import summary
import turns
from configurations import Configuration


def compared(**times):
    rows = [{"name": name, "times_as_fast": {"value": value}, "figures": {"resident_peak": {"median": 400 << 20}}}
            for name, value in times.items()]
    return {"allocators": [*rows, {"name": "serve", "figures": {"resident_peak": {"median": 200 << 20}}}], "machine": {"cores": 2}}


def result(network="googlenet", workers=1, side=128, **findings):
    return {"configuration": Configuration(network, 1, side, workers), **findings}


def speeds(*values, network="googlenet", **options):
    return [result(network, turns=compared(**{"jemalloc-thesis": value}), **options) for value in values]


def swept(operations, waited):
    """workers -> rows; jemalloc's count begins with a thousand operations of the program's start."""
    return {workers: [{"name": name, "figures": {"passes_per_second": {"median": 100.0}},
                       "locks": {"operations": 1000 + operations[name] * workers * published.PASSES_OF_THE_WORST_CASE,
                                 "wait_seconds": waited[name] * (workers - 1), "longest_wait_seconds": 0.002}}
                      for name in operations] for workers in (1, 4)}


class Parts(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.steps = steps.Steps(Configuration("googlenet", 1, 128, 1), pathlib.Path(scratch.name), 1, [], 1.0)

    def test_is_done_when_the_last_file_of_each_part_is_there(self):
        for part in steps.PARTS:
            self.assertFalse(self.steps.are_done([part]))
            last = self.steps.last_file_of(part)
            last.parent.mkdir(exist_ok=True)
            last.touch()
            self.assertTrue(self.steps.are_done([part]))
        self.assertTrue(self.steps.are_done(steps.PARTS))

    def test_what_is_there_is_not_made_again(self):
        pass_file, tensors = self.steps.last_file_of("sizes"), self.steps.folder / "tensors.csv"
        pass_file.write_text("id,lower,upper,size\na,0,1,64\nb,0,2,4096\n")
        self.assertEqual(self.steps.buffers(), [{"lower": 0, "upper": 1, "size": 64}, {"lower": 0, "upper": 2, "size": 4096}])
        self.assertEqual(self.steps.tensors(), tensors)
        self.assertEqual(tensors.read_text(), "id,lower,upper,size\nb,0,2,4096\n")


class Strategies(unittest.TestCase):
    def tried(self, **more):
        return {"strategy": "mip", "status": "feasible", "height": 101, "lower_bound": 100, "seconds": 10.04, **more}

    def test_a_mip_without_a_plan_says_so(self):
        self.assertEqual(summary.height_cell(self.tried(status="timeout", height=None)), "no plan within 10 s")

    def test_a_mip_that_proved_nothing_says_so(self):
        self.assertEqual(summary.height_cell(self.tried()), "1.00 %, not proved")
        self.assertEqual(summary.height_cell(self.tried(status="optimal")), "1.00 %")

    def test_one_that_takes_no_such_problem_says_why(self):
        words = "memomalloc: the strategy mip does not take this problem: too many pairs; see --list-strategies"
        refused = {"status": "refused", "why": steps.why_refused(words)}
        table = summary.strategies([result(strategies={"pass": {"mip": refused}, "tensors": {"mip": self.tried()}})])
        self.assertIn("| googlenet-1x128 | refused |", table)
        self.assertIn("`mip` refuses googlenet-1x128: too many pairs.", table)
        self.assertIn("| googlenet-1x128 | 1.00 %, not proved |", table)

    def test_all_five_of_the_thesis_are_tried(self):
        self.assertLessEqual({"bump", "mip", "gergov", "greedy-size", "mincost-flow"}, set(steps.STRATEGIES))


class Locks(unittest.TestCase):
    def setUp(self):
        operations, waited = {"jemalloc-bare": 500, "jemalloc": 5}, {"jemalloc-bare": 0.1, "jemalloc": 0.0}
        self.results = [result(locks=swept(operations, waited))]

    def test_the_start_of_the_program_does_not_count(self):
        self.assertIn("| googlenet-1x128 | jemalloc-bare | 500 | 0.000 | 7.500 |", lock_sweep.table(self.results))
        self.assertIn("| googlenet-1x128 | jemalloc | 5 | 0.000 | 0.000 |", lock_sweep.table(self.results))

    def test_waiting_is_a_share_of_the_time_of_all_threads(self):
        bare = self.results[0]["locks"][4][0]
        self.assertAlmostEqual(lock_sweep.share_waited(bare, 4), 0.3 / (4 * 40 / 100))
        self.assertAlmostEqual(lock_sweep.waited_milliseconds(bare, 4), 300 / 40)

    def test_the_picture_has_a_line_for_each_allocator(self):
        self.assertEqual(lock_sweep.picture(self.results).count("<polyline"), 2)


def in_turn(network="googlenet", batch=1, *, same_answers=True, **peers):
    """peers: name -> (times as fast, MiB at the most and at the peak); the plan takes 100."""
    def figures(mebibytes):
        return {"figures": {name: {"median": mebibytes << 20} for name in ("resident_high", "resident_peak")}}
    rows = [{"name": name, "times_as_fast": {"value": value}, **figures(mebibytes)} for name, (value, mebibytes) in peers.items()]
    return {"configuration": Configuration(network, batch, 128, 1),
            "turns": {"allocators": [*rows, {"name": "serve", **figures(100)}], "machine": {"cores": 2}, "same_answers": same_answers}}


class InTurn(unittest.TestCase):
    def setUp(self):
        self.results = [in_turn("vgg16", 1, glibc=(2.0, 125), tcmalloc=(1.01, 110)),
                        in_turn("vgg16", 8, glibc=(2.0, 80), tcmalloc=(1.05, 110)),
                        in_turn("dcgan", 1, glibc=(1.1, 125), tcmalloc=(0.98, 98))]
        self.report = turns.report(self.results)

    def test_speed_is_a_mean_over_inputs_and_one_over_everything(self):
        self.assertIn("| vgg16 | 2 | 2.000 | 1.030 |", self.report)
        self.assertIn("| **geometric mean** | 3 | **1.639** | **1.013** |", self.report)
        self.assertIn("| least |  | 1.100 | 0.980 |", self.report)

    def test_networks_are_in_the_order_of_the_evaluation(self):
        self.assertLess(self.report.index("| dcgan |"), self.report.index("| vgg16 |"))

    def test_speed_by_input_has_a_column_for_each_input(self):
        self.assertIn("| served, times as fast as | 1x128 (2) | 8x128 (1) |", self.report)
        self.assertIn("| glibc | 1.483 (", self.report)

    def test_memory_is_held_against_the_leanest_and_names_the_worst_input(self):
        self.assertIn("| vgg16 | 2 | 0.909 to 1.250 (8x128) | 0.909 to 1.250 (8x128) |", self.report)
        self.assertIn("- The leanest while steady: tcmalloc in 2, glibc in 1.", self.report)

    def test_what_beats_the_plan_in_both_is_named(self):
        self.assertIn("- The fastest: tcmalloc in 3.", self.report)
        self.assertIn("- Faster and leaner than the plan by a hundredth each: dcgan-1x128-w1 (tcmalloc).", self.report)

    def test_other_answers_are_named(self):
        self.assertIn("Other answers than under the plan: none.", self.report)
        self.assertIn("Other answers than under the plan: dcgan-1x128-w1.",
                      turns.report([in_turn("dcgan", same_answers=False, glibc=(1.0, 100))]))

    def test_the_pictures_have_a_line_for_each_network(self):
        for picture in (turns.speed_picture(self.results), turns.memory_picture(self.results)):
            self.assertEqual(picture.count("r='4'"), 4)

    def test_the_thesis_stands_beside_them(self):
        self.assertIn("jemalloc-thesis, mean | 20 % | 20 % |", beside.report([in_turn(**{"jemalloc-thesis": (1.25, 100)})]))
        self.assertIn("Machine: cores 2.", summary.report(self.results))


class Heap(unittest.TestCase):
    def test_the_picture_has_what_is_alive_each_heap_and_the_slab(self):
        heap = {"live": [10, 20, 0], "active": [4096, 8192, 4096], "resident": [1 << 20, 2 << 20, 1 << 20]}
        picture = pictures.alive(result(variants=[{"height": 1 << 20}], heaps={"jemalloc": heap, "jemalloc-thesis": heap}))
        for words in ("alive: 0.00 at most", "jemalloc, active: 0.01 at most", "jemalloc-thesis, in memory: 2.00 at most", "the slab is 1.00"):
            self.assertIn(words, picture)
        self.assertEqual(picture.count("<polyline"), 4)

    def test_a_level_line_is_drawn_from_its_ends(self):
        self.assertEqual(pictures.extremes([(number / 100, 5) for number in range(100)], 50), [(0.0, 5), (0.98, 5)])


class Beside(unittest.TestCase):
    def test_speed_is_told_as_the_thesis_tells_it(self):
        rows = list(beside.speed_rows(speeds(1.25, 1.25)))
        self.assertEqual(rows[0][2:], ("20 %", "20 % (20 % to 20 %)"))
        self.assertEqual(rows[2][2:], ("almost all of 288", "2 of 2"))

    def test_networks_that_lose_in_the_thesis_have_a_row(self):
        rows = list(beside.speed_rows(speeds(0.9, network="dcgan")))
        self.assertIn(("5, figure 4.1a", "dcgan-1x128-w1, times as fast", "slower", "0.900"), rows)

    def test_speed_by_workers_is_a_picture_there_and_a_number_here(self):
        rows = list(beside.speed_rows(speeds(1.5) + speeds(1.2, workers=32)))
        self.assertEqual(rows[-1], ("figure 4.1", "workers: 32, times as fast, mean", "a picture", "1.200"))

    def test_what_a_pass_has_alive_stands_beside_the_share_of_the_thesis(self):
        buffers = [{"lower": 0, "upper": 2, "size": 10 << 20}, {"lower": 1, "upper": 3, "size": 10 << 20},
                   {"lower": 2, "upper": 4, "size": 10 << 20}]
        self.assertEqual(beside.peak_of(buffers), 20 << 20)
        (found,) = beside.intermediate_rows([result("squeezenet1_0", turns=compared(), buffers=buffers)])
        self.assertEqual(found[2:], ("57 % of 760 MB, inputs not said", "10 % of 200 MiB"))

    def test_planning_time_is_told_with_and_without_small_blocks(self):
        tried = {"greedy-size": {"strategy": "greedy-size", "status": "feasible", "height": 100, "lower_bound": 100, "seconds": 0.002}}
        (height, time) = beside.strategy_rows([result(strategies={"pass": tried, "tensors": tried})])
        self.assertEqual((height[2:], time[2:]), (("nearly optimal", "0.00 %"), ("fast enough before each pass", "2.0 ms, 2.0 ms")))

    def test_has_only_what_was_measured_and_every_picture(self):
        report = beside.report([result(buffers=[{"lower": 0, "upper": 1, "size": 1 << 20}])])
        self.assertIn("| table 3.1 | googlenet, allocations that the profiler saw | 788 | 1 |", report)
        self.assertIn("| figure 2.3 | allocations of googlenet-1x128 below 1 MB | most | 0.0 % |", report)
        self.assertNotIn("less time a pass", report)
        for picture in published.PICTURES:
            self.assertIn(f"| {picture.number} |", report)


if __name__ == "__main__":
    unittest.main()
