"""What `memomalloc size` says that a server with a plan needs.

The plans are that of a program which is profiled here, and one of the corpus whose sizes follow two numbers. A failure means
that a container gets less memory than its server takes, that a figure is made up where none is known, or that a figure for
people is not the one for programs.
"""

import json
import pathlib
import re
import shutil

import harness

TEXTS = pathlib.Path(__file__).parents[4] / "tests/fuzz/corpus/plan/texts"  # up to 8 x 16
MI = 1 << 20
LARGEST = 3 * MI  # of the program's blocks


class Size(harness.CliTest):
    def setUp(self):
        super().setUp()
        shutil.copy(TEXTS, self.folder / "texts.plan")

    def plan(self):
        """Of a program that is profiled, and how to call it."""
        program = self.build_program("program", BYTES=LARGEST, STEPS=8)
        self.run_command("profile", "-q", "-o", "server.trace", "--", program)
        self.run_command("plan", "-q", "server.trace")
        return program

    def figures(self, *words, status=0):
        return json.loads(self.run_command("size", "-q", "--json", *words, status=status)[0])

    def text(self, *words, status=0):
        return self.run_command("size", "-q", *words, status=status)[0]

    def refused(self, *words, status=2):
        out, err = self.run_command("size", *words, status=status)
        self.assertEqual((out, len(err.splitlines())), ("", 1), err)
        return err

    def test_a_lane_takes_in_a_process_what_is_foreseen(self):
        program = self.plan()
        self.run_command("serve", "-q", "--plan", "server.plan", "--lanes", "3", "--stats", "server.stats", "--", program)
        served = json.loads(self.read("server.stats"))
        height = max(variant["height"] for variant in self.figures("server.plan")["variants"])
        self.assertGreaterEqual(height, LARGEST)
        self.assertEqual((served["lanes"], served["slab_bytes"]), (3, 3 * height))

    def test_without_a_base_none_is_made_up(self):
        figures = self.figures("texts.plan", "--limit", "4Gi", "--at-once", "2")
        self.assertIsNone(figures["base_bytes"])
        self.assertIsNone(figures["kubernetes"])
        self.assertEqual(figures["at_once"]["bytes"], 2 * figures["request_bytes"])
        text = self.text("texts.plan", "--limit", "4Gi", "--at-once", "2")
        for said in (figures["note"], text):
            self.assertIn("without what the program holds before its first pass; give --base", said)
        self.assertNotIn("resources:", text)

    def test_how_many_fit_at_once(self):
        self.plan()
        request = self.figures("server.plan")["request_bytes"]
        for limit, fitting in ((10 * MI + 7 * request, 7), (10 * MI + 7 * request - 1, 6), (10 * MI, 0)):
            words = ("server.plan", "--base", "10Mi", "--limit", str(limit))
            self.assertEqual(self.figures(*words)["limit"], {"bytes": limit, "fit_at_once": fitting})
            said = f"{fitting} of the largest fit at once" if fitting else "not one of the largest fits: raise the limit to"
            self.assertIn(said, self.text(*words))

    def test_the_proposal_is_the_base_with_one_and_with_all(self):
        self.plan()
        request = self.figures("server.plan")["request_bytes"]
        requests, limits = (f"{-(-(310 * MI + count * request) // MI)}Mi" for count in (1, 4))
        for words in (("--at-once", "4"), ("--limit", str(310 * MI + 4 * request))):
            words = ("server.plan", "--base", "310Mi", *words)
            self.assertEqual(self.figures(*words)["kubernetes"], {"requests": requests, "limits": limits})
            self.assertIn(f"resources: {{ requests: {{ memory: {requests} }}, limits: {{ memory: {limits} }} }}\n", self.text(*words))

    def test_no_proposal_without_a_number_of_requests(self):
        self.assertIsNone(self.figures("texts.plan", "--base", "310Mi")["kubernetes"])
        self.assertIsNone(self.figures("texts.plan", "--base", "310Mi", "--limit", "300Mi")["kubernetes"])

    def test_more_at_once_than_fit_is_a_fault(self):
        words = ("texts.plan", "--base", "310Mi", "--limit", "311Mi", "--at-once")
        self.assertTrue(self.figures(*words, "30")["at_once"]["fits"])
        figures = self.figures(*words, "200", status=5)
        self.assertFalse(figures["at_once"]["fits"])
        self.assertIsNone(figures["kubernetes"])
        self.assertIn("more than the limit", self.text(*words, "200", status=5))

    def test_heights_by_shape(self):
        planned = self.figures("texts.plan")["variants"][0]["height"]
        self.assertRegex(self.text("texts.plan"), r"\n1 +0x0 +1 +8 x 16 .* 1 x 1: ")
        (inside,) = self.figures("texts.plan", "--shape", "8x16")["shape"]["variants"]
        self.assertEqual((inside["grows"], inside["height"]), (False, planned))
        larger = self.figures("texts.plan", "--shape", "10x20")
        (grown,) = larger["shape"]["variants"]
        self.assertEqual((grown["grows"], grown["served"]), (True, True))
        self.assertGreater(grown["height"], planned)
        self.assertGreaterEqual(larger["lane_bytes"], grown["height"])
        self.assertIn("10 x 20: variant 1 grows to ", self.text("texts.plan", "--shape", "10x20"))

    def test_a_shape_that_the_library_would_not_serve(self):
        (huge,) = self.figures("texts.plan", "--shape", "800x1600")["shape"]["variants"]
        self.assertFalse(huge["served"])
        self.assertIn("more than 4 times as planned: it goes to the heap", self.text("texts.plan", "--shape", "800x1600"))

    def test_people_and_programs_read_the_same(self):
        figures = self.figures("texts.plan")
        text = self.text("texts.plan")
        self.assertIn(f"takes {figures['request_bytes'] / 1024:.2f} KiB", text)
        rows = re.findall(r"^(\d+) +0x", text, re.MULTILINE)
        self.assertEqual([int(row) for row in rows], [variant["variant"] for variant in figures["variants"]])
        self.assertIn(f" {figures['variants'][0]['height'] / 1024:.2f} KiB ", text)

    def test_values_that_are_none(self):
        for option, values in (("--base", ("abc", "1.5G", "-1", "9999999T")), ("--limit", ("Gi", "4Gix")),
                               ("--at-once", ("0", "256", "two")), ("--shape", ("8", "8x", "x8", "0x4", "8x16x2", "8x999999"))):
            for value in values:
                err = self.refused("texts.plan", f"{option}={value}")
                self.assertIn(f'{option} is "{value}"; give ', err)

    def test_a_shape_that_no_pass_follows(self):
        self.plan()
        self.assertIn("no pass of server.plan follows two sizes", self.refused("server.plan", "--shape", "8x16"))

    def test_a_file_that_is_no_plan(self):
        self.write("no.plan", "nothing")
        self.assertIn("cannot use the plan no.plan: ", self.refused("no.plan", status=3))
        self.assertIn("cannot read the plan missing: ", self.refused("missing", status=3))
        self.assertIn("size needs PLAN", self.refused())


if __name__ == "__main__":
    harness.main()
