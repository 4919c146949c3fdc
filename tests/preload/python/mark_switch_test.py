"""Marks are taken off while serving stands aside for every pass, and come back. A failure means that calls go on paying for marks that
nobody needs, that marks never return, that the program finds another function than its own, or that a part of a call becomes a pass.

The clock is the test's, and so is the moment of each collection."""

import unittest

from harness import PythonCase
from marks_test import NETWORK, PASS, words

CLOCK = """
import gc, os, sys
from memomalloc import mark_switch
gc.disable()
now = 0.0
mark_switch.clock = lambda: now
plain, marking = torch.nn.Module._wrapped_call_impl, torch.nn.Module.__call__

def run(passes, seconds):
    global now
    for _ in range(passes):
        network(Tensor(1))
        now += seconds / passes

def wait(seconds):
    global now
    now += seconds
    gc.collect()

def stand_aside():
    os.environ["ASIDE"] = "1"
    run(256, 256)

def in_place():
    return {plain: "plain", marking: "marking"}.get(torch.nn.Module.__call__, "another")
"""


class MarkSwitch(PythonCase):
    def run_program(self, program):
        """The words that it prints, and how many passes it began."""
        marks, printed = self.marks(NETWORK + CLOCK + program)
        self.assertEqual(words(marks)[::2], ["pass"] * (len(marks) // 2))
        return printed.split(), len(marks) // 2

    def printed(self, program):
        return self.run_program(program)[0]

    def test_a_minute_of_passes_that_stand_aside_takes_them_off(self):
        printed, passes = self.run_program("stand_aside()\nprint(in_place())\nrun(50, 50)")
        self.assertEqual(printed, ["plain"])
        self.assertLess(passes, 256)

    def test_less_than_a_minute_does_not(self):
        self.assertEqual(self.printed("os.environ['ASIDE'] = '1'\nrun(640, 59)\nprint(in_place())"), ["marking"])

    def test_one_pass_that_does_not_begins_the_minute_anew(self):
        program = """
os.environ["ASIDE"] = "1"
for _ in range(20):
    run(127, 50)
    del os.environ["ASIDE"]
    run(1, 0)
    os.environ["ASIDE"] = "1"
print(in_place())
"""
        self.assertEqual(self.printed(program), ["marking"])

    def test_they_come_back_when_a_look_is_due(self):
        program = "stand_aside()\nfor seconds in (400, 20): wait(seconds); print(in_place())\nrun(3, 0)"
        printed, passes = self.run_program(program)
        self.assertEqual(printed, ["plain", "marking"])
        self.assertEqual(passes, self.run_program("stand_aside()")[1] + 3)

    def test_they_come_back_for_another_plan(self):
        program = "stand_aside()\nwait(11)\nprint(in_place())\nos.environ['PLANS'] = '2'\nwait(11)\nprint(in_place())"
        self.assertEqual(self.printed(program), ["plain", "marking"])

    def test_they_come_off_again(self):
        program = """
for _ in range(3):
    stand_aside()
    print(in_place())
    wait(601)
    print(in_place())
print(gc.callbacks.count(mark_switch.switch._look))
"""
        self.assertEqual(self.printed(program), 3 * ["plain", "marking"] + ["1"])

    def test_a_function_that_somebody_put_in_the_place_stays(self):
        program = """
torch.nn.Module.__call__ = lambda self, x: marking(self, x)
stand_aside()
print(in_place())
torch.nn.Module.__call__ = marking
wait(601)
stand_aside()
print(in_place())
torch.nn.Module.__call__ = lambda self, x: plain(self, x)
wait(601)
print(in_place())
torch.nn.Module.__call__ = plain
wait(11)
print(in_place())
"""
        self.assertEqual(self.printed(program), ["another", "plain", "another", "marking"])

    def test_a_part_of_a_call_that_began_without_marks_is_no_pass(self):
        program = """
class Long(Network):
    def forward(self, x):
        wait(601)
        print(in_place())
        return super().forward(x)
stand_aside()
Long()(Tensor(1))
print(mark_switch.switch.returns)
"""
        printed, passes = self.run_program(program)
        self.assertEqual((printed, passes), (["marking", "1"], self.run_program("stand_aside()")[1]))
        self.assertEqual(self.run_program(program + "network(Tensor(1))\nnetwork(Tensor(1))")[1], passes + 2)

    def test_what_may_have_been_compiled_keeps_them(self):
        program = "sys.modules['torch._dynamo.eval_frame'] = torch\nstand_aside()\nprint(in_place())"
        self.assertEqual(self.printed(program), ["marking"])

    def test_what_may_be_compiled_meanwhile_does_without(self):
        program = "stand_aside()\nsys.modules['torch._dynamo.eval_frame'] = torch\nwait(601)\nprint(in_place())"
        self.assertEqual(self.printed(program), ["plain"])

    def test_they_come_back_in_a_child(self):
        program = """
stand_aside()
child = os.fork()
if child == 0:
    wait(601)
    os._exit(0 if in_place() == "marking" else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), in_place())
"""
        self.assertEqual(self.printed(program), ["0", "plain"])

    def test_functions_of_other_engines(self):
        program = """
import onnxruntime
session = onnxruntime.InferenceSession()
owner, marking = onnxruntime.capi.onnxruntime_inference_collection.Session, onnxruntime.InferenceSession.run
stand_aside()
print(owner.run is marking.__wrapped__, "run" in vars(onnxruntime.InferenceSession), session.run(None, {}))
wait(601)
print(owner.run is marking)
"""
        self.assertEqual(self.printed(program), ["True", "False", "[0,", "None]", "True"])


class InheritedFunctions(PythonCase):
    def test_the_owner_has_none_of_its_own_again(self):
        program = """
from memomalloc import mark_switch, wrapping
class Base:
    def run(self): return "ours"
class Engine(Base): pass
wrapping.mark_calls(Engine, "run")
print("run" in vars(Engine))
mark_switch.switch._begin(0.0)
print("run" in vars(Engine), Engine().run())
mark_switch.switch._end()
print("run" in vars(Engine), Engine().run())
"""
        marks, printed = self.marks(NETWORK + program)
        self.assertEqual((words(marks), printed.split()), (PASS, ["True", "False", "ours", "True", "ours"]))


if __name__ == "__main__":
    unittest.main()
