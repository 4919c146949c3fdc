#!/usr/bin/python3
"""unfit.py KIND [--seed N]

Answers each line of its input by a line of JSON (examples/torch_python/measuring.py): one forward pass on PyTorch whose memory a
plan cannot foresee. KIND is:

    recompiled  every fourth request scripts its network anew, which TorchScript's compiler then sees for the first time
    never       operators drawn anew for each request, on sizes drawn anew; the request is marked as a pass
    other       a network that is always the same; meant to be served from the plan of another program

Knows nothing of who allocates for it, but for the marks."""

import argparse
import itertools
import pathlib
import random
import sys
import warnings

warnings.simplefilter("ignore")
sys.dont_write_bytecode = True

import torch  # noqa: E402

sys.path += [str(pathlib.Path(__file__).resolve().parents[3] / folder) for folder in ("examples/torch_python", "preload/python")]
import measuring  # noqa: E402
import memomalloc  # noqa: E402

COMPILED_FOR = 4  # requests


def plain_network():
    layers = [torch.nn.Conv2d(3, 24, 3, 2), torch.nn.ReLU(), torch.nn.Conv2d(24, 48, 3, 2), torch.nn.ReLU(),
              torch.nn.Conv2d(48, 96, 3, 2), torch.nn.AdaptiveAvgPool2d(4), torch.nn.Flatten(), torch.nn.Linear(1536, 100)]
    return torch.nn.Sequential(*layers).eval()


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


KINDS = {function.__name__: function for function in (recompiled, never, other)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    answers = KINDS[options.kind](random.Random(options.seed))
    with torch.no_grad():
        measuring.answer_lines(measuring.measured(lambda: next(answers), itertools.repeat(())))


main()
