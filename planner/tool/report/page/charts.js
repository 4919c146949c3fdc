// Small charts in SVG: sharp in print, and readable by whatever reads the page aloud.

const CHART = { width: 520, height: 190, left: 66, right: 10, top: 10, bottom: 44 };
const CHART_BOTTOM = CHART.height - CHART.bottom;
const CHART_INNER = { width: CHART.width - CHART.left - CHART.right, height: CHART_BOTTOM - CHART.top };

function chart(title, ...children) {
  return h("figure", {}, h("h3", {}, title),
    svg("svg", { viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img", "aria-label": title }, ...children,
      svg("line", { class: "axis", x1: CHART.left, x2: CHART.width - CHART.right, y1: CHART_BOTTOM, y2: CHART_BOTTOM })));
}

// A scale from 0 to `most` upwards, with its lines and labels.
function upward(most, format) {
  const y = (value) => CHART_BOTTOM - (value / most) * CHART_INNER.height;
  const ticks = valueTicks(most, format).map((tick) => [
    svg("line", { class: "grid", x1: CHART.left, x2: CHART.width - CHART.right, y1: y(tick), y2: y(tick) }),
    svg("text", { x: CHART.left - 8, y: y(tick) + 4, "text-anchor": "end" }, format(tick, most)),
  ]);
  return { y, ticks };
}

function valueTicks(most, format) {
  if (format === byteTickLabel) return byteTicks(0, most, 4);
  return ticksBetween(0, most, format === formatCount ? Math.max(1, roundStep(most, 4)) : roundStep(most, 5));
}

const axisTitle = (text) =>
  svg("text", { x: CHART.left + CHART_INNER.width / 2, y: CHART.height - 6, "text-anchor": "middle" }, text);

// Draws a bar for each power of two. `value` says what is counted, `label` what a bar stands for.
function histogram(title, bars, value, format, label, axis) {
  const { y, ticks } = upward(Math.max(...bars.map(value), 1), format);
  const step = CHART_INNER.width / bars.length;
  const every = Math.ceil(62 / step);
  const words = (bar) => `${label(bar.from)} up to ${label(2 * bar.from)}: ${counted(bar.buffers, "buffer")}, ${formatBytes(bar.bytes)}`;
  return chart(title, ticks,
    bars.map((bar, i) => svg("rect", {
      class: "fill", x: CHART.left + i * step + 1, width: Math.max(step - 2, 1), y: y(value(bar)), height: CHART_BOTTOM - y(value(bar)),
    }, svg("title", {}, words(bar)))),
    bars.map((bar, i) => (i % every === 0 ? svg("text", {
      x: CHART.left + i * step, y: CHART_BOTTOM + 17, "text-anchor": "middle",
    }, label(bar.from)) : null)),
    axisTitle(axis));
}

const shortBytes = (bytes) => byteTickLabel(bytes, bytes);

function histograms(picture) {
  const buffers = (bar) => bar.buffers;
  const bytes = (bar) => bar.bytes;
  const lives = `lifetime, in ${picture.time_unit}`;
  return h("div", { class: "pair" },
    histogram("Buffers by size", picture.sizes, buffers, formatCount, shortBytes, "size"),
    histogram("Bytes by size", picture.sizes, bytes, byteTickLabel, shortBytes, "size"),
    histogram("Buffers by lifetime", picture.lifetimes, buffers, formatCount, formatCount, lives),
    histogram("Bytes by lifetime", picture.lifetimes, bytes, byteTickLabel, formatCount, lives));
}

// Columns of parts one above the other; rows are {at, parts}, at being the end of the column's stretch of passes.
function stackedColumns(title, rows, colours) {
  const most = Math.max(...rows.map((row) => row.parts.reduce((sum, part) => sum + part, 0))) || 0.01;
  const { y, ticks } = upward(most, (share) => `${+(100 * share).toPrecision(3)} %`);
  const step = CHART_INNER.width / rows.length;
  const every = Math.ceil(70 / step);
  return chart(title, ticks,
    rows.map((row, i) => {
      let below = 0;
      return row.parts.map((part, kind) => {
        const top = y(below + part);
        const rect = svg("rect", { x: CHART.left + i * step + 0.5, width: Math.max(step - 1, 0.5), y: top, height: y(below) - top, fill: colours[kind] });
        below += part;
        return rect;
      });
    }),
    rows.map((row, i) => (i % every === every - 1 || rows.length === 1 ? svg("text", {
      x: CHART.left + (i + 1) * step, y: CHART_BOTTOM + 17, "text-anchor": "middle",
    }, formatCount(row.at)) : null)),
    axisTitle("passes"));
}

// Lines are {name, points: [[x, y], …], colour, dash}; `scales` says how x and y are written.
function lineChart(title, lines, scales) {
  const points = lines.flatMap((line) => line.points);
  const { y, ticks } = upward(Math.max(...points.map((point) => point[1])) * 1.05 || 1, scales.y);
  const last = Math.max(...points.map((point) => point[0])) || 1;
  const x = (value) => CHART.left + (value / last) * CHART_INNER.width;
  return chart(title, ticks,
    lines.map((line) => svg("polyline", {
      class: "line", points: line.points.map((point) => `${x(point[0]).toFixed(1)},${y(point[1]).toFixed(1)}`).join(" "),
      style: line.colour ? `stroke:${line.colour}` : undefined, "stroke-dasharray": line.dash,
    }, svg("title", {}, line.name))),
    ticksBetween(0, last, roundStep(last, 6)).map((tick) =>
      svg("text", { x: x(tick), y: CHART_BOTTOM + 17, "text-anchor": "middle" }, scales.x(tick))),
    axisTitle(scales.xTitle));
}

// Draws points {name, x, y, onFront, ours} and the stairs over those on the front: less x and more y is better.
function scatter(title, points, scales) {
  const span = (values) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const margin = 0.06 * (most - least) || 0.06 * most || 1;
    return [least - margin, most + margin];
  };
  const [left, right] = span(points.map((point) => point.x));
  const [low, high] = span(points.map((point) => point.y));
  const x = (value) => CHART.left + ((value - left) / (right - left)) * CHART_INNER.width;
  const y = (value) => CHART_BOTTOM - ((value - low) / (high - low)) * CHART_INNER.height;
  const front = points.filter((point) => point.onFront).sort((a, b) => a.x - b.x);
  const stairs = front.map((point, i) => (i === 0 ? `M${x(point.x)} ${y(point.y)}` : `H${x(point.x)}V${y(point.y)}`)).join("");
  const atTheRight = (point) => x(point.x) > CHART.width - 130;
  return chart(title,
    ticksBetween(low, high, roundStep(high - low, 5)).map((tick) => [
      svg("line", { class: "grid", x1: CHART.left, x2: CHART.width - CHART.right, y1: y(tick), y2: y(tick) }),
      svg("text", { x: CHART.left - 8, y: y(tick) + 4, "text-anchor": "end" }, scales.y(tick))]),
    byteTicks(left, right, 5).map((tick) =>
      svg("text", { x: x(tick), y: CHART_BOTTOM + 17, "text-anchor": "middle" }, scales.x(tick, right))),
    svg("path", { class: "front", d: `${stairs}H${CHART.width - CHART.right}` }),
    points.map((point) => [
      svg("circle", { class: point.ours ? "ours" : "peer", cx: x(point.x), cy: y(point.y), r: 4 }),
      svg("text", { x: x(point.x) + (atTheRight(point) ? -8 : 8), y: y(point.y) + (point.onFront ? -7 : 4), "text-anchor": atTheRight(point) ? "end" : "start" },
        point.name)]),
    axisTitle(scales.xTitle));
}
