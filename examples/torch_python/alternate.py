#!/usr/bin/python3
"""alternate.py [--requests N] [--seed N] [--eager] [--behind N] [--asked]

Two models in one process on PyTorch, with random weights: a text encoder and a reader of lines. Each request goes to one of
them and has a shape of its own, all drawn from the seed. Scripted, or with --eager as they stand. Prints one JSON object
(measuring.py). Knows nothing of who allocates for it.
"""

import random
import sys
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402

sys.dont_write_bytecode = True
import measuring  # noqa: E402
import text_encoder  # noqa: E402
import vision  # noqa: E402


def requests(options):
    dice = random.Random(options.seed)
    for _ in range(options.requests):
        if dice.random() < 0.5:
            yield "text", text_encoder.text(dice, dice.choice([1, 2, 4]), dice.randint(8, 128))
        else:
            pixels = torch.Generator().manual_seed(dice.randrange(1 << 30))
            yield "line", torch.rand((1, 1, 32, dice.randint(32, 512)), generator=pixels)


def main():
    options = measuring.torch_parser(__doc__).parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    networks = {"text": text_encoder.Encoder(192, 3, 4).eval(), "line": vision.Reader().eval()}
    if not options.eager:
        networks = {name: torch.jit.script(network) for name, network in networks.items()}
    with torch.no_grad():
        measuring.measure(lambda name, request: networks[name](request), requests(options), options)


main()
