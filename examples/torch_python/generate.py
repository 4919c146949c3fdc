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
from typing import List

warnings.simplefilter("ignore")

import torch  # noqa: E402

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "preload" / "python"))
import memomalloc  # noqa: E402
from attention import AttentionLayer  # noqa: E402

TOKENS = 256


class Lstm(torch.nn.Module):
    def __init__(self, width, layers):
        super().__init__()
        self.width = width
        self.embedding = torch.nn.Embedding(TOKENS, width)
        self.cells = torch.nn.ModuleList([torch.nn.LSTMCell(width, width) for _ in range(layers)])
        self.head = torch.nn.Linear(width, TOKENS)

    def forward(self, token: torch.Tensor, steps: int) -> torch.Tensor:
        hidden = [torch.zeros(1, self.width) for _ in self.cells]
        memory = [torch.zeros(1, self.width) for _ in self.cells]
        answer: List[torch.Tensor] = []
        for _ in range(steps):
            state = self.embedding(token)
            for layer, cell in enumerate(self.cells):
                hidden[layer], memory[layer] = cell(state, (hidden[layer], memory[layer]))
                state = hidden[layer]
            token = torch.argmax(self.head(state), 1)
            answer.append(token)
        return torch.cat(answer)


class Block(AttentionLayer):
    """Attention over everything so far, and two linear layers."""

    def forward(self, state: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
        query, key, value = self.project(self.before(state)).view(3, self.heads, 1, -1).unbind(0)
        keys = torch.cat([keys, key], 1)
        values = torch.cat([values, value], 1)
        weights = torch.softmax(torch.matmul(query, keys.transpose(1, 2)) * self.scale, -1)
        state = state + self.out(torch.matmul(weights, values).view(1, -1))
        return state + self.narrow(torch.relu(self.widen(self.between(state)))), keys, values


class Decoder(torch.nn.Module):
    def __init__(self, width, layers, heads=4):
        super().__init__()
        self.empty = (heads, 0, width // heads)
        self.embedding = torch.nn.Embedding(TOKENS, width)
        self.blocks = torch.nn.ModuleList([Block(width, heads) for _ in range(layers)])
        self.head = torch.nn.Linear(width, TOKENS)

    def forward(self, token: torch.Tensor, steps: int) -> torch.Tensor:
        keys = [torch.zeros(self.empty) for _ in self.blocks]
        values = [torch.zeros(self.empty) for _ in self.blocks]
        answer: List[torch.Tensor] = []
        for _ in range(steps):
            state = self.embedding(token)
            for layer, block in enumerate(self.blocks):
                state, keys[layer], values[layer] = block(state, keys[layer], values[layer])
            token = torch.argmax(self.head(state), 1)
            answer.append(token)
        return torch.cat(answer)


NETWORKS = {"lstm": Lstm, "decoder": Decoder}


def arguments():
    def lengths(text):
        return [int(word) for word in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=sorted(NETWORKS))
    parser.add_argument("--lengths", type=lengths, default=[20, 50, 20, 50], help="tokens of each request")
    parser.add_argument("--warmup", type=lengths, default=[8, 8, 8], help="requests before them")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--eager", action="store_true")
    return parser.parse_args()


def answers(options):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = NETWORKS[options.network](options.width, options.layers).eval()
    if not options.eager:
        network = torch.jit.script(network)
    with torch.no_grad():
        for number, steps in enumerate(options.warmup + options.lengths):
            first = torch.tensor([number % TOKENS])
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
