"""What the library says, and that it says nothing else.

Silence is the rule in somebody else's process. A knob with a bad value, a log that cannot be written: one line on stderr
with the value and the cure, and the program runs on as if nothing were there. Failure: no line, two lines, a line on
stdout, or a program that behaves differently.
"""

import datetime
import json
import os
import tempfile
import time
import unittest

from guest import lines_of_ours, program, run

UNAFFECTED = [program("unaffected")]


class Messages(unittest.TestCase):
    def assert_runs_on(self, result):
        self.assertEqual((result.returncode, result.stdout), (0, "42\n"), result.stderr)

    def assert_one_line(self, result, *parts):
        self.assert_runs_on(result)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        for part in parts:
            self.assertIn(part, lines[0])

    def test_says_nothing_by_default(self):
        for mode in ({}, {"MEMOMALLOC_MODE": "off"}, {"MEMOMALLOC_MODE": ""}):
            result = run(UNAFFECTED, **mode)
            self.assert_runs_on(result)
            self.assertEqual(result.stderr, "")

    def test_wrong_mode(self):
        self.assert_one_line(run(UNAFFECTED, MEMOMALLOC_MODE="sevre"), "MEMOMALLOC_MODE", "sevre", "serve")

    def test_wrong_number(self):
        for value in ("-1", "2x", "1.5", "99999999999999999999999"):
            self.assert_one_line(run(UNAFFECTED, MEMOMALLOC_LANES=value), "MEMOMALLOC_LANES", value)

    def test_wrong_size(self):
        for value in ("lots", "-1", "1.5G", "1X"):
            self.assert_one_line(run(UNAFFECTED, MEMOMALLOC_MEMORY_BUDGET=value), "MEMOMALLOC_MEMORY_BUDGET", value)

    def test_serving_without_a_plan(self):
        self.assert_one_line(run(UNAFFECTED, MEMOMALLOC_MODE="serve"), "without a plan", "MEMOMALLOC_PLAN", "memo_plan_load")

    def test_misspelt_variables(self):
        for name, meant in (("MEMOMALLOC_PLNA", "MEMOMALLOC_PLAN"), ("MEMOMALLOC_MOD", "MEMOMALLOC_MODE"),
                            ("MEMOMALLOC_STATS_EVRY", "MEMOMALLOC_STATS_EVERY"), ("MEMOMALLOC_LANE", "MEMOMALLOC_LANES"),
                            ("MEMOMALOC_LANES", "MEMOMALLOC_LANES"), ("MEMOMALLOC_LIBRAY", "MEMOMALLOC_LIBRARY"),
                            ("MEMOMALLOC_STORE_KEYFILE", "MEMOMALLOC_STORE_KEY_FILE")):
            self.assert_one_line(run(UNAFFECTED, **{name: "x"}),
                                 f"{name} is not a variable of this library; did you mean {meant}?")

    def test_a_variable_that_resembles_none(self):
        self.assert_one_line(run(UNAFFECTED, MEMOMALLOC_COLOUR_OF_SKY="blue"), "MEMOMALLOC_COLOUR_OF_SKY", "lists them")

    def test_variables_of_others_are_their_own(self):
        for name in ("MEMOMETER_HOME", "MEMO_LIBRARY", "MEMOMALLOCATOR"):
            self.assertEqual(run(UNAFFECTED, **{name: "x"}).stderr, "")

    def test_variables_of_the_command_are_known(self):
        for name in ("MEMOMALLOC_LIBRARY", "MEMOMALLOC_PLANNER", "MEMOMALLOC_COMMAND", "MEMOMALLOC_TRIXIE", "MEMOMALLOC_STORE",
                     "MEMOMALLOC_STORE_KEY", "MEMOMALLOC_STORE_KEY_FILE"):
            self.assertEqual(run(UNAFFECTED, **{name: "/x"}).stderr, "")

    def test_misspelt_variables_are_not_said_where_the_log_is_off(self):
        self.assertEqual(run(UNAFFECTED, MEMOMALLOC_LOG="off", MEMOMALLOC_PLNA="x").stderr, "")

    def test_plan_that_is_not_there(self):
        result = run(UNAFFECTED, MEMOMALLOC_MODE="serve", MEMOMALLOC_PLAN="/nonexistent/a.plan")
        self.assert_one_line(result, "/nonexistent/a.plan", "the heap serves")

    def test_plan_that_is_none(self):
        result = run(UNAFFECTED, MEMOMALLOC_MODE="serve", MEMOMALLOC_PLAN=__file__)
        self.assert_one_line(result, __file__, "not a plan")

    def test_value_too_long(self):
        result = run(UNAFFECTED, MEMOMALLOC_TRACE="t" * 100000)
        self.assert_one_line(result, "MEMOMALLOC_TRACE", "too long")

    def test_a_message_with_a_long_value_is_cut(self):
        self.assert_one_line(run(UNAFFECTED, MEMOMALLOC_MODE="m" * 5000), "MEMOMALLOC_MODE")

    def test_unwritable_log(self):
        result = run(UNAFFECTED, MEMOMALLOC_LOG="/nonexistent/folder/log")
        self.assert_one_line(result, "/nonexistent/folder/log", "No such file or directory")

    def test_log_that_is_a_folder(self):
        self.assert_one_line(run(UNAFFECTED, MEMOMALLOC_LOG="/"), '"/"', "Is a directory")

    def test_full_log(self):
        self.assert_one_line(run(UNAFFECTED, MEMOMALLOC_LOG="/dev/full"), "/dev/full", "No space left")

    def test_log_file_gets_the_lines_of_every_process(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            for _ in range(2):
                self.assert_runs_on(run(UNAFFECTED, MEMOMALLOC_LOG=log, MEMOMALLOC_MODE="sevre"))
            with open(log, encoding="utf-8") as lines:
                text = lines.read()
            self.assertEqual(len(lines_of_ours(text)), 4, text)
            self.assertEqual(text.count("sevre"), 2)
            self.assertEqual(len({line.split("]")[0] for line in text.splitlines()}), 2)

    def test_log_on_stderr_has_notes_too(self):
        self.assert_one_line(run(UNAFFECTED, MEMOMALLOC_LOG="stderr"), "mode off", "unaffected")

    def test_log_off_hides_trouble(self):
        result = run(UNAFFECTED, MEMOMALLOC_LOG="off", MEMOMALLOC_MODE="sevre")
        self.assert_runs_on(result)
        self.assertEqual(result.stderr, "")

    # ---- formats

    TIME = r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ"

    def test_plain_is_the_default(self):
        for chosen in ({}, {"MEMOMALLOC_LOG_FORMAT": "plain"}, {"MEMOMALLOC_LOG_FORMAT": ""}):
            result = run(UNAFFECTED, MEMOMALLOC_LOG="stderr", **chosen)
            self.assertRegex(result.stderr, r"^memomalloc\[\d+\]: mode off")

    def test_timed_lines_have_time_and_level(self):
        result = run(UNAFFECTED, MEMOMALLOC_LOG="stderr", MEMOMALLOC_LOG_FORMAT="timed", MEMOMALLOC_LANES="x")
        trouble, note = result.stderr.splitlines()
        self.assertRegex(trouble, rf'^{self.TIME} memomalloc\[\d+\] warning: MEMOMALLOC_LANES is "x"')
        self.assertRegex(note, rf"^{self.TIME} memomalloc\[\d+\] info: mode off")

    def test_json_lines_are_objects(self):
        result = run(UNAFFECTED, MEMOMALLOC_LOG="stderr", MEMOMALLOC_LOG_FORMAT="json", MEMOMALLOC_LANES='a "b" \\ \n c')
        trouble, note = map(json.loads, result.stderr.splitlines())
        self.assertEqual(list(trouble), ["time", "level", "pid", "message"])
        self.assertRegex(trouble["time"], rf"^{self.TIME}$")
        self.assertEqual((trouble["level"], note["level"]), ("warning", "info"))
        self.assertIn('MEMOMALLOC_LANES is "a "b" \\ \n c"; it takes a whole number', trouble["message"])
        self.assertEqual(trouble["pid"], note["pid"])

    def test_a_json_line_with_a_long_value_is_cut_and_stays_an_object(self):
        result = run(UNAFFECTED, MEMOMALLOC_LOG_FORMAT="json", MEMOMALLOC_MODE='"' * 5000)
        self.assertIn("MEMOMALLOC_MODE", json.loads(result.stderr)["message"])
        self.assertLessEqual(len(result.stderr), 1024)

    def test_time_is_the_clock_of_the_machine(self):
        before = time.time()
        said = json.loads(run(UNAFFECTED, MEMOMALLOC_LOG="stderr", MEMOMALLOC_LOG_FORMAT="json").stderr)["time"]
        moment = datetime.datetime.fromisoformat(said.replace("Z", "+00:00")).timestamp()
        self.assertTrue(before - 1 <= moment <= time.time(), said)

    def test_a_wrong_format_is_said_in_the_plain_one(self):
        self.assert_one_line(run(UNAFFECTED, MEMOMALLOC_LOG_FORMAT="xml"), "memomalloc[", "MEMOMALLOC_LOG_FORMAT", "plain|timed|json")

    def test_closed_stderr(self):
        result = run(["sh", "-c", f"exec {UNAFFECTED[0]} 2>&-"], MEMOMALLOC_MODE="sevre", MEMOMALLOC_LOG="stderr")
        self.assertEqual((result.returncode, result.stdout), (0, "42\n"))

    def test_jemalloc_still_reads_its_own_variable(self):
        result = run(UNAFFECTED, MALLOC_CONF="stats_print:true,stats_print_opts:mdablxe,dirty_decay_ms:1234")
        self.assert_runs_on(result)
        self.assertRegex(result.stderr, r"opt\.dirty_decay_ms: 1234")
        self.assertRegex(result.stderr, r"opt\.oversize_threshold: 0")


if __name__ == "__main__":
    unittest.main()
