#!/usr/bin/python3
"""unfit.py KIND [--seed N]

Answers each line of its input by a line: one forward pass on PyTorch whose memory a plan cannot foresee. KIND is:

    texts       an encoder of texts; each request has a batch and a length of its own
    recompiled  every fourth request scripts its network anew, which TorchScript's compiler then sees for the first time
    never       operators drawn anew for each request, on sizes drawn anew; the request is marked as a pass
    other       a network that is always the same; meant to be served from the plan of another program

Knows nothing of who allocates for it, but for the marks."""

import argparse
import hashlib
import pathlib
import random
import sys
import warnings

warnings.simplefilter("ignore")
sys.dont_write_bytecode = True

import torch  # noqa: E402

sys.path += [str(pathlib.Path(__file__).resolve().parents[3] / folder) for folder in ("examples/torch_python", "preload/python")]
import memomalloc  # noqa: E402
from attention import AttentionLayer  # noqa: E402

WIDTH = 128
COMPILED_FOR = 4  # requests


class Layer(AttentionLayer):
    def forward(self, state: torch.Tensor) -> torch.Tensor:
        batch, length, width = state.shape
        parts = self.project(self.before(state)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(torch.matmul(query, key.transpose(2, 3)) * self.scale, -1)
        state = state + self.out(torch.matmul(weights, value).transpose(1, 2).reshape(batch, length, width))
        return state + self.narrow(torch.nn.functional.gelu(self.widen(self.between(state))))


def text_encoder():
    return torch.jit.script(torch.nn.Sequential(*[Layer(WIDTH, 4) for _ in range(4)]).eval())


def plain_network():
    layers = [torch.nn.Conv2d(3, 24, 3, 2), torch.nn.ReLU(), torch.nn.Conv2d(24, 48, 3, 2), torch.nn.ReLU(),
              torch.nn.Conv2d(48, 96, 3, 2), torch.nn.AdaptiveAvgPool2d(4), torch.nn.Flatten(), torch.nn.Linear(1536, 100)]
    return torch.nn.Sequential(*layers).eval()


def texts(dice):
    encoder = text_encoder()
    while True:
        yield encoder(torch.ones(dice.choice([1, 2, 4, 8]), dice.randint(8, 128), WIDTH))


def recompiled(dice):
    while True:
        width = dice.randrange(64, 256)
        network = torch.jit.script(torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.GELU(),
                                                       torch.nn.Linear(width, width), torch.nn.LayerNorm(width)).eval())
        for _ in range(COMPILED_FOR):
            yield network(torch.ones(dice.randint(1, 64), width))


def never(dice):
    operators = [torch.relu, torch.exp, torch.neg, lambda x: x @ x, lambda x: x.t().contiguous(), lambda x: torch.cat([x, x])[:len(x)],
                 lambda x: torch.softmax(x, 1), lambda x: x.sort(0)[0], lambda x: x.cumsum(0), lambda x: x.flip(0)]
    while True:
        with memomalloc.forward():
            state = torch.ones(*[dice.randrange(16, 300)] * 2)
            for _ in range(dice.randint(20, 80)):
                state = dice.choice(operators)(state).clamp(-1, 1)
        yield state


def other(_):
    network = torch.jit.freeze(torch.jit.trace(plain_network(), torch.ones(1, 3, 128, 128)))
    while True:
        yield network(torch.ones(1, 3, 128, 128))


KINDS = {function.__name__: function for function in (texts, recompiled, never, other)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    with torch.no_grad():
        for _, answer in zip(sys.stdin, KINDS[options.kind](random.Random(options.seed)), strict=False):
            print(hashlib.sha256(answer.numpy().tobytes()).hexdigest(), flush=True)


main()
