"""Passes by the period of what a program allocates, from the command line: what is recorded, and how long is searched.

A program that marks its passes is profiled as if it did not, and is so short that it never fills a buffer of the
recorder: what it leaves must be enough for a plan. A failure means that `profile` advises what was just done, or that
`plan --timeout` does not bound the search.
"""

import json

import harness

PERIOD = ("profile", "--passes-by", "period", "-o", "trace")


class Period(harness.CliTest):
    def test_a_short_marked_program_leaves_a_trace_that_can_be_planned(self):
        program = self.build_program("program", BYTES=100000, STEPS=20)
        _, stderr = self.run_command(*PERIOD, "--", program)
        self.assertIn("next: memomalloc plan trace", stderr)
        made = json.loads(self.run_command("plan", "--json", "-o", "plan", "trace")[0])
        self.assertEqual(made["passes_by"], "period")
        self.run_command("serve", "--plan", "plan", "--stats", "stats", "--", program)
        self.assertGreater(json.loads(self.read("stats"))["served"], 200)

    def test_one_that_does_nothing_leaves_none_and_is_not_told_to_do_the_same_again(self):
        program = self.build_program("program", ROUNDS=2)
        _, stderr = self.run_command(*PERIOD, "--", program)
        self.assertFalse((self.folder / "trace").exists())
        self.assertIn("too few allocations to look for passes in", stderr)
        self.assertNotIn("--passes-by period", stderr)

    def test_the_limit_bounds_the_search(self):
        program = self.build_program("program", BYTES=100000, STEPS=20)
        self.run_command(*PERIOD, "--", program)
        _, stderr = self.run_command("plan", "--timeout", "0.0001ms", "-o", "plan", "trace", status=4)
        self.assertEqual(stderr.count("the search for a period was stopped by --timeout"), 1, stderr)
        self.assertFalse((self.folder / "plan").exists())
        self.run_command("plan", "--timeout", "1m", "-o", "plan", "trace")

    def test_the_next_command_names_the_trace_with_the_most_in_it(self):
        small = self.build_program("a-wrapper", BYTES=100000, STEPS=20, ROUNDS=200)
        large = self.build_program("program", BYTES=100000, STEPS=20, ROUNDS=600)
        _, stderr = self.run_command("profile", "--passes-by", "period", "-o", "%c.trace", "--", "sh", "-c",
                                     f"{small}; {large}")
        self.assertTrue((self.folder / "a-wrapper.trace").exists())
        self.assertIn("next: memomalloc plan program.trace", stderr)


harness.main()
