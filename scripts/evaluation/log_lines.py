"""Lines over two logarithmic axes, as a picture that needs nothing but Python."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 980, 620
LEFT, RIGHT, TOP, BOTTOM = 80, 200, 40, 60
COLOURS = ("#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f", "#edc948", "#b07aa1", "#9c755f", "#d37295", "#86bcb6")
DASHES = ("", "6 3", "2 3")


class Axis:
    """A logarithmic axis from `low` to `high`, whole powers of ten, drawn from pixel `start` to `end`."""

    def __init__(self, values, start, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))
        self.start, self.end = start, end

    def at(self, value):
        part = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.start + part * (self.end - self.start), 1)

    def ticks(self):
        return [10.0**power for power in range(self.low, self.high + 1)]


def text(x, y, words, anchor="start", extra=""):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" {extra}>{escape(words)}</text>'


def grid(x_axis, y_axis, x_title, y_title):
    for tick in x_axis.ticks():
        x = x_axis.at(tick)
        yield f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{HEIGHT - BOTTOM}" class="grid"/>'
        yield text(x, HEIGHT - BOTTOM + 20, f"{tick:,.0f}", "middle")
    for tick in y_axis.ticks():
        y = y_axis.at(tick)
        yield f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}" class="grid"/>'
        yield text(LEFT - 8, y + 4, f"{tick:g}", "end")
    yield text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 15, x_title, "middle")
    yield text(LEFT, TOP - 15, y_title, extra='font-weight="bold"')


def lines(series, x_axis, y_axis):
    order = sorted(series, key=lambda name: -max(series[name])[1])
    for i, name in enumerate(order):
        style = f'stroke="{COLOURS[i % len(COLOURS)]}" stroke-dasharray="{DASHES[i // len(COLOURS) % len(DASHES)]}"'
        points = " ".join(f"{x_axis.at(x)},{y_axis.at(y)}" for x, y in sorted(series[name]))
        yield f'<polyline points="{points}" class="series" {style}/>'
        y = TOP + 10 + 22 * i
        yield f'<line x1="{WIDTH - RIGHT + 15}" y1="{y}" x2="{WIDTH - RIGHT + 45}" y2="{y}" class="series" {style}/>'
        yield text(WIDTH - RIGHT + 52, y + 4, name)


def draw(series, x_title, y_title):
    """series: name -> [(x, y)], all of them above zero."""
    points = [point for values in series.values() for point in values]
    x_axis = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT)
    y_axis = Axis([y for _, y in points], HEIGHT - BOTTOM, TOP)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        "<style>.grid{stroke:#ddd}.series{fill:none;stroke-width:2}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *grid(x_axis, y_axis, x_title, y_title), *lines(series, x_axis, y_axis), "</svg>", ""])
