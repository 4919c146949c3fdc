"""The marks of engines whose places fakes take: CTranslate2, TensorFlow, Keras and JAX; and the arena of ONNX Runtime, switched off.
A failure means that passes of a program are missed, or marked where none are, that sessions have the wrong arena, or that the engine
answers, fails or looks otherwise than without the marks."""

import unittest

from harness import FAKES, PythonCase

PASS = ["pass", "end"]


class EngineCase(PythonCase):
    def words(self, program, **options):
        marks, printed = self.marks(program, **options)
        return [mark.split()[0] for mark in marks], printed

    def keys(self, program, **options):
        return [mark for mark in self.marks(program, **options)[0] if mark.startswith("pass")]

    def assert_prints_the_same(self, program, **variables):
        plain = self.python("-c", program, path=[FAKES], bootstrap=False)
        ours = self.python("-c", program, path=[FAKES], **variables)
        self.assertEqual((ours.returncode, ours.stdout, ours.stderr), (plain.returncode, plain.stdout, plain.stderr))
        return ours.stdout


class CTranslate2(EngineCase):
    IMPORT = "from ctranslate2 import Encoder, Generator, Translator\n"

    def setUp(self):
        super().setUp()
        self.api = {"MEMOMALLOC_PASSES_BY": "api"}

    def test_hooks_see_its_threads_themselves(self):
        self.assertEqual(self.words(self.IMPORT + "print(Translator().translate_batch([['a']]))"), ([], "[['a']]\n"))

    def test_a_call_that_waits_is_a_pass(self):
        program = self.IMPORT + "print(Translator().translate_batch([['a', 'b']], beam_size=1), Generator().generate_batch([['c']]))"
        self.assertEqual(self.words(program, **self.api), (2 * PASS, "[['b', 'a']] [['c']]\n"))

    def test_a_call_that_does_not_wait_is_none(self):
        program = self.IMPORT + "print(Translator().translate_batch([['a']], asynchronous=True))"
        self.assertEqual(self.words(program, **self.api), ([], "[['a']]\n"))

    def test_a_call_inside_another_is_part_of_it(self):
        self.assertEqual(self.words(self.IMPORT + "Generator().forward_batch([['a']])", **self.api)[0], PASS)

    def test_keys_tell_methods_apart_and_not_shapes(self):
        calls = ("Translator().translate_batch([['a']])", "Translator().translate_batch([['a', 'b'], ['c']])",
                 "Generator().generate_batch([['a']])", "Encoder().forward_batch([['a']])")
        one, same, *others = self.keys(self.IMPORT + "\n".join(calls), **self.api)
        self.assertEqual((one, len({one, *others})), (same, 3))

    def test_errors_are_the_engine_s(self):
        self.assertIn("incompatible", self.assert_prints_the_same(self.IMPORT + """
try: Translator().translate_batch("a")
except TypeError as error: print(error, error.__context__, error.__cause__)
try: Translator().translate_batch()
except TypeError as error: print(error)
""", **self.api))


class TensorFlow(EngineCase):
    IMPORT = """
import tensorflow as tf
from tensorflow.python.eager.polymorphic_function.concrete_function import WrapperFunction
@tf.function
def twice(x): return 2 * x
"""

    def test_functions_and_signatures_are_passes(self):
        program = self.IMPORT + "print(twice(4), WrapperFunction('serve', 7)(x=3))"
        self.assertEqual(self.words(program), (2 * PASS, "8 {'output_0': 3}\n"))

    def test_keys_are_those_of_every_process(self):
        """A concrete function's own name has a number, which is another in each process."""
        keys = [self.keys(self.IMPORT + f"WrapperFunction('serve', {number})(x=1)") for number in (7, 8)]
        self.assertEqual(keys[0], keys[1])
        self.assertNotEqual(keys[0], self.keys(self.IMPORT + "twice(1)"))

    def test_what_builds_a_graph_or_is_recorded_is_no_pass(self):
        for state in ("builds_graph", "tape"):
            self.assertEqual(self.words(self.IMPORT + f"tf.state.{state} = True\nprint(twice(1))"), ([], "2\n"), state)

    def test_errors_are_those_of_the_function(self):
        self.assert_prints_the_same(self.IMPORT + """
try: twice(None)
except TypeError as error: print(error, error.__context__)
try: WrapperFunction("serve", 1)()
except KeyError as error: print(error, error.__context__)
""")


