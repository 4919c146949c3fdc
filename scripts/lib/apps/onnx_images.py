"""onnx_images.py REQUESTS MODEL KIND [malloc]: a small network in ONNX Runtime. KIND is batches: images of batch 1, 4 and 2 in turn, made with
numpy between the passes; or sessions: each session is made for 20 images, and dropped. With the word malloc there is no arena."""
import sys

import numpy
import onnxruntime
from steady import answer

SIDE = 64


def make_session():
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = "malloc" not in sys.argv
    return onnxruntime.InferenceSession(sys.argv[2], options, providers=["CPUExecutionProvider"])


def images(batch, seed):
    pixels = numpy.random.default_rng(seed).integers(256, size=(batch, 2 * SIDE, 2 * SIDE, 3), dtype=numpy.uint8)
    scaled = pixels[:, ::2, ::2].astype(numpy.float32) / 255 - 0.5
    return numpy.ascontiguousarray(scaled.transpose(0, 3, 1, 2))


def run(session, batch, seed):
    return session.run(None, {session.get_inputs()[0].name: images(batch, seed)})[0].tobytes()


def from_new_session(number):
    session = make_session()
    return b"".join(run(session, 1, 20 * number + i) for i in range(20))


if sys.argv[3] == "sessions":
    respond = from_new_session
else:
    one_session = make_session()

    def respond(number):
        return run(one_session, (1, 4, 2)[number % 3], number)
answer(int(sys.argv[1]), respond)
