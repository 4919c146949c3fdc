"""onnxruntime_sessions.py [--sessions N] [--threads N] [--requests N] [--side N] [--seed N] [--malloc] IMAGES TEXTS: sessions of ONNX
Runtime, of two models in turn, whose requests are drawn from the seed. So many threads take the next request each, whichever session it
is for. With --malloc the sessions have no arena. Prints one JSON object: a digest of all answers, the seconds that the requests took, and
what the process held in bytes: before the first request, in the median of the later half of the requests, and at the most."""
import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import random
import re
import resource
import statistics
import time

import numpy
import onnxruntime

TOKENS, LENGTH = 1000, 128
OWN = pathlib.Path("/proc/self")


def images(dice, side):
    return {"image": numpy.random.default_rng(dice.randrange(1 << 30)).random((1, 3, side, side), numpy.float32)}


def texts(dice, _):
    return {"tokens": numpy.random.default_rng(dice.randrange(1 << 30)).integers(TOKENS, size=(1, LENGTH))}


def make_session(model, malloc):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = options.enable_mem_pattern = not malloc
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def resident_bytes():
    return int((OWN / "statm").read_text().split()[1]) * resource.getpagesize()


def forget_most_resident():
    (OWN / "clear_refs").write_text("5")


def most_resident_bytes():
    return 1024 * int(re.search(r"VmHWM:\s+(\d+) kB", (OWN / "status").read_text()).group(1))


class Answering:
    """Sessions that answer requests. Each request leaves a digest of its answer, and what the process held then."""

    def __init__(self, given):
        self.given = given
        kinds = list(zip(given.models, (images, texts), strict=True))
        self.sessions = [(make_session(model, given.malloc), draw)
                         for model, draw in (kinds[number % 2] for number in range(given.sessions))]

    def answer(self, number):
        dice = random.Random(f"{self.given.seed} {number}")
        session, draw = dice.choice(self.sessions)
        answers = session.run(None, draw(dice, self.given.side))
        return hashlib.sha256(b"".join(part.tobytes() for part in answers)).digest(), resident_bytes()

    def answer_all(self):
        with concurrent.futures.ThreadPoolExecutor(self.given.threads) as pool:
            return list(pool.map(self.answer, range(self.given.requests)))


def read_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs=2)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--requests", type=int, default=400)
    parser.add_argument("--side", type=int, default=224)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--malloc", action="store_true")
    return parser.parse_args()


def main():
    answering = Answering(read_options())
    numpy.random.default_rng()  # loads what the first draw would load
    before = resident_bytes()
    forget_most_resident()
    start = time.monotonic()
    done = answering.answer_all()
    seconds = time.monotonic() - start
    digests, resident = zip(*done, strict=True)
    print(json.dumps({"answer": hashlib.sha256(b"".join(digests)).hexdigest(), "seconds": seconds, "before": before,
                      "steady": statistics.median(resident[len(resident) // 2:]), "most": most_resident_bytes()}))


main()
