"""What a start finds out about the worth of serving, the next one knows: it stands aside from its first pass on where serving was
found to harm, and compares nothing again at once. A failure is a start that compares what is known, one that believes a file that is
damaged, old, or of another plan, or a file that cannot be written and costs more than a note. How long passes take is measured: no
test says what is found, but for the files that it writes itself."""

import json
import os
import signal
import subprocess
import unittest

import found
from harness import BUILD, COMMAND, PATIENCE, AskedProgram, PassesCase, wait_until

PROGRAM = os.environ["MEMO_CHANGING"]
# A superuser who has to keep to what a folder allows.
OBEDIENT = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
FEW = "a 20"  # passes, and fewer than after which a plan is judged
MANY = "a 500"


class Worth(PassesCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache" / "memomalloc"
        self.stats = self.folder / "stats.json"
        self.log = self.folder / "log"
        self.environment = {"XDG_CACHE_HOME": str(self.folder / "cache"), "MEMOMALLOC_ASIDE": "auto", "MEMOMALLOC_LOG": str(self.log)}
        with AskedProgram(PROGRAM) as program:
            self.expected = {words: program.ask(words) for words in (FEW, MANY)}

    def start(self):
        return AskedProgram(PROGRAM, prefix=(COMMAND, "run", "--stats", str(self.stats), "--"), environment=self.environment)

    def alone(self):
        """With the library in it and nobody beside it."""
        return AskedProgram(PROGRAM, prefix=OBEDIENT, environment={
            **self.environment, "LD_PRELOAD": str(BUILD / "lib" / "libmemomalloc.so"), "MEMOMALLOC_MODE": "auto"})

    def ask(self, program, words):
        self.assertEqual(program.ask(words), self.expected[words])

    def ask_until(self, program, holds):
        wait_until(holds, program.stderr, lambda: self.ask(program, MANY))

    def start_shortly(self):
        """(statistics, stderr, log) of a start with few passes."""
        self.log.unlink(missing_ok=True)
        with self.start() as program:
            self.ask(program, FEW)
            program.end()
            log = self.log.read_text() if self.log.exists() else ""
            return json.loads(self.stats.read_text()), program.stderr(), log

    def learn(self):
        """The plan that came of it."""
        with self.start() as program:
            self.ask_until(program, lambda: "planned; serving" in program.stderr())
        (plan,) = self.cache.glob("*.plan")
        return plan

    def command(self, *words):
        """Whatever its status says."""
        done = subprocess.run([COMMAND, *map(str, words)], env={**os.environ, **self.environment}, capture_output=True, text=True,
                              timeout=2 * PATIENCE, check=False)
        return done.stdout

    def version(self):
        return self.command("--version").split()[1]

    def test_the_next_start_knows_what_was_found(self):
        with self.start() as program:
            self.ask_until(program, lambda: list(self.cache.glob("*.plan.worth")))
            os.kill(program.children()[0], signal.SIGKILL)
            program.process.wait(timeout=PATIENCE)
        statistics, errors, _ = self.start_shortly()
        self.assertTrue(statistics["worth"]["found_earlier"], statistics)
        self.assertGreaterEqual(statistics["worth"]["pairs"], 8)
        self.assertEqual(statistics["compared"]["passes"], 0)
        self.assertIn("(found earlier)", errors)
        self.assertLessEqual(max(map(len, errors.splitlines())), 200)
        self.assertEqual(list(self.cache.glob("*.part")), [])

    def test_what_was_harmed_stands_aside_from_the_first_pass_on(self):
        plan = self.learn()
        found.path_beside(plan).write_bytes(found.harmed(plan, self.version()))
        statistics, _, log = self.start_shortly()
        self.assertEqual(statistics["state"], "standing aside")
        self.assertEqual((statistics["aside"]["passes"], statistics["compared"]["passes"]), (statistics["passes"], 0))
        (line,) = [line for line in log.splitlines() if "serving stands aside" in line]
        self.assertIn("as an earlier start found: serving stands aside for it for 10 min", line)
        self.assertLessEqual(len(line[line.index("a request takes"):]), 200)
        self.who_shows_the_plan_says_it(plan)

    def who_shows_the_plan_says_it(self, plan):
        sentence = "a request takes 20.0 % (19.0 to 21.0) more processor time than on the heap (found "
        self.assertIn(f"worth      {sentence}", self.command("cache", "show", plan.name))
        self.assertIn(f"{plan.name}: {sentence}", self.command("cache", "list"))
        (listed,) = json.loads(self.command("cache", "list", "--json"))["plans"]
        self.assertIn(sentence, listed["worth"])
        findings = json.loads(self.command("doctor", "--json", "--trial", "0", "--", PROGRAM))["findings"]
        (finding,) = [finding for finding in findings if finding["about"] == "worth"]
        self.assertEqual(finding["level"], "advice")
        self.assertIn(sentence, finding["text"])
        answers = json.loads(self.command("report", "--json", plan))["answers"]
        self.assertIn(sentence, answers[0]["text"])
        self.command("cache", "clear", plan.name)
        self.assertEqual([path.name for path in self.cache.iterdir()], [])

    def test_a_finding_that_does_not_count_is_none(self):
        plan = self.learn()
        path = found.path_beside(plan)
        good = found.harmed(plan, self.version())
        wrong = {"cut": good[:-1], "damaged": good[:100] + bytes([good[100] ^ 1]) + good[101:], "empty": b"",
                 "of long ago": found.harmed(plan, self.version(), age=4 * 24 * 60 * 60),
                 "of another version": found.harmed(plan, "0.0.0"), "of other passes": found.harmed(plan, self.version(), key=7)}
        for name, data in wrong.items():
            with self.subTest(finding=name):
                path.write_bytes(data)
                statistics, _, log = self.start_shortly()
                self.assertEqual((statistics["state"], statistics["aside"]["passes"]), ("serving", 0))
                self.assertFalse(statistics["worth"]["found_earlier"])
                self.assertEqual("an earlier start found" in log, name == "of other passes")

    def test_a_finding_that_cannot_be_kept_costs_one_note(self):
        plan = self.learn()
        found.path_beside(plan).unlink(missing_ok=True)
        self.cache.chmod(0o555)
        self.addCleanup(self.cache.chmod, 0o755)
        self.log.unlink(missing_ok=True)
        with self.alone() as program:
            self.ask_until(program, lambda: self.log.exists() and "cannot keep what serving is worth" in self.log.read_text())
            self.ask(program, MANY)
        self.assertEqual(self.log.read_text().count("cannot keep"), 1)


if __name__ == "__main__":
    unittest.main()
