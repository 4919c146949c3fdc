#!/usr/bin/python3
"""see.py detect|read [--requests N] [--seed N] [--sides FROM-TO] [--eager] [--behind N] [--asked]

A detector of boxes or a reader of lines of text on PyTorch (vision.py), with random weights. Each request is an image whose
height and width, or for a line only the width, are drawn from the seed. Scripted, or with --eager as it stands. Prints one
JSON object (measuring.py). Knows nothing of who allocates for it.
"""

import random
import sys
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402

sys.dont_write_bytecode = True
import measuring  # noqa: E402
import vision  # noqa: E402


def arguments():
    parser = measuring.torch_parser(__doc__)
    parser.add_argument("network", choices=["detect", "read"])
    parser.add_argument("--sides", type=measuring.span, help="pixels; 320-640 of an image, 32-512 of a line")
    return parser.parse_args()


def images(options):
    dice = random.Random(options.seed)
    for _ in range(options.requests):
        shape = ((1, 3, dice.randint(*options.sides or (320, 640)), dice.randint(*options.sides or (320, 640)))
                 if options.network == "detect" else (1, 1, 32, dice.randint(*options.sides or (32, 512))))
        yield (torch.rand(shape, generator=torch.Generator().manual_seed(dice.randrange(1 << 30))),)


def main():
    options = arguments()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = (vision.Detector() if options.network == "detect" else vision.Reader()).eval()
    if not options.eager:
        network = torch.jit.script(network)
    with torch.no_grad():
        measuring.measure(network, images(options), options)


main()
