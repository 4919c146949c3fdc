#!/usr/bin/env python3
"""branches.py [--network small|googlenet] planned|reversed|either|random|fork [--seed N]: networks of parallel branches with random weights, on
PyTorch. `small` has two blocks of four branches, `googlenet` the layers of googlenet, with its nine inception blocks. Makes a pass for each
line of its input, and prints a digest of its answer, which the order of the branches does not change.

planned runs the branches of each block in one order, reversed runs them backwards, either draws one of both for each pass, and random an
order for each block of each pass; fork compiles the network by TorchScript and runs each branch but the last by `torch.jit.fork`."""

import argparse
import hashlib
import random
import sys

import torch
from torch import nn

# For each inception block its channels: in, 1x1, before 3x3, 3x3, before 5x5, 5x5, behind the pool. A None is a pool between blocks.
GOOGLENET = ((192, 64, 96, 128, 16, 32, 32), (256, 128, 128, 192, 32, 96, 64), None,
             (480, 192, 96, 208, 16, 48, 64), (512, 160, 112, 224, 24, 64, 64), (512, 128, 128, 256, 24, 64, 64),
             (512, 112, 144, 288, 32, 64, 64), (528, 256, 160, 320, 32, 128, 128), None,
             (832, 256, 160, 320, 32, 128, 128), (832, 384, 192, 384, 48, 128, 128))


def unit(channels, out, side, normed, **options):
    """A convolution that keeps the image's size. Those of googlenet are normed."""
    norm = (nn.BatchNorm2d(out, eps=0.001),) if normed else ()
    return nn.Sequential(nn.Conv2d(channels, out, side, padding=side // 2, bias=not normed, **options), *norm, nn.ReLU(inplace=normed))


class Block(nn.Module):
    """An inception block."""

    def __init__(self, channels, one, before_three, three, before_five, five, pool, normed=False):
        super().__init__()
        self.one = unit(channels, one, 1, normed)
        self.three = nn.Sequential(unit(channels, before_three, 1, normed), unit(before_three, three, 3, normed))
        self.five = nn.Sequential(unit(channels, before_five, 1, normed), unit(before_five, five, 3 if normed else 5, normed))
        self.pool = nn.Sequential(nn.MaxPool2d(3, 1, 1, ceil_mode=normed), unit(channels, pool, 1, normed))


class Ordered(Block):
    order = (0, 1, 2, 3)

    def forward(self, image):
        branches = (self.one, self.three, self.five, self.pool)
        made = {number: branches[number](image) for number in self.order}
        return torch.cat([made[number] for number in range(len(branches))], 1)


class Forked(Block):
    def forward(self, image):
        one = torch.jit.fork(self.one, image)
        three = torch.jit.fork(self.three, image)
        five = torch.jit.fork(self.five, image)
        pool = self.pool(image)
        return torch.cat([torch.jit.wait(one), torch.jit.wait(three), torch.jit.wait(five), pool], 1)


def small(kind):
    blocks = [kind(channels, 32, 48, 64, 8, 16, 16) for channels in (32, 128)]
    return (nn.Conv2d(3, 32, 3, padding=1), blocks[0], nn.MaxPool2d(2), blocks[1], nn.AdaptiveAvgPool2d(1), nn.Flatten())


def googlenet(kind):
    def pool():
        return nn.MaxPool2d(3, 2, ceil_mode=True)
    stem = (unit(3, 64, 7, normed=True, stride=2), pool(), unit(64, 64, 1, normed=True), unit(64, 192, 3, normed=True), pool())
    blocks = [pool() if channels is None else kind(*channels, normed=True) for channels in GOOGLENET]
    return (*stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(1024, 1000))


NETWORKS = {"small": (small, 64), "googlenet": (googlenet, 128)}


def draw_orders(net, order, draws):
    """Draws the orders of the next pass: backwards or not for all blocks, or another one for each of them."""
    backwards = order == "reversed" or (order == "either" and draws.random() < 0.5)
    for block in net:
        if isinstance(block, Ordered):
            block.order = Ordered.order[::-1] if backwards else Ordered.order
            if order == "random":
                block.order = draws.sample(Ordered.order, len(Ordered.order))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("order", choices=("planned", "reversed", "either", "random", "fork"))
    parser.add_argument("--network", choices=tuple(NETWORKS), default="small")
    parser.add_argument("--seed", type=int, default=1, help="of the draws")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    layers, side = NETWORKS[options.network]
    net = nn.Sequential(*layers(Forked if options.order == "fork" else Ordered)).eval()
    if options.order == "fork":
        net = torch.jit.script(net)
    image, draws = torch.rand(1, 3, side, side), random.Random(options.seed)
    with torch.inference_mode():
        for _ in sys.stdin:
            if options.order != "fork":
                draw_orders(net, options.order, draws)
            print(hashlib.sha256(net(image).numpy().tobytes()).hexdigest(), flush=True)


if __name__ == "__main__":
    main()
