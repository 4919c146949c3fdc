"""A program of which nothing can be learned: the first start under `memomalloc run` finds out and keeps a verdict, the next
ones do not pay for it again, say so in one line, and try again where there is a reason to. A failure is a start that records
although nothing has changed, or one that does not although something has."""

import json
import os
import shutil
import subprocess
import time
import unittest

from harness import COMMAND, PATIENCE, PassesCase

ALLOCATIONS = "4000000"  # more than are recorded at once


class Verdict(PassesCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache" / "memomalloc"
        self.program = self.folder / "aimless"
        shutil.copy2(os.environ["MEMO_AIMLESS"], self.program)

    def command(self, *words, **variables):
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache"), **variables}
        done = subprocess.run([COMMAND, *words], env=environment, capture_output=True, text=True, timeout=2 * PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def start(self, *options, allocations=ALLOCATIONS, finish="60s", **variables):
        return self.command("run", "--finish", finish, *options, "--", self.program, allocations, **variables)

    def verdict(self):
        [path] = self.cache.glob("*.nothing")
        return path

    def assert_learns(self, *options, **variables):
        """Not to its end: a planner that is not there learns nothing, and leaves what is known."""
        lines = self.start(*options, finish="0", **variables).stderr.splitlines()
        self.assertIn(f"memomalloc: learning the passes of {self.program}", lines)

    def change(self, **fields):
        path = self.verdict()
        path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))

    def test_what_cannot_be_learned_is_not_recorded_again_until_there_is_a_reason(self):
        first = self.start()
        self.assertIn("no pass recurs in", first.stderr)
        kept = json.loads(self.verdict().read_text())
        self.assertEqual((kept["starts"], kept["command"]), (0, [str(self.program), ALLOCATIONS]))
        self.assertIn(kept["why"], first.stderr)

        again = self.start()
        self.assertEqual(again.stdout, first.stdout)
        line, why = again.stderr.splitlines()
        self.assertIn("nothing was learned of this command at ", line)
        self.assertIn("name it with --pass-symbol", why)
        self.assertLessEqual(max(len(line), len(why)), 200)
        self.assertEqual(json.loads(self.verdict().read_text())["starts"], 1)
        self.assertEqual([path.name for path in self.cache.iterdir()], [self.verdict().name])
        self.show_and_clear_are_told()

        for options, variables in ((("--pass-symbol", "serve_*"), {}), ((), {"MEMOMALLOC_PASS_SYMBOLS": "serve_*"})):
            self.assert_learns(*options, **variables)
        self.assertEqual(len(self.start().stderr.splitlines()), 2)
        for fields in ({"starts": 20}, {"made": "2020-01-01T00:00:00Z"}, {"version": "0.0.1"}):
            with self.subTest(fields=fields):
                self.change(**fields)
                self.assert_learns()
                self.verdict().write_text(json.dumps(kept))
        os.utime(self.program, (time.time() + 3600,) * 2)
        self.assert_learns()

        name = self.verdict().with_suffix(".plan").name
        self.command("cache", "clear", name)
        self.assertEqual(list(self.cache.iterdir()), [])
        self.assert_learns()

    def show_and_clear_are_told(self):
        name = self.verdict().with_suffix(".plan").name
        [listed] = json.loads(self.command("cache", "list", "--json").stdout)["plans"]
        self.assertEqual((listed["name"], listed["current"], listed["verdict"]["starts"]), (name, False, 1))
        self.assertIn("nothing learned", self.command("cache", "list").stdout)
        shown = self.command("cache", "show", name)
        self.assertIn("none: nothing was learned: no pass recurs in", shown.stdout)
        self.assertIn(f"next: memomalloc cache clear {name}", shown.stderr)
        self.command("cache", "clear", "--stale")
        self.assertTrue(self.verdict().exists())

    def test_starts_that_were_too_short_speak_for_one_start_and_then_for_twice_as_many(self):
        recorded = []
        for _ in range(1 + 1 + 1 + 2 + 1):
            recorded.append("learning the passes of" in self.start(allocations="100000").stderr)
        self.assertEqual(recorded, [True, False, True, False, False, True])
        self.assertEqual(json.loads(self.verdict().read_text())["covers"], 4)

    def test_a_short_job_without_marks_is_left_alone_at_its_next_start(self):
        self.assertIn("the next start is not recorded", self.start(allocations="400000", finish="1ms").stderr)
        self.assertIn("which --finish 30s gives it time for", self.start(allocations="400000").stderr)

    def test_without_a_cache_no_verdict_is_kept(self):
        # The program may end before anybody has looked at what was recorded.
        self.assertRegex(self.start("--no-cache").stderr, "no pass recurs|the program ended before there was a plan")
        self.assertFalse(self.cache.exists())


if __name__ == "__main__":
    unittest.main()
