"""Marks the passes of engines, each in a file of its own, once the engine has been imported."""
import importlib

from .. import library

# A module that `memomalloc_imports.py` watches -> the file here that marks it.
FILES = {
    "torch": "torch_modules",
    "torch._dynamo.eval_frame": "torch_dynamo",
    "torch._inductor.package.package": "torch_aot",
    "torch.export.pt2_archive._package": "torch_aot",
    "transformers.generation.utils": "transformers_generation",
    "onnxruntime.capi.onnxruntime_inference_collection": "onnxruntime_sessions",
    "openvino._ov_api": "openvino_requests",
}


def mark(module):
    if library.is_loaded:
        importlib.import_module("." + FILES[module.__name__], __name__).mark(module)
