"""Forty passes that allocate at the same five places, each time other sizes."""

import random

import memomalloc

dice = random.Random(1)


def size():
    return dice.randrange(2000, 9000)


for _ in range(40):
    with memomalloc.forward():
        buffers = [bytearray(size()), bytes(size()), "x" * size(), [None] * size(), (None,) * size()]
        del buffers