class Keras(EngineCase):
    NETWORK = "import keras\nclass Network(keras.Model): pass\nclass Other(keras.Model): pass\n"

    def test_a_call_is_a_pass_with_the_class_as_its_key(self):
        one, same, other = self.keys(self.NETWORK + "Network()(1); Network()(2); Other()(3)")
        self.assertEqual((one, one == other), (same, False))

    def test_layers_alone_are_none(self):
        self.assertEqual(self.words("from keras.src.models.model import *\nclass Own(Layer):\n  def call(self, x): return x\nOwn()(1)")[0], [])

    def test_training_and_symbols_are_none(self):
        for arguments in ("1, training=True", "keras.backend.KerasTensor()", "x=keras.backend.KerasTensor()"):
            self.assertEqual(self.words(self.NETWORK + f"Network()({arguments})")[0], [], arguments)

    def test_models_of_pytorch_are_left_to_its_own_marks(self):
        self.assertEqual(self.words(self.NETWORK + "Network()(1)", KERAS_BACKEND="torch")[0], [])


class Jax(EngineCase):
    IMPORT = """
import jax
@jax.jit
def twice(x, y=0):
    "Returns twice x."
    return 2 * x + y
"""

    def test_calls_of_compiled_functions_are_passes(self):
        program = self.IMPORT + "print(twice(4), twice(4, y=1), twice.lower(1)(5))"
        self.assertEqual(self.words(program), (3 * PASS, "8 9 10\n"))

    def test_a_call_inside_another_is_part_of_it(self):
        self.assertEqual(self.words(self.IMPORT + "print(jax.jit(lambda x: twice(x) + twice(x))(1))"), (PASS, "4\n"))

    def test_options_alone_give_a_decorator(self):
        program = "import jax\n@jax.jit(static_argnames=('y',))\ndef once(x): return x\nprint(once(3), once)"
        self.assertEqual(self.words(program), (PASS, "3 <PjitFunction of once>\n"))

    def test_keys_tell_functions_apart(self):
        one, same, other = self.keys(self.IMPORT + "twice(1); twice([1, 2], []); jax.jit(lambda x: x)(1)")
        self.assertEqual((one, one == other), (same, False))

    def test_methods_are_bound(self):
        program = "import jax\nclass Network:\n  @jax.jit\n  def __call__(self, x): return (type(self).__name__, x)\nprint(Network()(1))"
        self.assertEqual(self.words(program), (PASS, "('Network', 1)\n"))

    def test_it_looks_as_it_did(self):
        self.assert_prints_the_same(self.IMPORT + """
import copy, functools, inspect, pickle, weakref
print(twice, twice.__name__, twice.__qualname__, twice.__module__, twice.__doc__, type(twice.__wrapped__), inspect.signature(twice))
print(isinstance(twice, jax._src.api.PjitFunction), callable(twice), weakref.ref(twice)() is twice, twice == twice, len({twice, twice}))
twice.lower(1)
twice.mine = 5
print(twice.lowered, twice.mine, hasattr(twice, "others"), dir(twice))
del twice.mine
print(hasattr(twice, "mine"), inspect.isfunction(twice), functools.wraps(twice)(lambda: 0).__wrapped__ is twice)
print(jax.jit.__name__, inspect.signature(jax.jit))
print(copy.copy(twice)(3), pickle.loads(pickle.dumps(jax.jit(abs)))(-3))
try: twice()
except TypeError as error: print(error, error.__context__)
try: jax.jit(5)
except TypeError as error: print(error, error.__context__)
try: twice.others
except AttributeError as error: print(error)
""")

    def test_pickles_need_no_package_of_ours(self):
        printed = self.python("-c", "import jax, pickle; print(b'memomalloc' in pickle.dumps(jax.jit(abs)))", path=[FAKES]).stdout
        self.assertEqual(printed, "False\n")

    def test_its_frames_are_not_the_program_s(self):
        printed = self.marks("import jax; print(jax.traceback_util.excluded, jax.source_info_util.excluded)")[1]
        for file in ("jax_functions.py", "wrapping.py"):
            self.assertEqual(printed.count(file), 2, printed)


