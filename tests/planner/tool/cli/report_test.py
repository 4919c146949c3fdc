"""What `memomalloc report` reads, writes and says. The page itself is looked at by a browser, in tests/planner/tool/report."""

import json
import os
import pathlib
import re
import shutil

import harness

INSTANCE = "id,lower,upper,size,scope,site\na,0,4,4096,conv,libnet.so+0x10\nb,1,3,2048,relu,libnet.so+0x20\n"
SOURCE = pathlib.Path(__file__).parents[4]
REASONS = re.findall(r'X\(k\w+, "(\w+)"', (SOURCE / "runtime/formats/reasons.h").read_text())
FIGURES = ("passes", "served", "served_bytes", "searched", "fallback_bytes", "kept_bytes", "slab_bytes", "lanes", "lanes_used", "pinned",
           "double_free", "bad_free", "abandoned", "plans_loaded", "plans_refused", "plans_grown", "recordings", "worker_passes",
           "worker_served", "worker_served_bytes", "worker_fallback", "worker_fallback_bytes", "worker_lanes")
PARTS = {
    "steady": ("passes", "served", "served_bytes", "missed", "missed_bytes", "kept", "kept_bytes", "warm_up"),
    "aside": ("passes", "kinds", "of_kinds"), "compared": ("passes", "blocks", "bytes"),
    "released": ("times", "lane_bytes", "heap_bytes"), "turns": ("waited", "in_vain"), "nodes": ("own", "other", "refused"),
    "own": ("plans", "slab_index", "threads", "hooks", "recorder"),
}
STATISTICS = json.dumps({
    **dict.fromkeys(FIGURES, 0), **{part: dict.fromkeys(figures, 0) for part, figures in PARTS.items()},
    "passes": 4, "served": 90, "fallback": {**dict.fromkeys(REASONS, 0), "too_big": 10},
    "plan": "a.plan", "heap": {"allocated": 0, "resident": 0}}) + "\n"


