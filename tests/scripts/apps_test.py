"""How scripts/check/apps judges. A failure means that a harm goes unseen, or that a program is said to be harmed by noise."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

from harmless.catalogue import PROGRAMS
from harmless.promises import PROMISES, SHORT_WALL, WAYS, broken_by, is_broken, ratio_in
from harmless.said import Facts, false_lines, ours
from harmless.table import BEGIN, END, all_broken, markdown_of, put_into, rows_of
from harmless.watching import TreeWatch, roots_below, with_descendants, with_own_memory

TIME, OF_REQUESTS, FAULTS, MEMORY, FIRST_TIME, WITH_PLANNING, WALL = PROMISES


def one_round(**changes):
    """Everything is alike, but for what is changed: second={"faults": 2} and so on."""
    alike = {"processor": 10.0, "requests": 10.0, "total": 10.0, "wall": 10.0, "faults": 100000, "most": 200.0, "last": 100.0, "answer": "a", "status": 0,
             "false": [], "own": {}}
    return {way: {**alike, **changes.get(way, {})} for way in WAYS}


class Ratios(unittest.TestCase):
    def test_time_is_broken_where_the_interval_lies_above(self):
        slower = [one_round(second={"processor": 10 * ratio}) for ratio in (1.04, 1.05, 1.06)]
        self.assertTrue(is_broken(slower, TIME))
        noisy = [one_round(second={"processor": 10 * ratio}) for ratio in (0.9, 1.05, 1.3)]
        self.assertFalse(is_broken(noisy, TIME))
        self.assertFalse(is_broken([one_round(second={"processor": 10.1})] * 3, TIME))

    def test_time_of_one_round_is_not_judged_and_counts_are(self):
        found = [one_round(second={"processor": 30.0, "faults": 300000, "most": 220.0})]
        self.assertFalse(is_broken(found, TIME))
        self.assertTrue(is_broken(found, FAULTS))
        self.assertTrue(is_broken(found, MEMORY))

    def test_programs_that_do_not_measure_themselves(self):
        self.assertIsNone(ratio_in([one_round(second={"requests": None})], OF_REQUESTS))
        self.assertFalse(is_broken([one_round(off={"requests": None}, second={"requests": None})] * 3, OF_REQUESTS))
        self.assertTrue(is_broken([one_round(second={"requests": 11.0})] * 3, OF_REQUESTS))

    def test_memory_is_beside_the_leaner_one(self):
        found = [one_round(jemalloc={"most": 150.0})]
        self.assertAlmostEqual(ratio_in(found, MEMORY)["value"], 200 / 150)
        self.assertTrue(is_broken(found, MEMORY))
        self.assertFalse(is_broken([one_round(jemalloc={"most": 400.0})], MEMORY))

    def test_what_nobody_notices_breaks_nothing(self):
        small = {"faults": 200, "most": 5.0}
        found = [one_round(off=small, jemalloc=small, second={"faults": 1100, "most": 8.0})]
        self.assertFalse(is_broken(found, FAULTS))
        self.assertFalse(is_broken(found, MEMORY))

    def test_a_first_start_may_take_a_tenth_more(self):
        found = [one_round(first={"processor": 10.9, "total": 14.0, "wall": 30.0})] * 3
        self.assertFalse(is_broken(found, FIRST_TIME))
        self.assertTrue(is_broken(found, WITH_PLANNING))
        self.assertTrue(is_broken(found, WALL))

    def test_time_on_the_wall_counts_for_short_jobs(self):
        found = [one_round(first={"wall": 30.0})] * 3
        self.assertEqual(broken_by(found), [])
        self.assertEqual(len(broken_by(found, is_short=True)), 1)
        self.assertIn(SHORT_WALL.name, broken_by(found, is_short=True)[0])


class Answers(unittest.TestCase):
    def test_another_answer_or_status(self):
        self.assertEqual(broken_by([one_round(first={"answer": "b"}, off={"status": 139})]),
                         ["answers differ, off: status", "answers differ, first: answer"])

    def test_of_jemalloc_nothing_is_promised(self):
        self.assertEqual(broken_by([one_round(jemalloc={"answer": "b"})]), [])

    def test_a_program_that_does_not_answer_the_same_twice(self):
        self.assertIn("twice", broken_by([one_round(), one_round(**{way: {"answer": "b"} for way in WAYS})])[0])

    def test_a_false_line_is_said_once(self):
        found = [one_round(second={"false": [f"it stands aside: memomalloc: {passes} passes", "too long: memomalloc: a"]}) for passes in (7, 12)]
        self.assertEqual(broken_by(found), ["a false line, second: it stands aside: memomalloc: 7 passes", "a false line, second: too long: memomalloc: a"])


def statistics(passes=100, served=99, missed=1, resident=20 << 20, state="serving"):
    steady = {"served": served, "missed": missed, "served_bytes": 10 * served, "missed_bytes": 10 * missed}
    return {"passes": passes, "steady": steady, "heap": {"resident": resident}, "state": state}


def wrong(*lines, most=100.0, found=None, later=False):
    found = [statistics()] if found is None else found
    own = found[0] if found else {}
    said = [f"memomalloc: {line}" for line in lines]
    return false_lines(said, Facts(("server.py",), most, list(found), own, later))


class Lines(unittest.TestCase):
    TRUE = ("100 passes; in the steady state 99.0 % of the allocations and 99.0 % of the bytes were served; a slab of 13.60 MiB beside a heap "
            "of 20.00 MiB")

    def test_only_ours_are_looked_at(self):
        self.assertEqual(ours("one\nmemomalloc: two\n  memomalloc: three\n"), ["memomalloc: two"])

    def test_what_is_true(self):
        self.assertEqual(wrong(self.TRUE, "learning the passes of /srv/server.py"), [])

    def test_shares_and_passes(self):
        self.assertIn("were", wrong(self.TRUE.replace("99.0 % of the a", "80.0 % of the a"))[0])
        self.assertIn("100 passes were counted", wrong(self.TRUE.replace("100 passes", "90 passes"))[0])
        both = statistics(), statistics(served=50, missed=50)
        self.assertEqual(len(wrong(self.TRUE.replace("passes", "passes in 2 processes"), found=both)), 3)
        self.assertEqual(wrong(self.TRUE.replace("passes", "passes in 9 processes"), found=both), [])  # who knows

    def test_sizes(self):
        self.assertIn("at the most", wrong(self.TRUE, most=20.0)[0])
        self.assertIn("heap held", wrong(self.TRUE, found=(statistics(resident=90 << 20),))[0])

    def test_a_place_that_is_gone(self):
        with tempfile.NamedTemporaryFile() as there:
            self.assertEqual(wrong(f"planned; the next start serves from {there.name}"), [])
        self.assertIn("there is no /", wrong(f"planned; the next start serves from {there.name}")[0])

    def test_whose_passes_are_learned(self):
        self.assertIn("is not what was started", wrong("learning the passes of /usr/bin/python3")[0])
        self.assertEqual(wrong("learning the passes of python3 /srv/server.py --port 80"), [])

    def test_serving_and_standing_aside(self):
        aside = (statistics(state="standing aside"),)
        self.assertIn("stands aside", wrong(self.TRUE, found=aside)[0])
        said = "100 passes; serving stood aside for 9 of them; in the steady state 99.0 % of the allocations and {} % of the bytes of all passes were served"
        self.assertEqual(wrong(said.format("99.0"), found=aside), [])
        self.assertIn("served_bytes was counted", wrong(said.format("80.0"), found=aside)[0])

    def test_a_later_start_that_serves_nothing(self):
        self.assertIn("no pass was served", wrong("serving from /tmp", found=(), later=True)[0])

    def test_a_later_start_that_puts_off_its_plan_again(self):
        line = "the plan is not finished after 0.1 s (--finish); the next start plans from what was recorded"
        self.assertEqual(wrong(line), [])
        self.assertIn("this start was the next one", wrong(line, later=True)[0])

    def test_long_lines(self):
        self.assertEqual(len(wrong("x" * 200)), 1)
        self.assertEqual(wrong(f"{'x' * 170} from /usr{'/.' * 60}"), [])  # where it was put is nothing of ours
        self.assertEqual(wrong("x" * 180 + "; the statistics are in /tmp/" + "y" * 90), [])


class Watching(unittest.TestCase):
    def test_children_count(self):
        command = "import subprocess, sys; subprocess.run(['sleep', '60'])"
        with subprocess.Popen([sys.executable, "-c", command], start_new_session=True) as process:
            try:
                with TreeWatch(process.pid, "/no/command") as watch:
                    while len(with_descendants(process.pid)) < 2 or len(watch.known) < 2:
                        pass
            finally:
                subprocess.run(["kill", *map(str, with_descendants(process.pid))], check=True)
        self.assertGreater(watch.faults, 0)


    def test_a_command_that_has_ended_is_no_program(self):
        ended = subprocess.Popen(["true"])
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        self.assertEqual(roots_below(ended.pid, "/no/command"), [])
        ended.wait()

    def test_a_memory_of_two_processes_counts_once(self):
        program = "#include <unistd.h>\nint main(void) { if (vfork() == 0) { sleep(60); _exit(0); } return 0; }\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program"
            subprocess.run(["cc", "-x", "c", "-w", "-", "-o", path], input=program, text=True, check=True)
            with subprocess.Popen([path]) as process:
                while len(both := with_descendants(process.pid)) < 2:
                    pass
                same = with_own_memory(both)
                subprocess.run(["kill", *map(str, both)], check=True)
        self.assertEqual(len(same), 1)

    def test_what_ended_unwaited_counts_beside_the_command(self):
        watch = TreeWatch(0, "/no/command")
        watch.of_all = 5.0
        self.assertEqual((watch.with_the_command(2.5), watch.with_the_command(6.0)), (5.0, 6.0))


class Tables(unittest.TestCase):
    def test_between_the_marks_of_a_page(self):
        found = {"cxx-maps": [one_round(second={"faults": 300000})]}
        markdown = markdown_of(found, all_broken(found, PROGRAMS))
        self.assertIn("| cxx-maps | second start, page faults: 3.000 of off, 1.10 promised |", markdown)
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(f"before\n{BEGIN}old\n{END}after\n")
            for _ in range(2):
                put_into(page, markdown)
                self.assertEqual(page.read_text(), f"before\n{BEGIN}\n{markdown}\n{END}after\n")

    def test_fits_a_terminal(self):
        found = {"processes-forkserver": [one_round(), one_round(), one_round(second={"processor": 11.0})]}
        self.assertLessEqual(len("  ".join(rows_of(found, all_broken(found, PROGRAMS))[0])), 100)


class Catalogue(unittest.TestCase):
    def test_there_are_enough(self):
        self.assertGreaterEqual(len(PROGRAMS), 40)

    def test_each_can_be_called_by_its_name(self):
        for name, program in PROGRAMS.items():
            self.assertTrue(program.names and all(program.names), name)
            self.assertIn("{size}", program.words + " {size}" * (program.size == program.quick or bool(program.load)), name)


if __name__ == "__main__":
    unittest.main()
