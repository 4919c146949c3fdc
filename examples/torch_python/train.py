#!/usr/bin/python3
"""train.py [--steps N] [--batch N] [--image N] [--optimiser sgd|adam] [--seed N] [--marked]

Trains a small residual network on PyTorch on random images: forward, backward and a step of the optimiser, again and
again. Prints one JSON object: the loss of each step, a digest of the trained weights, and the median of a step in
milliseconds. With --marked it tells MemoMalloc where a step begins and ends; otherwise it knows nothing of who
allocates for it.
"""

import argparse
import contextlib
import hashlib
import json
import statistics
import time
import warnings

warnings.simplefilter("ignore")

import torch  # noqa: E402

CLASSES = 10
UNMEASURED = 5


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = torch.nn.Conv2d(width, width, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(width)
        self.second = torch.nn.Conv2d(width, width, 3, padding=1)

    def forward(self, images):
        return torch.relu(images + self.second(torch.relu(self.norm(self.first(images)))))


def network(width, blocks):
    layers = [torch.nn.Conv2d(3, width, 3, padding=1), *(Block(width) for _ in range(blocks))]
    return torch.nn.Sequential(*layers, torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(width, CLASSES))


def optimiser(name, weights):
    if name == "adam":
        return torch.optim.Adam(weights, lr=0.001)
    return torch.optim.SGD(weights, lr=0.01, momentum=0.9)


def step(trained, chosen, images, labels):
    """Returns the loss before the step."""
    chosen.zero_grad()
    loss = torch.nn.functional.cross_entropy(trained(images), labels)
    loss.backward()
    chosen.step()
    return loss.item()


def mark_of(options):
    if not options.marked:
        return contextlib.nullcontext
    import memomalloc

    return memomalloc.forward


def train(options):
    """Returns the loss and the milliseconds of each step, and the trained network."""
    trained = network(options.width, options.blocks)
    chosen, mark = optimiser(options.optimiser, trained.parameters()), mark_of(options)
    images = torch.rand(options.batch, 3, options.image, options.image)
    labels = torch.randint(CLASSES, (options.batch,))
    steps = []
    for _ in range(options.steps):
        begin = time.perf_counter()
        with mark():
            loss = step(trained, chosen, images, labels)
        steps.append((loss, 1000 * (time.perf_counter() - begin)))
    return steps, trained


def digest(trained):
    sums = hashlib.sha256()
    for weights in trained.state_dict().values():
        sums.update(weights.numpy().tobytes())
    return sums.hexdigest()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--image", type=int, default=32)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--blocks", type=int, default=3)
    parser.add_argument("--optimiser", choices=("sgd", "adam"), default="sgd")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--marked", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    steps, trained = train(options)
    measured = [milliseconds for _, milliseconds in steps[UNMEASURED:]] or [0]
    print(json.dumps({"checksum": digest(trained), "losses": [loss for loss, _ in steps],
                      "step_ms": {"p50": statistics.median(measured)}}))


main()
