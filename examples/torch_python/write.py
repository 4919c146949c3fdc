#!/usr/bin/python3
"""write.py lstm|decoder [--tokens FROM-TO] [--requests N] [--seed N] [--eager] [--behind N] [--asked]

A network on PyTorch that writes tokens, with random weights (generators.py). Each request asks for a number of tokens of its
own, drawn from the seed. Scripted, or with --eager as it stands. Prints one JSON object (measuring.py). Knows nothing of who
allocates for it.
"""

import random
import sys
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402

sys.dont_write_bytecode = True
import generators  # noqa: E402
import measuring  # noqa: E402


def arguments():
    parser = measuring.torch_parser(__doc__)
    parser.add_argument("network", choices=sorted(generators.NETWORKS))
    parser.add_argument("--tokens", type=measuring.span, default=(20, 50))
    return parser.parse_args()


def requests(options):
    dice = random.Random(options.seed)
    for number in range(options.requests):
        yield torch.tensor([number % generators.TOKENS]), dice.randint(*options.tokens)


def main():
    options = arguments()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = generators.NETWORKS[options.network](128, 2).eval()
    if not options.eager:
        network = torch.jit.script(network)
    with torch.no_grad():
        measuring.measure(network, requests(options), options)


main()
