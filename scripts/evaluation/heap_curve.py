"""What an allocator's heap holds after each call of a pass, as tests/bench/heap_curve prints it."""

import csv


def read(path):
    """figure -> its bytes, one for each call."""
    with open(path, encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    return {figure: [int(row[figure]) for row in rows] for figure in rows[0] if figure != "call"}
