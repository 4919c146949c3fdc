"""onnxruntime_network.py PASSES|asked MODEL [malloc]: a session of ONNX Runtime on images of 1 x 3 x 64 x 64, with the word malloc without
its arena. Prints a digest of its answers (asked.py)."""
import sys

import numpy
import onnxruntime
from asked import make_passes

options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
options.enable_cpu_mem_arena = "malloc" not in sys.argv
session = onnxruntime.InferenceSession(sys.argv[2], options, providers=["CPUExecutionProvider"])
name = session.get_inputs()[0].name
random = numpy.random.default_rng(1)
make_passes(lambda: [session.run(None, {name: random.random((1, 3, 64, 64), numpy.float32)})[0].tobytes()])
