"""What the library is told about passes and scopes, by hand and for engines, whose places fakes take. A failure means that passes
of a Python program are missed, cut in two, or marked where nobody may look, or that its answers are not its own."""

import unittest

from harness import FAKES, PACKAGE, PythonCase

NETWORK = """
import torch
from torch.tensor import Parameter, Tensor, Traced

class Layer(torch.nn.Module):
    def forward(self, x): return x

class Network(torch.nn.Module):
    def __init__(self):
        self.first, self.second = Layer(), Layer()
        self.second.inner = Layer()
    def forward(self, x, **more): return self.second.inner(self.second(self.first(x)))

network = Network()
"""
PASS = ["pass", "end"]


def words(marks):
    return [mark.split()[0] for mark in marks]


class Modules(PythonCase):
    torch = "2"

    def python(self, *command, **options):
        return super().python(*command, FAKE_TORCH=self.torch, **options)

    def keys(self, *calls, **options):
        marks, _ = self.marks(NETWORK + "\n".join(calls), **options)
        return [mark for mark in marks if mark.startswith("pass")]

    def test_the_outermost_call_is_a_pass(self):
        marks, printed = self.marks(NETWORK + "x = Tensor(1, 2)\nprint(network(x) is x, network(x) is x)")
        self.assertEqual((words(marks), printed), (2 * PASS, "True True\n"))
        self.assertEqual(marks[0], marks[2])

    def test_modules_are_scopes_while_profiling(self):
        marks, _ = self.marks(NETWORK + "network(Tensor(1))", MEMOMALLOC_MODE="profile")
        self.assertEqual(marks[1:], ["scope [first]", "left", "scope [second]", "left", "scope [second.inner]", "left", "end"])

    def test_what_learns_is_told_of_passes_to_come(self):
        self.assertEqual(self.marks("import torch, onnxruntime", MEMOMALLOC_MODE="auto")[0], ["pass 1", "end"])
        self.assertEqual(self.marks("import torch, onnxruntime")[0], [])

    def test_all_shapes_have_one_key(self):
        self.assertEqual(len(set(self.keys("network(Tensor(1, 2))", "network(Parameter(2, 2))", "network(1, x2=Tensor(3))"))), 1)

    def test_keys_are_those_of_every_process(self):
        keys = {self.keys("network(Tensor(1, 2))", PYTHONHASHSEED=seed)[0] for seed in ("1", "2")}
        self.assertEqual(len(keys), 1)

    def test_keys_tell_networks_apart(self):
        one, other = self.keys("class Other(Network): pass", "network(Tensor(1))", "Other()(Tensor(1))")
        self.assertNotEqual(one, other)

    def test_nothing_is_marked_while_something_else_looks_on(self):
        for state in ("gradients=True", "tracing=1", "compiling=True", "by_dynamo=True"):
            marks, printed = self.marks(NETWORK + f"torch.state.{state}\nx = Tensor(1)\nprint(network(x) is x)")
            self.assertEqual((marks, printed), ([], "True\n"), state)

    def test_nobody_looks_at_the_shape_of_a_tracer(self):
        marks, printed = self.marks(NETWORK + "x = Traced()\nnetwork(x)\nprint(x.looks)")
        self.assertEqual((words(marks), printed), (PASS, "0\n"))

    def test_an_exception_ends_the_pass_and_goes_on(self):
        program = NETWORK + """
class Broken(Network):
    def forward(self, x): raise KeyError("ours")
try: Broken()(1)
except KeyError as error: print(error, error.__context__, error.__cause__)
network(Tensor(1))
"""
        marks, printed = self.marks(program)
        self.assertEqual((words(marks), printed), (2 * PASS, "'ours' None None\n"))

    def test_torchscript_is_left_to_the_hooks_where_they_count(self):
        """Only that a call has ended is told, by a scope of nothing: a hook would see it with what the thread allocates next."""
        program = NETWORK + "class Scripted(torch.jit.ScriptModule, Layer): pass\nprint(Scripted()(7))"
        self.assertEqual(self.marks(program), (["scope ", "left"], "7\n"))
        self.assertEqual(words(self.marks(program, MEMOMALLOC_PASSES_BY="api")[0]), PASS)

    def test_a_model_that_cannot_be_looked_at(self):
        program = NETWORK + """
class Closed(Network):
    __hash__ = None
    def named_modules(self): raise RuntimeError
print(Closed()(5))
"""
        for mode in ("serve", "profile"):
            marks, printed = self.marks(program, MEMOMALLOC_MODE=mode)
            self.assertEqual((words(marks), printed), (PASS, "5\n"))

    def test_each_thread_has_passes_of_its_own(self):
        program = NETWORK + """
import threading
class Waits(Network):
    def forward(self, x):
        thread = threading.Thread(target=network, args=(x,))
        thread.start()
        thread.join()
Waits()(Tensor(1))
"""
        self.assertEqual(words(self.marks(program)[0]), ["pass", "pass", "end", "end"])

    def test_the_function_looks_as_it_did(self):
        show = NETWORK + "call = torch.nn.Module.__call__\nprint(call.__name__, call.__qualname__, call.__module__, type(call))"
        plain = self.python("-c", show, path=[FAKES], bootstrap=False)
        self.assertEqual(self.marks(show)[1], plain.stdout)

    def test_without_the_library_nothing_is_wrapped(self):
        show = NETWORK + "print(torch.nn.Module.__call__ is torch.nn.Module._wrapped_call_impl)"
        self.assertEqual(self.python("-c", show, path=[FAKES], library=False).stdout, "True\n")
        self.assertEqual(self.python("-c", show, path=[FAKES]).stdout, "False\n")

    def test_a_compiled_module_stays_one(self):
        for compiled in ("network.second", "network"):
            program = NETWORK + f"{compiled}._compiled_call_impl = lambda x: x + 'compiled'\nprint(network('text '))"
            for mode in ("serve", "profile"):
                marks, printed = self.marks(program, MEMOMALLOC_MODE=mode)
                self.assertEqual((words(marks)[0], words(marks)[-1], printed), (*PASS, "text compiled\n"))


