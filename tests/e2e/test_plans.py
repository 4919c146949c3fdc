"""Plans come and go under a running server: one that appears is taken up, one that is replaced gives way to the new one,
and one that was made from another build says so; the answers never change."""

import json
import os

from harness import BUILD, SMALL, PassesCase, Server, missed

BOTH = ("1x32", "2x32")


class Plans(PassesCase):
    def environment(self, plan):
        self.stats = self.folder / "stats.json"
        return {"LD_PRELOAD": str(BUILD / "lib" / "libmemomalloc.so"), "MEMOMALLOC_MODE": "serve",
                "MEMOMALLOC_PLAN": str(plan), "MEMOMALLOC_STATS": str(self.stats)}

    def test_a_plan_is_taken_up_and_replaced_while_the_server_runs(self):
        one, checksums = self.profile(*SMALL)
        first, _ = self.plan(one)
        both, two_checksums = self.profile(*SMALL, shapes=BOTH, requests=16, name="both.trace")
        second, _ = self.plan(both, name="both.plan")
        watched = self.folder / "watched.plan"
        with Server(*SMALL, environment=self.environment(watched)) as server:
            self.assertEqual(server.load(6), checksums)
            os.rename(first, watched)
            self.wait_until_plans_serve(server, 1, lambda: self.assertEqual(server.load(2), checksums))
            self.assertEqual(server.load(20), checksums)
            os.rename(second, watched)
            self.wait_until_plans_serve(server, 2, lambda: self.assertEqual(server.load(2), checksums))
            self.assertEqual(server.load(40, shapes=BOTH), two_checksums)
            self.assertEqual(server.stop(), 0, server.stderr())
            self.assertEqual(server.stderr().count("\n"), 1, server.stderr())
            self.assertIn("no plan at", server.stderr())
        statistics = json.loads(self.stats.read_text())
        self.assertEqual((statistics["plans_loaded"], statistics["plans_refused"]), (2, 0))
        self.assertGreater(statistics["fallback"]["no_plan"], 0)
        strayed = missed(statistics) - statistics["fallback"]["no_plan"]
        self.assertLessEqual(strayed, 0.01 * statistics["served"], statistics)

    def test_a_plan_of_another_build_is_one_line_and_all_on_the_heap(self):
        trace, checksums = self.profile(*SMALL)
        plan, report = self.plan(trace)
        text = json.loads(self.run_command("inspect", "--json", plan).stdout)
        for module in text["modules"]:
            module["build_id"] = "00" * 20
        stale = self.folder / "stale.json"
        stale.write_text(json.dumps(text))
        self.run_command("plan", "--from-json", stale)
        with Server(*SMALL, environment=self.environment(self.folder / "stale.plan")) as server:
            self.assertEqual(server.load(10), checksums)
            self.assertEqual(server.stop(), 0, server.stderr())
            self.assertEqual(server.stderr().count("\n"), 1, server.stderr())
            self.assertIn("another build", server.stderr())
        statistics = json.loads(self.stats.read_text())
        self.assertEqual(statistics["served"], 0)
        buffers = report["variants"][0]["buffers"] + report["variants"][0]["unplanned"]
        self.assertEqual(missed(statistics), statistics["passes"] * buffers)
        self.assertEqual(missed(statistics), statistics["fallback"]["unknown_site"] + statistics["fallback"]["gave_up"])
