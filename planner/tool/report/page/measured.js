// Shows what `memomalloc compare` measured: one chart for each figure, one bar for each allocator, and side by side where
// several comparisons are shown.

const MEMORY_FIGURES = {
  resident_steady: "steady resident memory",
  resident_high: "the most resident memory once steady",
  resident_peak: "peak resident memory",
};
const BAR = { names: 126, values: 96, width: 520, thick: 15, gap: 9 };
const DASHES = [undefined, "7 4", "2 3", "9 3 2 3"];

const isOurs = (name) => name === "serve" || name === "off";
const isLatency = (name) => /(^|\.)p\d/.test(name);
const unionOf = (lists) => [...new Set(lists.flat())];
const allocatorOf = (measured, name) => measured.allocators.find((allocator) => allocator.name === name);

// Speed first, then latencies, then memory and page faults.
function chartedFigures(all) {
  const there = unionOf(all.flatMap((measured) => measured.allocators.map((allocator) => Object.keys(allocator.figures))));
  const speeds = unionOf(all.map((measured) => measured.speed_figure));
  const latencies = there.filter((name) => isLatency(name) && !speeds.includes(name));
  return [...speeds, ...latencies, ...Object.keys(MEMORY_FIGURES), "minor_faults"].filter((figure) => there.includes(figure));
}

function figureTitle(figure) {
  if (MEMORY_FIGURES[figure]) return `${MEMORY_FIGURES[figure]} (less is better)`;
  if (figure === "minor_faults") return "page faults (fewer are better)";
  const words = figure.replace(/^(.*)_(ms|us|s)\.(p\d+)$/, "$1 $3, in $2").replaceAll("_", " ");
  return `${words} (${/per second|throughput/.test(words) ? "more" : "less"} is better)`;
}

const formatFigure = (figure, value) => (figure.startsWith("resident_") ? formatBytes(value) : formatNumber(value));

// The rows of a chart: for each allocator one bar for each comparison that has it.
function barsOf(all, figure) {
  return unionOf(all.map((measured) => measured.allocators.map((allocator) => allocator.name))).map((name) => ({
    name,
    bars: all.map((measured, of) => ({ of, spread: (allocatorOf(measured, name) || { figures: {} }).figures[figure] }))
      .filter((bar) => bar.spread),
  })).filter((row) => row.bars.length > 0);
}

function barColour(row, bar, several) {
  if (several) return KINDS[bar.of % KINDS.length];
  return isOurs(row.name) ? "var(--accent)" : "var(--peer)";
}

// The bar is the median, the line across its end goes from the least to the greatest.
function figureChart(all, figure) {
  const rows = barsOf(all, figure);
  const most = Math.max(...rows.flatMap((row) => row.bars.map((bar) => bar.spread.greatest))) || 1;
  const scale = (BAR.width - BAR.names - BAR.values) / most;
  const title = figureTitle(figure);
  const shapes = [];
  let top = 0;
  for (const row of rows) {
    const middle = top + (row.bars.length * BAR.thick) / 2;
    shapes.push(svg("text", { class: isOurs(row.name) ? "ours" : "", x: BAR.names - 10, y: middle + 4, "text-anchor": "end" }, row.name));
    for (const bar of row.bars) {
      shapes.push(...barShapes(row, bar, top, scale, figure, all.length > 1));
      top += BAR.thick;
    }
    top += BAR.gap;
  }
  return h("figure", {}, h("h3", {}, title),
    svg("svg", { viewBox: `0 0 ${BAR.width} ${top}`, role: "img", "aria-label": title }, shapes));
}

function barShapes(row, bar, top, scale, figure, several) {
  const { median, least, greatest } = bar.spread;
  const middle = top + BAR.thick / 2;
  return [
    svg("rect", { style: `fill:${barColour(row, bar, several)}`, x: BAR.names, y: top + 1, height: BAR.thick - 2, width: median * scale }),
    svg("line", { class: "spread", x1: BAR.names + least * scale, x2: BAR.names + greatest * scale, y1: middle, y2: middle }),
    svg("text", { class: "strong", x: BAR.names + greatest * scale + 8, y: middle + 4 }, formatFigure(figure, median)),
  ];
}

