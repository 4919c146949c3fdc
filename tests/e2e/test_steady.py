"""In steady state every planned allocation of every pass comes from the slab, no pass meets a page fault, and the answers
do not change: with one worker, with as many as cores, with more; the slab is no larger than its lanes, and hardly higher
than it must be. Each test prints the figures it judges."""

import json

from harness import COMMAND, SMALL, PassesCase, Server, missed


class Steady(PassesCase):
    def check_workers(self, workers):
        options = (*SMALL, "--threads", str(workers))
        trace, _ = self.profile(*options)
        plan, report = self.plan(trace)
        checksums, statistics, _ = self.serve(plan, *options, connections=workers, lanes=workers, requests=4 * workers)

        self.assertEqual(checksums, self.answers(*options))
        self.assertEqual(missed(statistics), 0, statistics)
        self.assertEqual(statistics["served"], statistics["passes"] * report["variants"][0]["buffers"])
        self.assertEqual(statistics["double_free"] + statistics["bad_free"], 0)
        self.assertEqual(statistics["slab_bytes"], workers * report["variants"][0]["height"])
        print(f"{workers} workers: {statistics['passes']} passes, {statistics['served']} allocations served, "
              f"{missed(statistics)} not; slab {statistics['slab_bytes']} bytes in {statistics['lanes']} lanes")

    def test_one_worker(self):
        self.check_workers(1)

    def test_two_workers(self):
        self.check_workers(2)

    def test_eight_workers(self):
        self.check_workers(8)

    def test_the_slab_is_at_most_one_per_cent_over_its_bound(self):
        trace, _ = self.profile("--image", "96")
        _, report = self.plan(trace)
        for variant in report["variants"]:
            self.assertLessEqual(variant["height"], 1.01 * variant["lower_bound"], variant)
            print(f"height {variant['height']}, bound {variant['lower_bound']}: "
                  f"{100 * (variant['height'] / variant['lower_bound'] - 1):.3f} % over")

    def check_page_faults(self, workers):
        options = ("--image", "64", "--threads", str(workers))
        passes = 100
        trace, _ = self.profile(*options)
        plan, _ = self.plan(trace)
        with Server(*options, prefix=(COMMAND, "serve", "--plan", str(plan), "--lanes", str(workers), "--")) as server:
            server.load(20 * workers, connections=workers)
            before = server.page_faults()
            server.load(passes, connections=workers)
            faults = server.page_faults() - before
            self.assertEqual(server.stop(), 0, server.stderr())
        print(f"{workers} workers: {faults} page faults in {passes} passes")
        self.assertLess(faults, passes)

    def test_no_page_faults_with_one_worker(self):
        self.check_page_faults(1)

    def test_no_page_faults_with_two_workers(self):
        self.check_page_faults(2)

    def test_check_foretells_what_serve_does(self):
        trace, _ = self.profile(*SMALL)
        plan, _ = self.plan(trace)
        done = self.run_command("check", plan, trace)
        self.assertIn("100.00 %", done.stdout)

    def test_inspect_shows_the_plan_that_plan_made(self):
        trace, _ = self.profile(*SMALL)
        plan, report = self.plan(trace)
        shown = json.loads(self.run_command("inspect", "--json", plan).stdout)
        self.assertEqual(len(shown["variants"][0]["slots"]), report["variants"][0]["buffers"])
        self.assertEqual(shown["variants"][0]["height"], report["variants"][0]["height"])
        self.assertIn("mini_op_conv2d", self.run_command("inspect", plan).stdout)
        self.run_command("inspect", "--csv", self.folder / "csv", plan, status=2)

    def test_a_plan_comes_back_from_json_byte_for_byte(self):
        trace, _ = self.profile(*SMALL)
        plan, _ = self.plan(trace)
        text, again = self.folder / "plan.json", self.folder / "again.plan"
        text.write_text(self.run_command("inspect", "--json", plan).stdout)
        self.run_command("plan", "--from-json", text, "-o", again)
        self.assertEqual(again.read_bytes(), plan.read_bytes())
        text.write_text(text.read_text().replace('"alignment": 64', '"alignment": 63', 1))
        refused = self.run_command("plan", "--from-json", text, "-o", again, "--force", status=3)
        self.assertIn("has alignment 63", refused.stderr)
        self.run_command("plan", "--from-json", text, trace, status=2)
        self.run_command("plan", status=2)

    def test_operators_on_one_thread_are_not_parallel(self):
        trace, _ = self.profile(*SMALL)
        plan, report = self.plan(trace)
        kept = self.folder / "kept.plan"
        done = self.run_command("plan", "--json", "--keep-parallel", "-o", kept, trace)
        self.assertEqual(json.loads(done.stdout)["variants"][0]["height"], report["variants"][0]["height"])
