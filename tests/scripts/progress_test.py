"""Proves what scripts say of their progress, with a clock that the test sets: the time left follows from cases that were
done, and whatever else a script prints stands on lines of its own."""

import contextlib
import io
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lib"))

import progress


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Terminal(io.StringIO):
    def isatty(self):
        return True


def run(seconds, stream=None, **options):
    """What is said of cases that take so many seconds."""
    clock, stream = Clock(), stream or io.StringIO()
    for case in progress.over("check/x", seconds, name=lambda case: f"case-{case}", stream=stream, clock=clock, **options):
        clock.now += case
    return stream.getvalue()


class Progress(unittest.TestCase):
    def test_durations(self):
        self.assertEqual([progress.duration(seconds) for seconds in (0.4, 59.6, 200, 7500, -1)],
                         ["0 s", "1 min 0 s", "3 min 20 s", "2 h 5 min", "0 s"])

    def test_a_line_before_each_long_case_but_the_first(self):
        self.assertEqual(run([20, 40, 60]).splitlines(), ["check/x: 2 of 3, case-40: after 20 s, about 40 s left",
                                                           "check/x: 3 of 3, case-60: after 1 min 0 s, about 30 s left"])

    def test_short_work_says_nothing(self):
        self.assertEqual(run([1, 2, 3]), "")
        self.assertEqual(run([]), "")

    def test_cases_that_were_there_count_for_nothing(self):
        said = run([0, 20, 30], was_there=lambda case: case == 0)
        self.assertEqual(said, "check/x: 3 of 3, case-30: after 20 s, about 20 s left\n")

    def test_no_time_left_before_a_case_is_done(self):
        pace = progress.Pace(3, 0)
        self.assertIsNone(pace.left(50))

    def test_a_late_case_leaves_the_time_of_those_after_it(self):
        pace = progress.Pace(3, 0)
        pace.case_ended(5, False)
        self.assertEqual(pace.left(100), 5)

    def test_a_terminal_is_left_without_the_line(self):
        self.assertTrue(run([1, 2], Terminal()).endswith(progress.ERASE))

    def test_what_is_printed_meanwhile_has_its_own_line(self):
        terminal = Terminal()
        with contextlib.redirect_stdout(terminal):
            for case in progress.over("check/x", ["a", "b"], stream=terminal):
                print(f"row of {case}")
        for case in "ab":
            self.assertIn(f"{progress.ERASE}row of {case}\n", terminal.getvalue())

    def test_the_line_is_drawn_while_a_case_goes_on(self):
        terminal = Terminal()
        for _ in progress.over("check/x", ["a"], stream=terminal):
            until = time.monotonic() + 20
            while terminal.getvalue().count("1 of 1, a") < 2 and time.monotonic() < until:
                time.sleep(0.05)
        self.assertGreaterEqual(terminal.getvalue().count("1 of 1, a"), 2)

    def test_a_script_that_fails_leaves_no_line(self):
        terminal = Terminal()
        with self.assertRaises(ValueError), contextlib.closing(progress.over("check/x", ["a"], stream=terminal)) as cases:
            next(cases)
            raise ValueError
        self.assertTrue(terminal.getvalue().endswith(progress.ERASE))


if __name__ == "__main__":
    unittest.main()
