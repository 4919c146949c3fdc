"""onnxruntime_text.py [--requests N] [--seed N] [--behind N] [--asked] MODEL: a session of ONNX Runtime on texts, each with a batch
of 1 to 8 and a length of 8 to 128, both drawn from the seed. Prints one JSON object (examples/torch_python/measuring.py)."""
import pathlib
import random
import sys

import numpy
import onnxruntime

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "examples/torch_python"))
import measuring  # noqa: E402

TOKENS = 1000


def texts(count, seed):
    dice = random.Random(seed)
    for _ in range(count):
        batch, length = dice.randint(1, 8), dice.randint(8, 128)
        yield (numpy.array([[dice.randrange(TOKENS) for _ in range(length)] for _ in range(batch)]),)


def main():
    parser = measuring.parser(__doc__)
    parser.add_argument("model")
    given = parser.parse_args()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(given.model, options, providers=["CPUExecutionProvider"])
    measuring.measure(lambda tokens: session.run(None, {"tokens": tokens})[0], texts(given.requests, given.seed), given)


main()
