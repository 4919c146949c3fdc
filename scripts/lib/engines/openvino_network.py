"""openvino_network.py PASSES|asked MODEL: a compiled model of OpenVINO on images of 1 x 3 x 64 x 64. Prints a digest of its answers (asked.py)."""
import sys

import numpy
import openvino
from asked import make_passes

core = openvino.Core()
model = core.compile_model(sys.argv[2], "CPU", {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY"})
random = numpy.random.default_rng(1)
make_passes(lambda: [numpy.ascontiguousarray(model(random.random((1, 3, 64, 64), numpy.float32))[0]).tobytes()])
