#!/usr/bin/python3
"""encode.py [--requests N] [--seed N] [--batches FROM-TO] [--lengths FROM-TO] [--eager] [--marked] [--behind N] [--asked]

A text encoder with random weights on PyTorch: an embedding and Transformer layers. Each request has a batch and a length
of its own, both drawn from the seed, as a server of texts sees them. Scripted, or with --eager as it stands; --marked
marks each request as a pass. Prints one JSON object (measuring.py). Knows nothing of who allocates for it, but for the
marks.
"""

import contextlib
import pathlib
import random
import sys
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "preload" / "python"))
import measuring  # noqa: E402
import memomalloc  # noqa: E402
import text_encoder  # noqa: E402


def arguments():
    parser = measuring.torch_parser(__doc__)
    parser.add_argument("--batches", type=measuring.span, default=(1, 8))
    parser.add_argument("--lengths", type=measuring.span, default=(8, 128))
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--marked", action="store_true")
    return parser.parse_args()


def requests(options):
    dice = random.Random(options.seed)
    for _ in range(options.requests):
        shape = (dice.randint(*options.batches), dice.randint(*options.lengths))
        yield (text_encoder.text(dice, *shape),)


def main():
    options = arguments()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = text_encoder.Encoder(options.width, options.layers, options.heads).eval()
    if not options.eager:
        network = torch.jit.script(network)
    mark = memomalloc.forward if options.marked else contextlib.nullcontext
    with torch.no_grad():
        measuring.measure(network, requests(options), options, mark)


main()
