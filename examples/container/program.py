"""Stands for a server: each pass allocates the same blocks, and the sum over all passes is the answer."""

import memomalloc

PASSES = 2000


def forward(number):
    blocks = [bytearray(4096 * size) for size in range(1, 33)]
    return sum(map(len, blocks)) + number


def main():
    total = 0
    for number in range(PASSES):
        with memomalloc.forward():
            total += forward(number)
    print(total)


if __name__ == "__main__":
    main()
