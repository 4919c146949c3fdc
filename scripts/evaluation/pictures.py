"""What was measured, as pictures: a line for each configuration, a dot for each allocator; and what is alive in a pass."""

import itertools
import math

import summary

COLOURS = ["#440154", "#3b75af", "#2a9d8f", "#7ad151", "#c9a227", "#d97706", "#9b2226", "#e76fac", "#666666"]
LINE_COLOURS = ["#31688e", "#9b2226", "#2a9d8f", "#c9a227"]
LEGEND = [44, 194, 404, 634]  # where its words begin
STYLE = "<style>svg{background:#fff} text{font:12px sans-serif;fill:#222}</style>\n"
WIDE, LEFT, TOP, LINE = 900, 230, 64, 18
CHARACTER, DOT = 6.8, 26  # what a character of the legend takes, and a dot with the gaps around it
FINE_TICKS = [number / 50 for number in range(40, 71)]  # where nothing is half as much again as another
TICKS = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 6, 8]


def svg(wide, high, parts):
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {wide} {high}' width='{wide}' height='{high}'>\n"
            + STYLE + "".join(parts) + "</svg>\n")


def lefts_of(words):
    """Where each word of the legend begins, with its dot: as far behind the one before as that takes."""
    return list(itertools.accumulate((CHARACTER * len(word) + DOT for word in words[:-1]), initial=8))


def legend(peers):
    return [f"<circle cx='{left + 6:.1f}' cy='38' r='5' fill='{COLOURS[number % len(COLOURS)]}'/>"
            f"<text x='{left + 16:.1f}' y='42'>{peer}</text>\n"
            for number, (peer, left) in enumerate(zip(peers, lefts_of(list(peers)), strict=True))]


def dots(title, rows):
    """rows: (name, {peer: ratio}); the axis is logarithmic: twice as fast is as far from equal as half as fast."""
    values = [value for _, ratios in rows for value in ratios.values()]
    low, high = min(0.95, *values) * 0.99, max(1.05, *values) * 1.01

    def x_of(value):
        return LEFT + (WIDE - LEFT - 16) * math.log(value / low) / math.log(high / low)

    bottom = TOP + len(rows) * LINE
    parts = [f"<text x='8' y='20'>{title}</text>\n", *legend(rows[0][1])]
    for tick in (tick for tick in (FINE_TICKS if high < 1.3 * low else TICKS) if low <= tick <= high):
        parts.append(f"<line x1='{x_of(tick):.1f}' x2='{x_of(tick):.1f}' y1='{TOP}' y2='{bottom}' "
                     f"stroke='{'#222' if tick == 1 else '#ddd'}'/>"
                     f"<text x='{x_of(tick):.1f}' y='{bottom + 16}' text-anchor='middle'>{tick}</text>\n")
    for number, (name, ratios) in enumerate(rows):
        middle = TOP + (number + 0.5) * LINE
        parts.append(f"<text x='8' y='{middle + 4:.1f}'>{name}</text>\n")
        parts += [f"<circle cx='{x_of(value):.1f}' cy='{middle:.1f}' r='4' fill='{COLOURS[peer % len(COLOURS)]}' "
                  f"fill-opacity='0.8'/>\n" for peer, value in enumerate(ratios.values())]
    return svg(WIDE, bottom + 28, parts)


def extremes(points, columns):
    """points: (how far, amount). What is left of them where each column of the picture shows its least and its most."""
    kept = {}
    for moment, amount in points:
        column = min(columns - 1, int(moment * columns))
        least, most = kept.get(column, (amount, amount))
        kept[column] = (min(least, amount), max(most, amount))
    return without_level_runs([(column / columns, amount) for column, pair in sorted(kept.items()) for amount in pair])


def without_level_runs(points):
    """Leaves out what lies on a level line between its neighbours."""
    return [point for number, point in enumerate(points) if number in (0, len(points) - 1)
            or not points[number - 1][1] == point[1] == points[number + 1][1]]


def curves_of(heaps):
    """name -> [(how far the pass is, bytes)]: what is alive; the active extents that hold it, which are the same whenever the
    allocator gives back; and what each allocator has in memory."""
    first, heap = next(iter(heaps.items()))
    curves = {"alive": heap["live"], f"{first}, active": heap["active"],
              **{f"{name}, in memory": some["resident"] for name, some in heaps.items()}}
    return {name: [(call / len(amounts), amount) for call, amount in enumerate(amounts)] for name, amounts in curves.items()}


def through_a_pass(title, slab, heaps):
    """Thesis, figure 5.2: what is alive through one pass, under the slab that holds it, and what a heap holds for the same calls."""
    curves = curves_of(heaps)
    top = max(slab, *(amount for points in curves.values() for _, amount in points))
    wide, high, margin = 900, 340, 44

    def y_of(amount):
        return high - margin - (high - 2 * margin) * amount / top

    parts = [f"<text x='{margin}' y='18'>{title}: MiB through a pass; the slab is {slab / summary.MEBIBYTE:.2f}</text>\n"]
    for number, (name, points) in enumerate(curves.items()):
        path = " ".join(f"{margin + (wide - 2 * margin) * moment:.1f},{y_of(amount):.1f}"
                        for moment, amount in extremes(points, wide - 2 * margin))
        most = max(amount for _, amount in points) / summary.MEBIBYTE
        parts += [f"<polyline points='{path}' fill='none' stroke='{LINE_COLOURS[number]}'/>\n",
                  f"<text x='{LEGEND[number]}' y='36' style='fill:{LINE_COLOURS[number]}'>{name}: {most:.2f} at most</text>\n"]
    return svg(wide, high, [
        *parts, f"<line x1='{margin}' x2='{wide - margin}' y1='{y_of(slab):.1f}' y2='{y_of(slab):.1f}' stroke='#d97706' "
        "stroke-dasharray='6 3'/>\n",
        f"<text x='{margin}' y='{high - 12}'>calls of a pass, in order</text>\n"])


def alive(result):
    return through_a_pass(result["configuration"].model, max(variant["height"] for variant in result["variants"]), result["heaps"])
