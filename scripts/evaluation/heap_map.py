"""A heap map as a small picture: time to the right, addresses up, a rectangle for each buffer. PNG, written with Python alone."""

import struct
import zlib

WIDE, HIGH = 280, 180
WHITE, LINE = 0, 1
PALETTE = ["ffffff", "d97706", "440154", "46327e", "365c8d", "277f8e", "1fa187", "4ac16d", "a0da39", "3b75af", "7a5195"]
FIRST_COLOUR = 2


def pixels_between(low, high, whole, pixels):
    """Returns the pixels that [low, high) of `whole` covers: at least one, or small buffers would not be seen."""
    first = min(pixels - 1, int(low * pixels / whole))
    return first, max(first + 1, min(pixels, round(high * pixels / whole)))


def paint(buffers, offsets, height):
    """Returns rows of numbers of colours, the highest address first."""
    begin, end = min(one["begin"] for one in buffers), max(one["end"] for one in buffers)
    rows = [bytearray(WIDE) for _ in range(HIGH)]
    places = sorted(enumerate(zip(buffers, offsets, strict=True)), key=lambda place: -place[1][0]["size"])  # the small ones on top
    for number, (one, offset) in places:
        left, right = pixels_between(one["begin"] - begin, one["end"] - begin, end - begin, WIDE)
        bottom, top = pixels_between(offset, offset + one["size"], height, HIGH)
        colour = bytes([FIRST_COLOUR + number % (len(PALETTE) - FIRST_COLOUR)]) * (right - left)
        for row in range(bottom, top):
            rows[HIGH - 1 - row][left:right] = colour
    return rows


def draw_line(rows, amount, height):
    """Dashes at the bound, below which no plan can be."""
    row = rows[HIGH - 1 - pixels_between(amount, amount, height, HIGH)[0]]
    for column in range(0, WIDE, 6):
        row[column:column + 3] = bytes([LINE]) * len(row[column:column + 3])


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(rows):
    header = struct.pack(">IIBBBBB", WIDE, HIGH, 8, 3, 0, 0, 0)  # eight bits a pixel, with a palette
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"PLTE", bytes.fromhex("".join(PALETTE)))
            + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)) + chunk(b"IEND", b""))


def draw(buffers, offsets, height, bound):
    rows = paint(buffers, offsets, height)
    draw_line(rows, bound, height)
    return png(rows)
