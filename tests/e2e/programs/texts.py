"""Forty passes, each a text of a batch of 1 to 4 and a length of 8 to 96, whose blocks are products of the two."""

import random

import memomalloc

dice = random.Random(1)
for number in range(40):
    batch, length = (4, 96) if number == 0 else (dice.randint(1, 4), 8 if number == 1 else dice.randint(8, 95))
    with memomalloc.forward():
        with memomalloc.scope("embed"):
            state = bytearray(256 * batch * length)
        with memomalloc.scope("weigh"):
            weights = [None] * (16 * batch * length * length)
        with memomalloc.scope("widen"):
            wide = "x" * (1024 * batch * length)
        del state, weights, wide