class OnnxRuntimeArena(EngineCase):
    IMPORT = "import onnxruntime as ort\nS, O = ort.InferenceSession, ort.SessionOptions\n"

    def printed(self, program, **variables):
        return self.marks(self.IMPORT + program, **{"MEMOMALLOC_ORT_ARENA": "off", **variables})[1]

    def test_sessions_have_none_and_options_stay(self):
        program = """
own, without = O(), O()
without.enable_cpu_mem_arena = False
sessions = [S(), S("model", own), S("model", without)]
sessions[1].set_providers()
print(*(session._sess.has_arena for session in sessions), own.enable_cpu_mem_arena, without.enable_cpu_mem_arena)
"""
        self.assertEqual(self.printed(program), "False False False True False\n")
        self.assertEqual(self.printed(program, MEMOMALLOC_ORT_ARENA="on"), "True True False True False\n")

    def test_sessions_have_no_pattern_either(self):
        program = """
own = O()
print(*(session._sess.has_pattern for session in (S(), S("model", own))), own.enable_mem_pattern)
"""
        self.assertEqual(self.printed(program), "False False True\n")
        self.assertEqual(self.printed(program, MEMOMALLOC_ORT_ARENA="on"), "True True True\n")

    def test_it_goes_without_marks(self):
        """Passes by hooks are no reason to keep the arena; no Python side is."""
        for variables, has_arena in (({"MEMOMALLOC_PASSES_BY": "hooks"}, False), ({"MEMOMALLOC_PASSES_BY": "period"}, False),
                                     ({"MEMOMALLOC_PYTHON": "off"}, True), ({"MEMOMALLOC_MODE": "off"}, True)):
            self.assertEqual(self.printed("S().run(None, {})\nprint(S()._sess.has_arena)", **variables), f"{has_arena}\n", variables)
            self.assertFalse((self.folder / "marks").exists(), variables)

    def test_one_pair_of_options_for_two_sessions_at_once(self):
        """The first is done before the second, which must not get the arena that the program will see again."""
        self.assertEqual(self.printed("""
import threading
options, half_way, go_on = O(), threading.Event(), threading.Event()
made = []
def meanwhile():
    half_way.set()
    go_on.wait()
first = threading.Thread(target=lambda: made.append(S(meanwhile, options)))
first.start()
half_way.wait()
def first_ends():
    go_on.set()
    first.join()
    made.append(options.enable_cpu_mem_arena)
made.append(S(first_ends, options))
print([one if isinstance(one, bool) else one._sess.has_arena for one in made], options.enable_cpu_mem_arena)
"""), "[False, False, False] True\n")

    def test_errors_are_those_of_the_engine(self):
        program = self.IMPORT + """
own = O()
for arguments in (("broken",), ("broken", own), ("model", "no options")):
    try: S(*arguments)
    except (TypeError, RuntimeError) as error: print(error, error.__context__, own.enable_cpu_mem_arena)
"""
        plain = self.python("-c", program, path=[FAKES], bootstrap=False)
        ours = self.python("-c", program, path=[FAKES], MEMOMALLOC_ORT_ARENA="off")
        self.assertEqual((ours.returncode, ours.stdout, ours.stderr), (0, plain.stdout, plain.stderr))

    def test_a_release_that_makes_sessions_otherwise(self):
        (self.folder / "onnxruntime" / "capi").mkdir(parents=True)
        (self.folder / "onnxruntime" / "__init__.py").touch()
        (self.folder / "onnxruntime" / "capi" / "onnxruntime_inference_collection.py").write_text("class Session: pass\n")
        done = self.python("-c", "import onnxruntime.capi.onnxruntime_inference_collection; print(1)", MEMOMALLOC_ORT_ARENA="off",
                           MEMOMALLOC_LOG="off")
        self.assertEqual(done.stdout, "1\n")
        self.assertIn("sessions of this ONNX Runtime keep their arena", done.stderr)


if __name__ == "__main__":
    unittest.main()