class Report(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.write("pass.csv", INSTANCE)
        self.write("stats.json", STATISTICS)

    def trace(self):
        shutil.copy(pathlib.Path(os.environ["MEMO_TRACE_CORPUS"]) / "small", self.folder / "small.trace")
        return "small.trace"

    def test_the_page_lies_beside_the_first_file(self):
        _, stderr = self.run_command("report", "pass.csv", "stats.json")
        self.assertIn("the report is in pass.html", stderr)
        self.assertIn("next: ", stderr)
        self.assertTrue(self.read("pass.html").startswith("<!doctype html>"))

    def test_nothing_is_overwritten_without_force(self):
        self.write("pass.html", "mine")
        _, stderr = self.run_command("report", "pass.csv", status=2)
        self.assertIn("--force", stderr)
        self.assertEqual(self.read("pass.html"), "mine")
        self.run_command("report", "--force", "pass.csv")
        self.assertNotEqual(self.read("pass.html"), "mine")

    def test_the_same_in_short(self):
        stdout, _ = self.run_command("report", "--text", "-s", "greedy-size,bump", "pass.csv", "stats.json")
        for words in ("pass.csv", "2 asking for 6.00 KiB", "greedy-size", "bump", "conv", "90.00 % of 100 allocations and",
                      "10 too_big"):
            self.assertIn(words, stdout)
        self.assertFalse((self.folder / "pass.html").exists())

    def test_the_answers_come_first(self):
        stdout, _ = self.run_command("report", "--text", "-s", "bump", "pass.csv", "stats.json")
        self.assertTrue(stdout.startswith("Does it help?         not measured yet: `memomalloc compare -- COMMAND` does\n"
                                          "How much is served?   the plan fits most of what runs: 90.00 % of the allocations"), stdout)
        self.assertIn("\nWhat to do?           too_big: a shape beyond the profile came", stdout)
        stdout, _ = self.run_command("report", "--text", "-s", "bump", "pass.csv")
        self.assertNotIn("What to do?", stdout)

    def test_what_changed_since_an_earlier_run(self):
        self.write("earlier.csv", INSTANCE.replace("2048", "1024"))
        self.write("earlier.stats.json", STATISTICS.replace('"too_big": 10', '"too_big": 0'))
        words = ("report", "-s", "bump", "pass.csv", "stats.json", "--against", "earlier.csv", "--against", "earlier.stats.json")
        stdout, _ = self.run_command(*words, "--text")
        self.assertRegex(stdout, r"What changed\? +the slab grew from 5.00 KiB to 6.00 KiB \(\+20.0 %\)")
        self.assertRegex(stdout, r"too_big +0.00 % +10.00 % +\+10.00 points")
        self.assertRegex(stdout, r"relu +1.00 KiB +2.00 KiB +\+100.0 %")
        differences = json.loads(self.run_command(*words, "--json")[0])["differences"]
        slab = differences["tables"][0]["rows"][0]
        self.assertEqual((slab["name"], slab["unit"], slab["before"], slab["after"]), ("slab", "bytes", 5120, 6144))

    def test_what_has_nothing_in_common_is_not_compared(self):
        _, stderr = self.run_command("report", "--text", "-s", "bump", "pass.csv", "--against", "stats.json", status=3)
        self.assertIn("stats.json and pass.csv have nothing to be compared", stderr)
        self.run_command("report", "--text", "pass.csv", "--against", "nowhere.plan", status=3)

    def test_everything_as_json(self):
        report = json.loads(self.run_command("report", "--json", "-s", "greedy-size", "pass.csv", "stats.json")[0])
        picture = report["pictures"][0]
        self.assertEqual(picture["buffers"]["size"], [4096, 2048])
        self.assertEqual(picture["lower_bound"], 6144)
        self.assertEqual(picture["layouts"][0]["name"], "greedy-size")
        self.assertEqual(len(picture["layouts"][0]["offset"]), 2)
        self.assertEqual(report["served"][0]["samples"][0]["fallback"]["too_big"], 10)

    def test_a_trace_and_its_plan_are_one_picture(self):
        trace = self.trace()
        self.run_command("plan", "-q", "-o", "small.plan", trace)
        report = json.loads(self.run_command("report", "--json", "-s", "bump", trace, "small.plan")[0])
        self.assertEqual(len(report["pictures"]), 1)
        self.assertEqual([layout["name"] for layout in report["pictures"][0]["layouts"]],
                         ["bump", "the profiled heap", "small.plan"])
        self.assertEqual(report["pictures"][0]["left_to_heap"][0]["reason"], "outlives its pass")

    def test_a_plan_that_makes_no_sense_is_refused(self):
        trace = self.trace()
        self.run_command("plan", "-q", "-o", "small.plan", trace)
        plan = json.loads(self.run_command("inspect", "--json", "small.plan")[0])
        plan["variants"][0]["slots"][0]["freed_at"] = 0
        self.write("odd.json", json.dumps(plan))
        self.run_command("plan", "-q", "-o", "odd.plan", "--from-json", "odd.json")
        _, stderr = self.run_command("report", "odd.plan", status=3)
        self.assertIn("odd.plan, variant 1: ", stderr)

    def test_strategies_that_have_no_plan_are_named(self):
        self.write("fixed.csv", "id,lower,upper,size,offset\na,0,4,64,0\nb,1,3,64,\n")
        _, stderr = self.run_command("report", "-s", "greedy-size,shared-size", "fixed.csv")
        self.assertIn("shared-size does not take this instance", stderr)

    def test_wrong_words(self):
        _, stderr = self.run_command("report", "-s", "fastest", "pass.csv", status=2)
        self.assertIn('no strategy "fastest"', stderr)
        self.run_command("report", status=2)
        self.run_command("report", "--text", "--json", "pass.csv", status=2)

    def test_files_that_are_nothing_of_the_kind(self):
        self.write("other.json", '{"some": "thing"}')
        _, stderr = self.run_command("report", "other.json", status=3)
        self.assertIn("other.json has no number called passes", stderr)
        self.write("half.json", '{"speed_figure": "seconds"}')
        _, stderr = self.run_command("report", "half.json", status=3)
        self.assertIn("half.json is not what `compare --json` prints", stderr)
        self.write("noise.bin", "\x7fELF\x00 nothing that is known, and long enough to be looked at " * 4)
        _, stderr = self.run_command("report", "noise.bin", status=3)
        self.assertIn("noise.bin", stderr)
        self.run_command("report", "nowhere.trace", status=3)


if __name__ == "__main__":
    harness.main()
