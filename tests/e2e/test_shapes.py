"""Shapes that were profiled are served, request by request; shapes that were not are served where they lie on a line with
those that were, and run on the heap otherwise, correct and counted."""

import json
import os
import pathlib
import random
import sys

from harness import PassesCase, missed, share

PROGRAMS = pathlib.Path(__file__).parent / "programs"
BOTH = ("1x32", "2x32")


class Shapes(PassesCase):
    def test_two_profiled_shapes_are_both_served(self):
        trace, checksums = self.profile("--image", "32", shapes=BOTH, requests=16)
        plan, report = self.plan(trace)
        self.assertEqual([variant["shapes"] for variant in report["variants"]], [2])
        served, statistics, _ = self.serve(plan, "--image", "32", shapes=BOTH, requests=16)
        self.assertEqual(served, checksums)
        print(f"two shapes mixed: {statistics['served']} allocations served, {missed(statistics)} not")
        self.assertLessEqual(missed(statistics), 0.01 * statistics["served"], statistics)

    def test_traces_of_two_shapes_make_one_plan(self):
        first, _ = self.profile("--image", "32", shapes=BOTH[:1], name="first.trace")
        second, _ = self.profile("--image", "32", shapes=BOTH[1:], name="second.trace")
        _, report = self.plan(first, second)
        self.assertEqual([variant["shapes"] for variant in report["variants"]], [2])

    def test_batches_beyond_the_profile_are_served(self):
        """1 to 16 in random order after a profile of three, from a slab like that of the largest alone."""
        options = ("--threads", "1")
        trace, _ = self.profile(*options, shapes=("1x32", "4x32", "8x32"), requests=6)
        plan, report = self.plan(trace)
        self.assertEqual([variant["shapes"] for variant in report["variants"]], [3])
        alone, _ = self.profile(*options, shapes=("16x32",), requests=1, name="largest.trace")
        _, afresh = self.plan(alone, name="largest.plan")
        height = afresh["variants"][0]["height"]

        mixed = [f"{batch}x32" for batch in random.Random(1).sample(range(1, 17), 16)]
        served, statistics, _ = self.serve(plan, *options, shapes=mixed, requests=16, connections=1)
        print(f"batches 1 to 16 after a profile of 1, 4 and 8: {share(statistics):.2%} of the allocations served, "
              f"{statistics['plans_grown']} growths, slab {statistics['slab_bytes']} bytes, planned afresh {height}")
        self.assertEqual(served, self.answers(*options, shapes=mixed, requests=16))
        self.assertGreater(statistics["plans_grown"], 0)
        self.assertGreaterEqual(share(statistics), 0.95, statistics)
        self.assertLessEqual(statistics["slab_bytes"], 1.02 * height)
        foretold = json.loads(self.run_command("check", "--json", plan, alone).stdout)["traces"][0]
        self.assertGreaterEqual(foretold["served"], 0.95 * (foretold["served"] + missed({"fallback": foretold["fallback"]})))

    def test_every_verb_says_what_shapes_of_one_structure_asked_for(self):
        """Sizes on no line: one layout, named with the least and the most that a pass asked for."""
        trace = self.folder / "random.trace"
        self.run_command("profile", "-o", trace, "--", sys.executable, PROGRAMS / "random_sizes.py")
        plan, report = self.plan(trace)
        joined = max(report["variants"], key=lambda variant: variant["shapes"])
        self.assertGreaterEqual(joined["shapes"], 4)
        self.assertLess(joined["range"]["least_bytes"], joined["range"]["most_bytes"])
        said = f"{joined['shapes']} of one structure, asking for"
        structures = json.loads(self.run_command("inspect", "--json", trace).stdout)["structures"]
        self.assertEqual([(row["shapes"], row["least_bytes"], row["most_bytes"]) for row in structures],
                         [(joined["shapes"], joined["range"]["least_bytes"], joined["range"]["most_bytes"])])
        for words in (("inspect", trace), ("inspect", plan), ("check", plan, trace), ("report", "--text", trace)):
            self.assertIn(said, self.run_command(*words).stdout, words)

    def test_every_verb_says_which_sizes_vary(self):
        """A batch and a length, found in the sizes of what the passes allocate. The plan's file has them, and so has its JSON."""
        trace, again = (self.folder / name for name in ("texts.trace", "again.plan"))
        self.run_command("profile", "-o", trace, "--", sys.executable, PROGRAMS / "texts.py")
        plan, report = self.plan(trace)
        texts = [{"least": 1, "most": 4}, {"least": 8, "most": 96}]
        joined = [variant for variant in report["variants"] if variant["shapes"] > 1]
        self.assertEqual([variant["range"]["varying"] for variant in joined], [texts])
        whole = self.run_command("inspect", "--json", plan).stdout
        (self.folder / "plan.json").write_text(whole)
        self.run_command("plan", "--from-json", self.folder / "plan.json", "-o", again)
        self.assertEqual(again.read_bytes(), plan.read_bytes())
        structure, = json.loads(self.run_command("inspect", "--json", trace).stdout)["structures"]
        checked, = json.loads(self.run_command("check", "--json", plan).stdout)["variants"]
        picture, = json.loads(self.run_command("report", "--json", trace).stdout)["pictures"]
        for found in (structure, checked["range"], picture["shapes"]):
            self.assertEqual(found["varying"], texts)
        for words in (("inspect", trace), ("inspect", plan), ("check", plan), ("report", "--text", trace), ("report", "--text", plan)):
            self.assertIn("two sizes vary, 1 to 4 × 8 to 96", self.run_command(*words).stdout, words)

    def test_sides_whose_squares_count_are_served_beyond_the_profile(self):
        """What the plan calls t goes with the square of the side: 48 lies between those profiled, 16 below, and the others beyond."""
        pyramid = os.environ["MEMO_PYRAMID"]
        trace, plan = self.folder / "sides.trace", self.folder / "sides.plan"
        self.run_command("profile", "-o", trace, "--", pyramid, *["32", "64"] * 3)
        report = json.loads(self.run_command("plan", "--json", "-o", plan, trace).stdout)
        self.assertEqual([variant["shapes"] for variant in report["variants"]], [2])
        self.assertGreater(report["variants"][0]["growing"], 0)
        sides = random.Random(1).choices(("16", "32", "48", "64", "80", "96", "128", "192"), k=200)
        statistics = self.served_program(plan, pyramid, *sides)
        print(f"sides of 16 to 192 after a profile of 32 and 64: {share(statistics):.2%} of the allocations served, "
              f"{statistics['plans_grown']} growths")
        self.assertGreater(statistics["plans_grown"], 0)
        self.assertGreaterEqual(share(statistics), 0.95, statistics)

    def test_a_shape_that_was_not_profiled_runs_on_the_heap(self):
        """Its passes have no key to tell them by: blocks that happen to fit are served, and all are accounted for."""
        trace, _ = self.profile("--image", "32")
        plan, _ = self.plan(trace)
        served, statistics, _ = self.serve(plan, "--image", "32", shapes=("4x32",))
        self.assertEqual(served, self.answers("--image", "32", shapes=("4x32",)))
        self.assertGreater(missed(statistics), 0)
        other, _ = self.profile("--image", "32", shapes=("4x32",), name="other.trace")
        _, report = self.plan(other, name="other.plan")
        allocations = report["variants"][0]["buffers"] + report["variants"][0]["unplanned"]
        print(f"a shape that was not profiled: {statistics['served']} served, {missed(statistics)} not")
        self.assertEqual(statistics["served"] + missed(statistics), statistics["passes"] * allocations)
        done = self.run_command("check", "--json", plan, trace)
        self.assertEqual(json.loads(done.stdout)["traces"][0]["fallback"].get("too_big", 0), 0)
