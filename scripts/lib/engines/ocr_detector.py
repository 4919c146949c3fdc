"""ocr_detector.py PASSES|asked [malloc]: the detector of text that rapidocr carries, by ONNX Runtime, on images of 1 x 3 x 160 x 160; with
the word malloc without its arena. Prints a digest of its answers (asked.py)."""
import importlib.resources
import sys

import numpy
import onnxruntime
from asked import make_passes

options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
options.enable_cpu_mem_arena = "malloc" not in sys.argv
(model,) = (importlib.resources.files("rapidocr") / "models").glob("*_det_*.onnx")
session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
name = session.get_inputs()[0].name
random = numpy.random.default_rng(1)
make_passes(lambda: [session.run(None, {name: random.random((1, 3, 160, 160), numpy.float32)})[0].tobytes()])
