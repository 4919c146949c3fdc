#!/usr/bin/python3
"""encode.py [--requests N] [--seed N] [--batches N,N,...] [--lengths FROM-TO] [--eager] [--marked] [--behind N]

A text encoder with random weights on PyTorch: an embedding and Transformer layers. Each request has a batch and a length
of its own, both drawn from the seed, as a server of texts sees them. Scripted, or with --eager as it stands; --marked
marks each request as a pass. Prints one JSON object: a digest of every answer, and what the requests behind the first
ones took: seconds, the median and the 99th percentile of a request, and page faults. Knows nothing of who allocates for
it, but for the marks.
"""

import argparse
import contextlib
import hashlib
import json
import pathlib
import random
import resource
import statistics
import sys
import time
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "preload" / "python"))
import memomalloc  # noqa: E402
from attention import AttentionLayer  # noqa: E402

TOKENS = 1000


class Layer(AttentionLayer):
    """Attention over the whole text, and two linear layers."""

    def forward(self, state: torch.Tensor) -> torch.Tensor:
        batch, length, width = state.shape
        parts = self.project(self.before(state)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(torch.matmul(query, key.transpose(2, 3)) * self.scale, -1)
        mixed = torch.matmul(weights, value).transpose(1, 2).reshape(batch, length, width)
        state = state + self.out(mixed)
        return state + self.narrow(torch.nn.functional.gelu(self.widen(self.between(state))))


class Encoder(torch.nn.Module):
    def __init__(self, width, layers, heads):
        super().__init__()
        self.embedding = torch.nn.Embedding(TOKENS, width)
        self.layers = torch.nn.ModuleList([Layer(width, heads) for _ in range(layers)])
        self.after = torch.nn.LayerNorm(width)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        state = self.embedding(tokens)
        for layer in self.layers:
            state = layer(state)
        return self.after(state).mean(1)


def arguments():
    def numbers(text):
        return [int(word) for word in text.split(",")]

    def span(text):
        return tuple(int(word) for word in text.split("-"))

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batches", type=numbers, default=[1, 2, 4, 8])
    parser.add_argument("--lengths", type=span, default=(8, 128))
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--behind", type=int, default=10, help="requests that are not measured")
    parser.add_argument("--eager", action="store_true")
    parser.add_argument("--marked", action="store_true")
    return parser.parse_args()


def answers(options):
    """The answer of each request, and the seconds that it took."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = Encoder(options.width, options.layers, options.heads).eval()
    if not options.eager:
        network = torch.jit.script(network)
    mark = memomalloc.forward if options.marked else contextlib.nullcontext
    dice = random.Random(options.seed)
    with torch.no_grad():
        for _ in range(options.requests):
            shape = (dice.choice(options.batches), dice.randint(*options.lengths))
            tokens = torch.tensor([[dice.randrange(TOKENS) for _ in range(shape[1])] for _ in range(shape[0])])
            begin = time.perf_counter()
            with mark():
                answer = network(tokens)
            yield answer, time.perf_counter() - begin


def main():
    options = arguments()
    digest = hashlib.sha256()
    times = []
    faults = None
    for number, (answer, seconds) in enumerate(answers(options)):
        digest.update(answer.numpy().tobytes())
        if number == options.behind - 1:
            faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        if number >= options.behind:
            times.append(seconds)
    result = {"answer": digest.hexdigest(), "requests": options.requests}
    if times:
        result |= {"seconds": sum(times), "median": statistics.median(times), "p99": sorted(times)[len(times) * 99 // 100],
                   "faults": resource.getrusage(resource.RUSAGE_SELF).ru_minflt - (faults or 0)}
    print(json.dumps(result))


main()
