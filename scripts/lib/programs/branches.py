#!/usr/bin/env python3
"""branches.py planned|random|fork [--seed N]: two blocks of parallel branches with random weights, on PyTorch. Makes a pass for each line of
its input, and prints a digest of its answer, which the order of the branches does not change.

planned runs the branches of each block in one order, random draws for each pass whether they run backwards, fork compiles the network
by TorchScript and runs each branch but the last by `torch.jit.fork`."""

import argparse
import hashlib
import random
import sys

import torch
from torch import nn

SIDE = 64


class Block(nn.Module):
    """Like an inception block of googlenet."""

    def __init__(self, channels):
        super().__init__()
        self.one = nn.Sequential(nn.Conv2d(channels, 32, 1), nn.ReLU())
        self.three = nn.Sequential(nn.Conv2d(channels, 48, 1), nn.ReLU(), nn.Conv2d(48, 64, 3, padding=1), nn.ReLU())
        self.five = nn.Sequential(nn.Conv2d(channels, 8, 1), nn.ReLU(), nn.Conv2d(8, 16, 5, padding=2), nn.ReLU())
        self.pool = nn.Sequential(nn.MaxPool2d(3, 1, 1), nn.Conv2d(channels, 16, 1), nn.ReLU())


class Ordered(Block):
    backwards = False

    def forward(self, image):
        branches = (self.one, self.three, self.five, self.pool)
        if Ordered.backwards:
            made = [branch(image) for branch in reversed(branches)][::-1]
        else:
            made = [branch(image) for branch in branches]
        return torch.cat(made, 1)


class Forked(Block):
    def forward(self, image):
        one = torch.jit.fork(self.one, image)
        three = torch.jit.fork(self.three, image)
        five = torch.jit.fork(self.five, image)
        pool = self.pool(image)
        return torch.cat([torch.jit.wait(one), torch.jit.wait(three), torch.jit.wait(five), pool], 1)


def network(kind):
    torch.manual_seed(1)
    layers = (nn.Conv2d(3, 32, 3, padding=1), kind(32), nn.MaxPool2d(2), kind(128), nn.AdaptiveAvgPool2d(1), nn.Flatten())
    return nn.Sequential(*layers).eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("order", choices=("planned", "random", "fork"))
    parser.add_argument("--seed", type=int, default=1, help="of the draws")
    options = parser.parse_args()
    torch.set_num_threads(1)
    net = torch.jit.script(network(Forked)) if options.order == "fork" else network(Ordered)
    image, draws = torch.rand(1, 3, SIDE, SIDE), random.Random(options.seed)
    with torch.inference_mode():
        for _ in sys.stdin:
            Ordered.backwards = options.order == "random" and draws.random() < 0.5
            print(hashlib.sha256(net(image).numpy().tobytes()).hexdigest(), flush=True)


if __name__ == "__main__":
    main()
