"""How much of the program's stack the library takes.

A thread may have PTHREAD_STACK_MIN, 16 KiB, most of which is the program's. served/stack_need.cpp measures every exported
function and every event that makes the library do more than usual, served/stack_events.cpp those that need a process of their
own; served/small_stacks.cpp lives on such threads. Failure: a call that takes more than 4 KiB, an exported function that
nobody measured, or a crash.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from guest import LIBRARY, program

COMMAND = os.environ["GUEST_COMMAND"]
OBJECT = os.environ["GUEST_MODEL"]  # to be loaded
RUNTIMES = pathlib.Path(os.environ["GUEST_RUNTIMES"])
EXPORTS = pathlib.Path(__file__).parents[1] / "preload" / "symbols" / "exports.golden"
MOST_BYTES = 4096
FUNCTIONS_AND_EVENTS = 200

# The events that must have come while it was measured.
EVENTS = {"serve": {"taken_up plan", "refused plan", "written statistics", "lane_brought pass_begins"},
          "auto": {"learned plan"}, "run": {"learned plan"}}

# By QEMU: the planner and the programs that a command starts would be of the other machine.
emulated = "GUEST_EMULATED" in os.environ
NEEDS_OWN_PROGRAMS = "it starts a program of this machine's under the library of the other"

# Functions of the program that are passes and scopes, and one of the object.
HOOKS = {"MEMOMALLOC_PASS_SYMBOLS": "drand48", "MEMOMALLOC_SCOPE_SYMBOLS": "lrand48,memset"}


class StackNeed(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="memomalloc-stack.", ignore_cleanup_errors=True)
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_it(self, *command, injected=True, **variables):
        """What the command prints, with the log in a file: its lines take stack, too."""
        environment = {"PATH": os.environ["PATH"], "HOSTILE_INJECTED": "1", "MEMOMALLOC_LOG": str(self.folder / "log"),
                       "MEMOMALLOC_LIBRARY": LIBRARY, "MEMOMALLOC_PLANNER": COMMAND, "TMPDIR": str(self.folder),
                       "XDG_CACHE_HOME": str(self.folder / "cache"), **HOOKS, **variables}
        if injected:
            environment["LD_PRELOAD"] = LIBRARY
        done = subprocess.run([*map(str, command)], env=environment, capture_output=True, text=True, timeout=110)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return done.stdout

    def plan_of(self, name):
        trace, plan = self.folder / "recorded", self.folder / "the.plan"
        self.run_it(COMMAND, "profile", "--force", "-o", trace, "--", program(f"served_{name}"), "record", injected=False)
        self.run_it(COMMAND, "plan", "--force", "-o", plan, trace, injected=False)
        return plan

    def in_every_mode(self, name, *arguments):
        """(mode, what the program prints in it) one after the other."""
        its = [program(f"served_{name}"), *arguments]
        yield "off", self.run_it(*its, MEMOMALLOC_MODE="off")
        profile = {"MEMOMALLOC_MODE": "profile", "MEMOMALLOC_TRACE": str(self.folder / "%p.trace")}
        yield "profile", self.run_it(*its, **profile)
        yield "profile --stacks", self.run_it(*its, MEMOMALLOC_STACKS="1", MEMOMALLOC_DATA_FLOW="1", **profile)
        yield "serve", self.run_it(*its, MEMOMALLOC_MODE="serve", MEMOMALLOC_PLAN=str(self.plan_of(name)),
                                   MEMOMALLOC_STATS=str(self.folder / "stats.json"), MEMOMALLOC_STATS_EVERY="1",
                                   STACK_PLANS="1", STACK_STATISTICS="1")
        if not emulated:
            yield "auto", self.run_it(*its, MEMOMALLOC_MODE="auto", STACK_LEARN="1")
            yield "run", self.run_it(COMMAND, "run", "--no-cache", "--", *its, injected=False, STACK_LEARN="1")

    def test_no_call_takes_more_than_four_kilobytes(self):
        for mode, printed in self.in_every_mode("stack_need", OBJECT):
            with self.subTest(mode=mode):
                lines = [line.split(" ", 1) for line in printed.splitlines()]
                self.assertGreater(len(lines), FUNCTIONS_AND_EVENTS)
                self.assertEqual([line for line in lines if int(line[0]) > MOST_BYTES], [])
                self.assertLessEqual(EVENTS.get(mode, set()), {line[1] for line in lines})

    def assert_small(self, printed, events):
        lines = [line.split(" ", 1) for line in printed.splitlines()]
        self.assertEqual([line for line in lines if int(line[0]) > MOST_BYTES], [])
        self.assertEqual({line[1] for line in lines} & events, events)

    def in_light_modes(self):
        yield {"MEMOMALLOC_MODE": "off"}
        yield {"MEMOMALLOC_MODE": "profile", "MEMOMALLOC_TRACE": str(self.folder / "%p.trace")}
        yield {"MEMOMALLOC_MODE": "serve", "MEMOMALLOC_PLAN": str(self.plan_of("stack_events"))}

    def test_deciding_who_answers_for_tensors(self):
        """Once in a process, at whichever call comes first."""
        libraries = [()] + [(program(f"lib{name}_library.so"),) for name in ("tensors", "tensors_bound_directly")]
        for variables in self.in_light_modes():
            for loaded in libraries:
                for word in ("tensors", "tensors_released"):
                    with self.subTest(mode=variables["MEMOMALLOC_MODE"], loaded=loaded, word=word):
                        printed = self.run_it(program("served_stack_events"), word, *loaded, **variables)
                        by = "release" if word == "tensors_released" else "allocation"
                        self.assert_small(printed, {f"decided_by_{by} tensors"})

    def test_wrapping_onnx_runtime(self):
        for variables in list(self.in_light_modes())[1:]:
            for runtime in ("old", "new"):
                with self.subTest(mode=variables["MEMOMALLOC_MODE"], runtime=runtime):
                    printed = self.run_it(program("served_stack_events"), "runtime", RUNTIMES / f"libort_{runtime}.so", **variables)
                    self.assert_small(printed, {"wrapped runtime", "first Run", "shape BindInput", "no_shape BindInput",
                                                "first RunWithBinding", "all ClearBoundInputs", "once ReleaseIoBinding"})
                    self.assertIn("wrapped ONNX Runtime", (self.folder / "log").read_text())

    def test_a_plan_that_is_taken_up_where_no_pass_begins(self):
        *_, serve = self.in_light_modes()
        newer = shutil.copy(serve["MEMOMALLOC_PLAN"], self.folder / "newer.plan")
        self.assert_small(self.run_it(program("served_stack_events"), "take_up", newer, **serve), {"taken_up_without_passes plan"})

    def test_a_plan_that_grows(self):
        *_, serve = self.in_light_modes()
        self.assert_small(self.run_it(program("served_stack_events"), "grow", **serve), {"grown plan"})
        self.assertIn(" grew from ", (self.folder / "log").read_text())

    def test_every_exported_function_is_measured(self):
        golden = EXPORTS.read_text(encoding="ascii").splitlines()
        exported = {line for line in golden if line and not line.startswith("#")}
        printed = self.run_it(program("served_stack_need"), MEMOMALLOC_MODE="off").splitlines()
        for situation in ("first", "again", "in_pass"):
            self.assertEqual(exported - {line.split()[2] for line in printed if line.split()[1] == situation}, set())

    def test_the_smallest_stacks_do(self):
        for mode, printed in self.in_every_mode("small_stacks"):
            with self.subTest(mode=mode):
                self.assertEqual(printed, "")


if __name__ == "__main__":
    unittest.main()
