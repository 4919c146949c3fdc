#!/usr/bin/python3
"""generate.py lstm|decoder [--lengths N,N,...] [--warmup N,N,...] [--eager] [--width N] [--layers N]

Token generation with random weights on PyTorch: each request is one pass, and runs the body of a loop as many times as it
asks for tokens. An LSTM hands its state from step to step; the decoder is a Transformer whose cache of keys and values
grows by a row with each token. Scripted, or with --eager as it stands, each request marked as a pass. Prints one JSON
object: requests a second and a digest of every answer. Knows nothing of who allocates for it, but for the marks.
"""

import argparse
import hashlib
import json
import pathlib
import sys
import time
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "preload" / "python"))
import generators  # noqa: E402
import memomalloc  # noqa: E402


def arguments():
    def lengths(text):
        return [int(word) for word in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=sorted(generators.NETWORKS))
    parser.add_argument("--lengths", type=lengths, default=[20, 50, 20, 50], help="tokens of each request")
    parser.add_argument("--warmup", type=lengths, default=[8, 8, 8], help="requests before them")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--eager", action="store_true")
    return parser.parse_args()


def answers(options):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = generators.NETWORKS[options.network](options.width, options.layers).eval()
    if not options.eager:
        network = torch.jit.script(network)
    with torch.no_grad():
        for number, steps in enumerate(options.warmup + options.lengths):
            first = torch.tensor([number % generators.TOKENS])
            if options.eager:
                with memomalloc.forward():
                    yield network(first, steps)
            else:
                yield network(first, steps)


def main():
    options = arguments()
    digest = hashlib.sha256()
    begin = time.perf_counter()
    for answer in answers(options):
        digest.update(answer.numpy().tobytes())
    seconds = time.perf_counter() - begin
    print(json.dumps({"network": options.network, "answer": digest.hexdigest(),
                      "requests_per_second": (len(options.warmup) + len(options.lengths)) / seconds}))


main()
