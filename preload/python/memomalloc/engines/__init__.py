"""Marks the passes of engines, each in a file of its own, once the engine has been imported."""
import importlib

from .. import library, speaker
from . import onnxruntime_arena

# A module that `memomalloc_imports.py` watches -> the file here that marks it.
FILES = {
    "torch": "torch_modules",
    "torch._dynamo.eval_frame": "torch_dynamo",
    "torch._inductor.package.package": "torch_aot",
    "torch.export.pt2_archive._package": "torch_aot",
    "transformers.generation.utils": "transformers_generation",
    "onnxruntime.capi.onnxruntime_inference_collection": "onnxruntime_sessions",
    "openvino._ov_api": "openvino_requests",
    "ctranslate2._ext": "ctranslate2_pools",
    "tensorflow.python.eager.polymorphic_function.polymorphic_function": "tensorflow_functions",
    "tensorflow.python.eager.polymorphic_function.concrete_function": "tensorflow_functions",
    "keras.src.models.model": "keras_models",
    "jax": "jax_functions",
}

ONNXRUNTIME = "onnxruntime.capi.onnxruntime_inference_collection"

KEY_OF_ANNOUNCEMENT = 1  # of its own, so that it does not count among the passes that warm a model up
_announced = False


def mark(module):
    if not library.is_loaded:
        return
    if module.__name__ == ONNXRUNTIME and not library.leaves_ort_arena:
        _switch_off_arena(module)
    if library.takes_marks:
        importlib.import_module("." + FILES[module.__name__], __name__).mark(module)
        announce_passes()


def _switch_off_arena(module):
    """Says so where it cannot: the user has asked for it."""
    try:
        onnxruntime_arena.switch_off(module)
    except AttributeError as error:
        speaker.say(f"memomalloc: sessions of this ONNX Runtime keep their arena: {error}\n")


def announce_passes():
    """Makes an empty pass where the library learns by itself. From the first marked pass on it looks for no period, and would
    find one in what a program does while it loads its model."""
    global _announced
    if library.is_learning and library.takes_marks and not _announced:
        _announced = True
        library.pass_begin(KEY_OF_ANNOUNCEMENT)
        library.pass_end()
