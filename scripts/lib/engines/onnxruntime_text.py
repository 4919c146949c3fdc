"""onnxruntime_text.py [--requests N] [--seed N] [--behind N] MODEL: a session of ONNX Runtime on texts, each with a batch of 1, 2, 4
or 8 and a length of 8 to 128, both drawn from the seed. Prints one JSON object: a digest of every answer, and seconds and page faults
of the requests behind the first ones."""
import argparse
import hashlib
import json
import random
import resource
import time

import numpy
import onnxruntime

TOKENS = 1000


def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("model")
parser.add_argument("--requests", type=int, default=100)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--behind", type=int, default=10)
given = parser.parse_args()
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession(given.model, options, providers=["CPUExecutionProvider"])
dice = random.Random(given.seed)
digest = hashlib.sha256()
seconds, before = 0.0, 0
for number in range(given.requests):
    if number == given.behind:
        seconds, before = 0.0, faults()
    batch, length = dice.choice([1, 2, 4, 8]), dice.randint(8, 128)
    tokens = numpy.array([[dice.randrange(TOKENS) for _ in range(length)] for _ in range(batch)])
    begin = time.perf_counter()
    answer = session.run(None, {"tokens": tokens})[0]
    seconds += time.perf_counter() - begin
    digest.update(answer.tobytes())
print(json.dumps({"answer": digest.hexdigest(), "requests": given.requests, "seconds": seconds, "faults": faults() - before}))