OPERATORS = """
from torch.utils._python_dispatch import Operator
matmul = Operator("aten::mm", ["self", "other"], [""], lambda a, b: Tensor(at=0x30))
add = Operator("aten::add_", ["self!", "other"], ["!"], lambda a, b: a)
view = Operator("aten::view", ["self"], ["a"], lambda a: Tensor(at=a.at + 1))
stack = Operator("aten::stack", ["tensors", "out*!"], ["!"], lambda tensors, out: out)
reshape = Operator("aten::reshape", ["self", "copies"], ["a"], lambda a, copies: Tensor(at=0x70 if copies else a.at + 1))
dropout = Operator("aten::dropout", ["self"], [""], lambda a: a)
torch.state.composites = ("aten::reshape", "aten::dropout")
split = Operator("aten::max", ["self"], ["", ""], lambda a: (Tensor(at=0x50), Tensor(at=0x60)))
"""
FLOW = {"MEMOMALLOC_MODE": "profile", "MEMOMALLOC_DATA_FLOW": "1"}


class DataFlow(PythonCase):
    """What operators of a pass read and write, as their schemas say it."""

    def flow(self, body, call="network(Tensor(at=0x10))", **variables):
        program = NETWORK + OPERATORS + f"class Flows(Network):\n    def forward(self, x): {body}\nnetwork = Flows()\n{call}"
        return [mark for mark in self.marks(program, **{**FLOW, **variables})[0] if mark.startswith("aten")]

    def test_a_fresh_answer_is_written(self):
        self.assertEqual(self.flow("return matmul(x, Tensor(at=0x20))"), ["aten::mm 10 20 -> 30"])

    def test_an_argument_that_is_changed_is_read_and_written(self):
        self.assertEqual(self.flow("return add(x, 1)"), ["aten::add_ 10 -> 10"])

    def test_a_view_does_nothing_and_is_read_where_it_lies(self):
        self.assertEqual(self.flow("return matmul(view(x), x)"), ["aten::mm 11 10 -> 30"])

    def test_composite_functions_do_other_than_they_say(self):
        """One that says it makes views may copy, and one that says it makes a tensor may hand its argument back."""
        self.assertEqual(self.flow("return reshape(x, False)"), [])
        self.assertEqual(self.flow("return reshape(x, True)"), ["aten::reshape 10 -> 70"])
        self.assertEqual(self.flow("return dropout(x)"), [])

    def test_lists_and_named_arguments(self):
        self.assertEqual(self.flow("return stack([x, view(x)], out=Tensor(at=0x40))"), ["aten::stack 10 11 40 -> 40"])

    def test_each_of_several_answers(self):
        self.assertEqual(self.flow("return split(x)"), ["aten::max 10 -> 50 60"])

    def test_what_lies_nowhere_is_left_out(self):
        self.assertEqual(self.flow("return matmul(Tensor(at=None), x)"), [])

    def test_the_answer_is_the_operator_s(self):
        program = NETWORK + OPERATORS + "class Flows(Network):\n    def forward(self, x): return add(x, 1)\nx = Tensor(at=1)\nprint(Flows()(x) is x)"
        self.assertEqual(self.marks(program, **FLOW)[1], "True\n")

    def test_modules_in_a_marked_pass(self):
        call = "import memomalloc\nwith memomalloc.forward(): network(network(Tensor(at=0x10)))"
        self.assertEqual(self.flow("return matmul(x, x)", call), ["aten::mm 10 10 -> 30", "aten::mm 30 30 -> 30"])

    def test_most_passes_are_left_alone(self):
        """The first two are watched, and then one in four, with all of their modules."""
        alone = "for number in range(1, 11): network(Tensor(at=number))"
        watched = [f"aten::mm {number:x} {number:x} -> 30" for number in (1, 2, 6, 10)]
        self.assertEqual(self.flow("return matmul(x, x)", alone), watched)
        marked = "import memomalloc\nfor number in range(1, 7):\n    with memomalloc.forward(): network(network(Tensor(at=number)))"
        both = [f"aten::mm {word} {word} -> 30" for number in (1, 2, 6) for word in (f"{number:x}", "30")]
        self.assertEqual(self.flow("return matmul(x, x)", marked), both)

    def test_nothing_is_watched_unless_asked_for(self):
        for variables in ({"MEMOMALLOC_DATA_FLOW": "0"}, {"MEMOMALLOC_MODE": "serve"}):
            self.assertEqual(self.flow("return matmul(x, x)", **variables), [])

    def test_nothing_is_watched_while_something_else_looks_on(self):
        for state in ("gradients=True", "tracing=1", "compiling=True", "by_dynamo=True"):
            self.assertEqual(self.flow("return matmul(x, x)", f"torch.state.{state}\nnetwork(Tensor(at=0x10))"), [])


