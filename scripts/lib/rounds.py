"""Contenders measured in turn, and tables of what came of it: medians with their spread."""

import math
import statistics


def one_round(number, contenders, measure):
    """Measures every contender, each round another one first: whoever always runs first looks a few percent faster."""
    names = list(contenders)
    done = {name: measure(contenders[name]) for name in names[number % len(names):] + names[:number % len(names)]}
    return {name: done[name] for name in names}


def rounds_of(count, contenders, measure):
    return [one_round(number, contenders, measure) for number in range(count)]


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def cell(values, digits=3):
    median, least, most = statistics.median(values), min(values), max(values)
    return f"{median:.{digits}f} ({least:.{digits}f}–{most:.{digits}f})"


def row(cells):
    return "| " + " | ".join(str(text) for text in cells) + " |"


def head(titles):
    """The first two rows of a table in Markdown."""
    return row(titles) + "\n" + row(["---"] * len(titles))


def markdown_table(header, rows):
    return "\n".join([head(header), *map(row, rows)])


def print_table(header, rows, markdown):
    if markdown:
        print(markdown_table(header, rows))
        return
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, *rows]:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
