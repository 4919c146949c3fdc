"""What the command says of a command line that it does not take, and where its results cannot go.

One line with a prefix, the offending word and the cure. A failure means that somebody has to guess, or finds out after the
work that it was in vain."""

import json
import os
import pathlib
import re
import subprocess
import unittest.mock

import harness

MANIFEST = pathlib.Path(__file__).parents[4] / "docs/deploying.md"


class Errors(harness.CliTest):
    def refused(self, *words):
        out, err = self.run_command(*words, status=2)
        self.assertEqual(out, "")
        self.assertTrue(all(line.startswith("memomalloc: ") for line in err.splitlines()), err)
        self.assertEqual(len(err.splitlines()), 1, err)
        return err

    def test_a_misspelt_verb(self):
        self.assertIn("there is no verb srve; did you mean serve?", self.refused("srve", "--plan", "x"))
        self.assertIn("there is no verb xyzzy; memomalloc --help lists them", self.refused("xyzzy"))

    def test_a_misspelt_option(self):
        self.assertIn("--jsno is no option of check; did you mean --json?", self.refused("check", "x", "--jsno"))
        self.assertIn("did you mean --output?", self.refused("plan", "t", "--ouptut=x"))

    def test_the_dashes_before_the_command_are_missing(self):
        err = self.refused("serve", "--plan", "x", "./server", "--port", "80")
        self.assertIn("--port is no option of serve", err)
        self.assertIn("put -- before COMMAND", err)

    def test_no_verb(self):
        self.refused()

    def test_numbers(self):
        for words in (("serve", "--lanes", "abc"), ("serve", "--lanes=-1"), ("profile", "--passes", "1.5"),
                      ("run", "--stats-every", "2s")):
            err = self.refused(*words, "--", "true")
            self.assertIn("give a whole number, 0 or more", err)
        self.assertIn("0 or more, or auto", self.refused("serve", "--at-once", "many", "--", "true"))

    def test_a_folder_that_is_not_there(self):
        """Before the work: neither is the command started nor the input read."""
        for words in (("profile", "-o", "missing/t", "--", "touch", "started"), ("plan", "unread", "-o", "missing/p"),
                      ("report", "unread", "-o", "missing/r"), ("pack", "-i", "unread", "-o", "missing/o")):
            self.assertIn("there is no folder", self.refused(*words))
        self.assertFalse((self.folder / "started").exists())

    def test_the_help_has_an_example(self):
        _, listed = self.run_command("--help")[0].split("Subcommands:\n")
        self.assertIn("\nExample: memomalloc run -- ", listed)
        for verb in re.findall(r"^  (\w+)", listed, re.MULTILINE):
            self.assertRegex(self.run_command(verb, "--help")[0], rf"Example:\n  memomalloc {verb} ")

    def test_messages_with_time_and_level(self):
        for words in (("--log-format", "timed", "inspect", "missing"), ("inspect", "--log-format", "timed", "missing")):
            line = self.run_command(*words, status=3)[1]
            self.assertRegex(line, r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ memomalloc\[\d+\] error: .*missing")

    def test_messages_as_json(self):
        said = json.loads(self.run_command("inspect", "--log-format", "json", 'a "b"', status=3)[1])
        self.assertEqual(list(said), ["time", "level", "pid", "message"])
        self.assertEqual(said["level"], "error")
        self.assertIn('a "b"', said["message"])

    def test_the_variable_stands_for_the_option(self):
        with unittest.mock.patch.dict(os.environ, MEMOMALLOC_LOG_FORMAT="json"):
            self.assertEqual(json.loads(self.run_command("inspect", "missing", status=3)[1])["level"], "error")
            self.assertIn("memomalloc: ", self.run_command("inspect", "--log-format", "plain", "missing", status=3)[1])

    def test_the_format_reaches_the_library(self):
        printed, _ = self.run_command("run", "-q", "--no-cache", "--log-format", "json", "--", "printenv", "MEMOMALLOC_LOG_FORMAT")
        self.assertEqual(printed, "json\n")

    def test_no_other_format(self):
        self.assertIn("xml", self.refused("inspect", "--log-format", "xml", "missing"))

    def test_quiet_before_the_verb(self):
        self.write("i.csv", "id,lower,upper,size\na,0,1,10\n")
        self.assertEqual(self.run_command("-q", "pack", "-i", "i.csv")[1], "")

    def statistics(self):
        program = self.build_program("program")
        self.run_command("profile", "-o", "trace", "--", program)
        self.run_command("plan", "-o", "plan", "trace")
        return program

    def test_the_metrics_of_the_manifest(self):
        """As printed, for two pods of one node: two files, and no sample twice."""
        text = MANIFEST.read_text()
        (line,) = re.findall(r'while sleep 15; do (memomalloc .*); done"\]', text)
        self.assertIn("MEMOMALLOC_STATS, value: /stats/$(POD).stats", text)
        program = self.statistics()
        tools = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        os.symlink(harness.command(), self.folder / "memomalloc")
        (self.folder / "metrics").mkdir()
        for pod in ("server-0", "server-1"):
            stats = self.folder / f"{pod}.stats"
            self.run_command("serve", "--plan", "plan", "--stats", str(stats), "--", program)
            told = line.replace("$(POD)", pod)
            told = told.replace("/metrics/", f"{self.folder}/metrics/").replace("/stats/", f"{self.folder}/")
            subprocess.run(["sh", "-c", told], env=tools, check=True)
        samples = [sample for path in (self.folder / "metrics").iterdir()
                   for sample in re.findall(r"^(memomalloc_\S+\{.*\}) ", path.read_text(), re.MULTILINE)]
        self.assertEqual(len(list((self.folder / "metrics").iterdir())), 2)
        self.assertEqual(len(samples), len(set(samples)))


class NextSteps(harness.CliTest):
    def test_a_trace_without_whole_passes_is_not_to_be_planned(self):
        """The program ends in its only pass."""
        self.write("cut.c", '#include <stdlib.h>\n#include "memomalloc/memomalloc.h"\n'
                            "int main(void) { memo_pass_begin(1); free(malloc(100)); free(malloc(200)); return 0; }\n")
        self.cc("-O1", "-fno-builtin", "-I", os.environ["MEMO_INCLUDE"], "cut.c", "-o", "cut")
        for words in (("profile", "-o", "trace", "--", "./cut"), ("inspect", "trace")):
            _, err = self.run_command(*words)
            self.assertIn("is whole, so there is nothing to plan", err)
            self.assertIn("--passes-by period", err)
            self.assertNotIn("next: memomalloc plan", err)

    def test_a_trace_that_is_not_there_may_not_have_been_written(self):
        _, err = self.run_command("profile", "-o", "trace", "--", "true")
        self.assertIn("the library could not write one, which --log FILE says, or no pass was seen", err)

    def test_a_report_suggests_what_comes_next(self):
        program = self.build_program("program")
        self.run_command("profile", "-o", "trace", "--", program)
        self.run_command("plan", "-o", "plan", "trace")
        self.run_command("serve", "--plan", "plan", "--stats", "stats", "--", program)
        for files, after in ((("trace",), "next: memomalloc plan trace"),
                             (("trace", "plan"), "next: memomalloc serve --plan plan -- COMMAND"),
                             (("trace", "plan", "stats"), "next: memomalloc compare -- COMMAND")):
            self.assertIn(after, self.run_command("report", "--force", *files)[1])


if __name__ == "__main__":
    harness.main()