class ModulesOfOldPyTorch(Modules):
    """Does all of it where a module's call does not look for a compiled one."""
    torch = "1.13"
    test_without_the_library_nothing_is_wrapped = test_a_compiled_module_stays_one = None


class Sessions(PythonCase):
    SESSION = """
import onnxruntime
class Array:
    def __init__(self, *shape): self.shape = shape
class Value:
    def shape(self): return [4, 4]
session = onnxruntime.InferenceSession()
"""

    def test_runs_are_passes_with_a_key_for_each_model(self):
        marks, printed = self.marks(self.SESSION + """
print(session.run(None, {"x": Array(1, 2)}), session.run(None, input_feed={"x": Array(1, 2)}, run_options=5))
session.run([], {"x": Array(2, 2)})
session.run_with_ort_values(None, {"x": Value()})
session.run(None, {"x": Array(1, 2), "mask": Array(1, 2)})
""")
        self.assertEqual((words(marks), printed), (5 * PASS, "[1, None] [1, 5]\n"))
        *one, other = marks[::2]
        self.assertEqual((len(set(one)), other in one), (1, False))

    def test_errors_are_those_of_the_engine(self):
        marks, printed = self.marks(self.SESSION + """
for call in (lambda: session.run(), lambda: session.run_with_iobinding("ours")):
    try: call()
    except (TypeError, ValueError) as error: print(error)
""")
        self.assertEqual(words(marks), 2 * PASS)
        self.assertIn("missing 2 required positional arguments", printed)
        self.assertIn("ours", printed)


class ByHand(PythonCase):
    def test_forward_and_scope(self):
        marks, printed = self.marks("""
import memomalloc
with memomalloc.forward(key=16), memomalloc.scope("layer"):
    with memomalloc.forward(): pass
@memomalloc.forward(key=("text", (1, 2)))
def twice(x): return 2 * x
print(twice(4), twice.__name__)
""")
        self.assertEqual(marks[:4], ["pass 10", "scope layer", "left", "end"])
        self.assertEqual((words(marks[4:]), printed), (PASS, "8 twice\n"))

    def test_a_pass_by_hand_takes_those_of_engines_in(self):
        marks, _ = self.marks(NETWORK + "import memomalloc\nwith memomalloc.forward(): network(1); network(2)")
        self.assertEqual(words(marks), PASS)

    def test_statistics(self):
        _, printed = self.marks("import memomalloc as m; print(len(m.stats()['long']), m.is_serving(), m.is_loaded(), m.release())")
        self.assertIn("70000 True True True", printed)

    def test_the_last_pass(self):
        show = "import memomalloc as m; print(m.last_pass() and tuple(m.last_pass()))"
        self.assertIn("None", self.marks(show)[1])
        self.assertIn("(100, 101, 102, 103, 104, True)", self.marks(show, PASS="1")[1])
        self.assertIn("(100, 101, 102, 103, 104, False)", self.marks(show, PASS="0")[1])
        self.assertIn("100 104", self.marks("import memomalloc as m; p = m.last_pass(); print(p.at_most_bytes, p.heap_bytes)", PASS="1")[1])

    def test_without_the_library(self):
        program = """
import memomalloc as m
with m.forward(1), m.scope("x"): print(m.stats(), m.is_serving(), m.is_loaded(), m.release(), m.last_pass())
"""
        done = self.python("-c", program, library=False, bootstrap=False, path=[PACKAGE])
        self.assertEqual((done.stdout, done.stderr), ("{} False False False None\n", ""))

    def test_a_folder_of_that_name_beside_the_program_does_not(self):
        (self.folder / "memomalloc").mkdir()
        self.assertEqual(words(self.marks(NETWORK + "network(3)")[0]), PASS)

    def test_a_module_of_that_name_beside_the_program_wins(self):
        (self.folder / "memomalloc.py").write_text("mine = 1\n")
        done = self.python("-c", NETWORK + "import memomalloc; print(memomalloc.mine, network(3))", path=[FAKES], MEMOMALLOC_LOG="")
        self.assertEqual((done.stdout, done.stderr), ("1 3\n", ""))


if __name__ == "__main__":
    unittest.main()