function ratioText(ratio) {
  if (!ratio) return "–";
  return ratio.low === undefined ? ratio.value.toFixed(3) : `${ratio.value.toFixed(3)} (${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)})`;
}

// The one the others are compared with has no ratios itself.
function ratioTable(measured) {
  const rows = measured.allocators.filter((allocator) => Object.keys(allocator.ratios).length > 0);
  const ours = measured.allocators.find((allocator) => Object.keys(allocator.ratios).length === 0);
  if (rows.length === 0 || !ours) return null;
  const columns = [["times_as_fast", "times as fast"], ["steady_memory", "steady memory, times"], ["peak_memory", "peak memory, times"]];
  return h("div", { class: "scroll" }, h("table", { "aria-label": "Ratios" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, `${ours.name} against`), columns.map(([, title]) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, h("td", {}, row.name),
      columns.map(([key]) => h("td", {}, ratioText(row.ratios[key]))))))));
}

// Draws the memory that each allocator had mapped and touched while one run went on.
function memoryChart(measured) {
  const lines = measured.allocators.filter((allocator) => allocator.memory.length > 1).map((allocator, i) => ({
    name: allocator.name, points: allocator.memory, colour: KINDS[i % KINDS.length],
    dash: DASHES[Math.floor(i / KINDS.length) % DASHES.length],
  }));
  if (lines.length === 0) return null;
  const seconds = (value) => `${+value.toPrecision(3)} s`;
  return h("div", { class: "wide" },
    lineChart("Resident memory over time, in the first round", lines, { x: seconds, xTitle: "since the start of the run", y: byteTickLabel }),
    h("ul", { class: "legend" }, lines.map((line) => h("li", {}, svg("svg", { class: "key", viewBox: "0 0 28 8" },
      svg("line", { x1: 0, x2: 28, y1: 4, y2: 4, class: "line", style: `stroke:${line.colour}`, "stroke-dasharray": line.dash })), line.name))));
}

// Draws how fast each allocator is over the most memory that it held. The stairs are the front: none is both faster and leaner.
function planeChart(measured) {
  const points = measured.plane;
  if (points.length < 2) return null;
  const base = points[0];
  const faster = points.map((point) => ({ ...point, speed: point.speed / base.speed }));
  return h("div", { class: "wide" }, scatter(`Times as fast as ${base.name}, over the most memory held, and the front that none passes`,
    faster.map((point) => ({ name: point.name, x: point.bytes, y: point.speed, onFront: point.on_front, ours: isOurs(point.name) })),
    { x: byteTickLabel, y: (value) => String(+value.toPrecision(4)), xTitle: "the most resident memory" }));
}

function measuredFacts(measured) {
  const facts = Object.entries(measured.machine).map(([name, value]) => `${name} ${value}`);
  return [h("p", {}, h("code", {}, measured.command)), h("p", { class: "muted" },
    `${counted(measured.runs, "run")} under each allocator; bars are medians, lines go from the least to the greatest. ${facts.join(" · ")}`)];
}

function measuredSections(files) {
  if (files.length === 0) return [];
  const short = shortNames(files.map((measured) => measured.name));
  const all = files.map((measured, i) => ({ ...measured, name: short[i] }));
  const charts = h("div", { class: "pair" }, chartedFigures(all).map((figure) => figureChart(all, figure)));
  const names = all.length > 1 ? h("ul", { class: "legend" }, all.map((measured, i) =>
    h("li", {}, h("span", { class: "swatch", style: `background:${KINDS[i % KINDS.length]}` }), measured.name))) : null;
  const figures = section("measured", all.length > 1 ? "Comparisons side by side" : "Compared with other allocators", null,
    all.flatMap(measuredFacts), names, charts);
  const details = all.map((measured, i) => {
    const parts = [ratioTable(measured), planeChart(measured), memoryChart(measured)];
    return parts.some(Boolean) ? section(`measured-${i}`, all.length > 1 ? `In detail: ${measured.name}` : "In detail",
      "Ratios are geometric means over the rounds, with their 95 % confidence.", ...parts) : null;
  });
  return [figures, ...details.filter(Boolean)];
}
