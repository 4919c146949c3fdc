// Small charts in SVG: sharp in print, and readable by whatever reads the page aloud.

const CHART = { width: 520, height: 190, left: 62, right: 8, top: 10, bottom: 44 };

// One bar for each power of two. `value` says what is counted, `label` what a bar stands for.
function histogram(title, bars, value, format, label, axis) {
  const most = Math.max(...bars.map(value), 1);
  const inner = { width: CHART.width - CHART.left - CHART.right, height: CHART.height - CHART.top - CHART.bottom };
  const bottom = CHART.top + inner.height;
  const step = inner.width / bars.length;
  const y = (amount) => bottom - (amount / most) * inner.height;
  const every = Math.ceil(62 / step);
  return h("figure", { style: "margin:0" }, h("h3", {}, title),
    svg("svg", { viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img", "aria-label": title },
      valueTicks(most, format).map((tick) => [
        svg("line", { class: "grid", x1: CHART.left, x2: CHART.width - CHART.right, y1: y(tick), y2: y(tick) }),
        svg("text", { x: CHART.left - 8, y: y(tick) + 4, "text-anchor": "end" }, format(tick, most)),
      ]),
      bars.map((bar, i) => svg("rect", {
        class: "fill", x: CHART.left + i * step + 1, width: Math.max(step - 2, 1), y: y(value(bar)),
        height: bottom - y(value(bar)),
      }, svg("title", {}, `${label(bar.from)} up to ${label(2 * bar.from)}: ${formatCount(bar.buffers)} buffers, ${formatBytes(bar.bytes)}`))),
      bars.map((bar, i) => i % every === 0 && svg("text", {
        x: CHART.left + i * step, y: bottom + 17, "text-anchor": "middle",
      }, label(bar.from))).filter(Boolean),
      svg("line", { class: "axis", x1: CHART.left, x2: CHART.width - CHART.right, y1: bottom, y2: bottom }),
      svg("text", { x: CHART.left + inner.width / 2, y: CHART.height - 6, "text-anchor": "middle" }, axis)));
}

function valueTicks(most, format) {
  return format === byteTickLabel ? byteTicks(0, most, 4) : ticksBetween(0, most, Math.max(1, roundStep(most, 4)));
}

const shortBytes = (bytes) => byteTickLabel(bytes, bytes);

function histograms(picture) {
  const count = (value) => formatCount(value);
  const buffers = (bar) => bar.buffers;
  const bytes = (bar) => bar.bytes;
  const lives = `lifetime: ${picture.time_unit}`;
  return h("div", { class: "pair" },
    histogram("Buffers by size", picture.sizes, buffers, count, shortBytes, "size"),
    histogram("Bytes by size", picture.sizes, bytes, byteTickLabel, shortBytes, "size"),
    histogram("Buffers by lifetime", picture.lifetimes, buffers, count, count, lives),
    histogram("Bytes by lifetime", picture.lifetimes, bytes, byteTickLabel, count, lives));
}
