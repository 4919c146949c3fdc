"""What `memomalloc pack` prints and exits with: golden texts for each kind of answer, one case for each exit status.

A failure means that a script written against the documented words, keys or statuses would break.
"""

import json
import os
import pty
import random
import shutil
import signal
import subprocess

import harness

FIVE = "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n"
# Its peak is 7 bytes; `bump`, which reuses nothing while something lives, needs 12.
CHAIN = "id,lower,upper,size\na,0,2,3\nb,1,4,2\nc,3,6,3\nd,5,7,2\ne,0,7,2\n"


class Answers(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.write("five.csv", FIVE)

    def both(self, *arguments, status=0):
        stdout, stderr = self.run_command("pack", "--input", "five.csv", "-s", "greedy-size", *arguments,
                                          status=status)
        return f"--- stdout\n{stdout}--- stderr\n{stderr}"

    def test_a_plan_for_people(self):
        self.assert_golden("pack_plan.txt", self.both())

    def test_a_plan_for_programs(self):
        self.assert_golden("pack_plan.json.txt", self.both("--json"))

    def test_infeasible_names_the_clique(self):
        self.assert_golden("pack_infeasible.txt", self.both("--capacity", "11", status=4))

    def test_infeasible_for_programs(self):
        self.assert_golden("pack_infeasible.json.txt", self.both("--capacity", "11", "--json", status=4))

    def test_the_offsets(self):
        self.assert_golden("pack_output.txt", self.both("--output", "out.csv"))
        self.assert_golden("pack_output.csv", self.read("out.csv"))

    def test_help(self):
        stdout, _ = self.run_command("pack", "--help")
        for option in ("--input", "--capacity", "--strategy", "--timeout", "--nodes", "--threads", "--seed", "--output",
                       "--force", "--list-strategies", "--json", "--quiet"):
            self.assertIn(option, stdout)

    def test_quiet_says_nothing_on_stderr(self):
        self.assertEqual(self.run_command("pack", "-q", "--input", "five.csv", "-s", "greedy-size")[1], "")

    def test_json_has_the_keys_of_the_contract(self):
        stdout, _ = self.run_command("pack", "--input", "five.csv", "-s", "greedy-size", "--json")
        keys = {"status", "height", "lower_bound", "buffers", "strategy", "seconds", "nodes"}
        self.assertLessEqual(keys, json.loads(stdout).keys())

    def test_reads_stdin(self):
        stdout, _ = self.run_command("pack", "-q", "--json", "--input", "-", "-s", "greedy-size", stdin=FIVE)
        self.assertEqual(json.loads(stdout)["height"], 12)

    def test_its_own_output_is_accepted_as_fixed_places(self):
        self.run_command("pack", "--input", "five.csv", "-s", "greedy-size", "--output", "out.csv")
        stdout, _ = self.run_command("pack", "--input", "out.csv", "-s", "greedy-size", "--json")
        self.assertEqual(json.loads(stdout)["height"], 12)

    def test_no_buffers_is_a_plan_of_height_0(self):
        self.write("none.csv", "id,lower,upper,size\n")
        stdout, _ = self.run_command("pack", "--input", "none.csv", "-s", "greedy-size", "--json")
        answer = json.loads(stdout)
        self.assertEqual((answer["status"], answer["height"]), ("optimal", 0))


# `below` cannot go below the fixed buffer: the optimum is 4, although 3 bytes are alive and no sweep can tell.
ABOVE = "id,lower,upper,size,offset\nfixed,0,2,1,1\nbelow,0,2,2,\n"


class NoPlan(harness.CliTest):
    def test_infeasible_by_search_is_told_apart_from_infeasible_by_size(self):
        self.write("above.csv", ABOVE)
        stdout, stderr = self.run_command("pack", "-i", "above.csv", "--json", "-c", "3", status=4)
        self.assertEqual(json.loads(stdout)["status"], "infeasible")
        self.assertIn("The sizes alone would fit: 2 buffers alive together in [0, 2) take 3 bytes", stderr)

    def test_what_only_a_search_can_prove_is_said(self):
        self.write("above.csv", ABOVE)
        stdout, stderr = self.run_command("pack", "-i", "above.csv", "--json")
        self.assertEqual((json.loads(stdout)["status"], json.loads(stdout)["height"]), ("optimal", 4))
        self.assertIn("A search through all plans proves that 4 are needed.", stderr)

    def test_not_found_is_told_apart_from_infeasible(self):
        self.write("chain.csv", CHAIN)
        arguments = ("pack", "--input", "chain.csv", "-s", "bump", "--json")
        stdout, stderr = self.run_command(*arguments, "--capacity", "11", status=4)
        self.assertEqual(json.loads(stdout)["status"], "timeout")
        self.assertIn("without a proof that there is none", stderr)


def unprovable():
    """An instance on which hill-climb goes on for as long as it may: a fixed place with too little room below it puts
    the bound, which sees sizes only, out of reach. All its rounds take minutes with so many buffers."""
    draw = random.Random(7)
    rows = ["id,lower,upper,size,offset", "fixed,100,200,500000,300000", "above,90,210,400000,"]
    for i in range(2000):
        begin = draw.randrange(100)
        rows.append(f"b{i},{begin},{begin + draw.randrange(1, 60)},{draw.randrange(1, 1000)},")
    return "\n".join(rows) + "\n"


class LongSolves(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.write("long.csv", unprovable())
        self.arguments = ("pack", "--input", "long.csv", "--strategy", "hill-climb", "--json")

    def test_a_time_limit_keeps_the_best_so_far(self):
        stdout, stderr = self.run_command(*self.arguments, "--timeout", "100ms")
        self.assertEqual(json.loads(stdout)["status"], "feasible")
        self.assertNotIn("Ctrl-C", stderr, "progress is for terminals")

    def test_a_node_limit_gives_the_same_plan_twice(self):
        for name in ("a.csv", "b.csv"):
            self.run_command(*self.arguments, "--nodes", "500", "--output", name)
        self.assertEqual(self.read("a.csv"), self.read("b.csv"))

    def test_progress_on_a_terminal_and_ctrl_c(self):
        terminal, other_end = pty.openpty()
        self.addCleanup(os.close, terminal)
        process = subprocess.Popen([harness.command(), *self.arguments, "--timeout", "10m"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=other_end, text=True, env={**os.environ, "TERM": "xterm"})
        os.close(other_end)
        words = self.read_until(terminal, "hill-climb: ")
        process.send_signal(signal.SIGINT)
        words += self.read_until(terminal, "next: ")
        stdout, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, words)
        self.assertEqual(json.loads(stdout)["status"], "feasible")
        self.assertIn("interrupted; this is the best so far", words)

    def read_until(self, terminal, wanted):
        words = ""
        while wanted not in words:
            words += os.read(terminal, 4096).decode()
        return words


class Refusals(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.write("five.csv", FIVE)

    def refused(self, status, words, *arguments):
        stdout, stderr = self.run_command("pack", *arguments, status=status)
        self.assertEqual(stdout, "")
        self.assertIn(words, stderr)
        self.assertEqual(stderr.count("\n"), 1, stderr)

    def test_usage(self):
        for words, arguments in [
            ("pack needs --input FILE", ()),
            ('there is no strategy "nosuch"', ("-i", "five.csv", "-s", "nosuch")),
            ('--timeout is "5x"; give a duration such as 500ms, 5s or 2m', ("-i", "five.csv", "-t", "5x")),
            ('--timeout is "-1s"', ("-i", "five.csv", "--timeout=-1s")),
            ('--capacity is "12k"; give a whole number, 0 or more', ("-i", "five.csv", "-c", "12k")),
            ('--nodes is "many"', ("-i", "five.csv", "--nodes", "many")),
            ('--threads is "-2"', ("-i", "five.csv", "--threads=-2")),
            ('--seed is "x"', ("-i", "five.csv", "--seed", "x")),
        ]:
            with self.subTest(words):
                self.refused(2, words, *arguments)

    def test_a_misspelt_option_is_an_error(self):
        _, stderr = self.run_command("pack", "--imput", "five.csv", status=2)
        self.assertIn("--imput", stderr)

    def test_output_is_not_overwritten_without_force(self):
        self.write("out.csv", "precious")
        self.refused(2, "out.csv exists; --force overwrites it", "-i", "five.csv", "-o", "out.csv")
        self.assertEqual(self.read("out.csv"), "precious")
        self.run_command("pack", "-i", "five.csv", "-o", "out.csv", "--force", "-s", "greedy-size")
        self.assertTrue(self.read("out.csv").startswith("id,lower,upper,size,offset\n"))

    def test_an_output_that_cannot_be_written(self):
        _, stderr = self.run_command("pack", "-q", "-i", "five.csv", "-o", "nowhere/out.csv", status=2)
        self.assertIn("cannot write nowhere/out.csv: there is no folder", stderr)

    def test_unreadable_input(self):
        self.refused(3, "cannot read nope.csv: No such file or directory", "-i", "nope.csv")
        self.refused(3, "cannot read .: Is a directory", "-i", ".")

    def test_malformed_input_names_file_line_and_column(self):
        self.write("bad.csv", "id,lower,upper,size\na,0,3,-4\n")
        self.refused(3, "bad.csv:2:7: size is -4; it must be at least 1", "-i", "bad.csv")

    def test_a_problem_outside_the_strategy(self):
        self.write("fixed.csv", "id,lower,upper,size,offset\na,0,3,4,8\n")
        self.refused(3, "the strategy bump does not take this problem", "-i", "fixed.csv", "-s", "bump")


class Strategies(harness.CliTest):
    def alone(self):
        """The command where memomalloc-literature is not beside it."""
        return shutil.copy(harness.command(), self.folder)

    def test_its_own_solve_without_the_program_beside_it(self):
        self.write("five.csv", FIVE)
        done = subprocess.run([self.alone(), "pack", "-i", "five.csv"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("memomalloc-literature", done.stderr)

    def test_where_the_program_is_missing_it_says_the_cure(self):
        self.write("five.csv", FIVE)
        done = subprocess.run([self.alone(), "pack", "-i", "five.csv", "-s", "reuse"], cwd=self.folder, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"{self.folder}/memomalloc-literature, which has the strategies of other planners, is missing",
                      done.stderr)
        self.assertIn("install it beside memomalloc", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        listed = subprocess.run([self.alone(), "pack", "--list-strategies"], capture_output=True, text=True)
        self.assertEqual(listed.returncode, 0)
        self.assertIn("canonical\n", listed.stdout)

    def test_where_the_program_fails_it_says_the_cure(self):
        command = self.alone()
        self.write("five.csv", FIVE)
        self.write("memomalloc-literature", "#!/bin/sh\necho it broke >&2\nexit 7\n")
        os.chmod(os.path.join(self.folder, "memomalloc-literature"), 0o755)
        done = subprocess.run([command, "pack", "-i", "five.csv", "-s", "reuse"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("it broke", done.stderr)
        self.assertIn("memomalloc-literature ended with status 7; install it and memomalloc from one build", done.stderr)

    def test_each_says_what_it_is(self):
        stdout, _ = self.run_command("pack", "--list-strategies")
        listed = json.loads(self.run_command("pack", "--list-strategies", "--json")[0])["strategies"]
        for strategy in listed:
            for key in ("name", "summary", "cost", "guarantee"):
                self.assertIn(strategy[key], stdout)

    def test_each_solves(self):
        self.write("five.csv", FIVE)
        listed = json.loads(self.run_command("pack", "--list-strategies", "--json")[0])["strategies"]
        for strategy in listed:
            with self.subTest(strategy["name"]):
                stdout, _ = self.run_command("pack", "-i", "five.csv", "--json", "-t", "5s", "-s", strategy["name"])
                answer = json.loads(stdout)
                self.assertEqual(answer["strategy"], strategy["name"])
                self.assertGreaterEqual(answer["height"], answer["lower_bound"])


if __name__ == "__main__":
    harness.main()
