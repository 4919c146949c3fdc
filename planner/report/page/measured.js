// What `memomalloc compare` measured: one chart for each figure, one bar for each allocator.

const MEMORY_FIGURES = ["resident_steady", "resident_peak"];
const BAR = { row: 24, names: 130, values: 96, width: 520 };

const isOurs = (name) => name === "serve" || name === "off";
const isLatency = (name) => /(^|\.)p\d/.test(name);

// Speed first, then latencies, then memory and page faults.
function chartedFigures(measured) {
  const there = (figure) => measured.allocators.some((allocator) => allocator.figures[figure]);
  const latencies = Object.keys(measured.allocators[0].figures).filter((name) => isLatency(name) && name !== measured.speed_figure);
  return [measured.speed_figure, ...latencies, ...MEMORY_FIGURES, "minor_faults"].filter(there);
}

function figureTitle(figure) {
  if (figure.startsWith("resident_")) return `${figure.slice(9)} resident memory (less is better)`;
  if (figure === "minor_faults") return "page faults (fewer are better)";
  if (/per_second|throughput/.test(figure)) return `${figure.replaceAll("_", " ")} (more is better)`;
  return `${figure.replaceAll("_", " ")} (less is better)`;
}

const formatFigure = (figure, value) => (figure.startsWith("resident_") ? formatBytes(value) : formatNumber(value));

// The bar is the median, the line across its end goes from the least to the greatest.
function figureChart(measured, figure) {
  const rows = measured.allocators.filter((allocator) => allocator.figures[figure]);
  const most = Math.max(...rows.map((allocator) => allocator.figures[figure].greatest)) || 1;
  const scale = (BAR.width - BAR.names - BAR.values) / most;
  const title = figureTitle(figure);
  return h("figure", { style: "margin:0" }, h("h3", {}, title),
    svg("svg", { viewBox: `0 0 ${BAR.width} ${rows.length * BAR.row}`, role: "img", "aria-label": title },
      rows.map((allocator, i) => {
        const { median, least, greatest } = allocator.figures[figure];
        const middle = (i + 0.5) * BAR.row;
        return [
          svg("text", { class: isOurs(allocator.name) ? "strong" : "", x: BAR.names - 10, y: middle + 4, "text-anchor": "end" }, allocator.name),
          svg("rect", { class: isOurs(allocator.name) ? "fill" : "peer", x: BAR.names, y: middle - 8, height: 16, width: median * scale }),
          svg("line", { class: "spread", x1: BAR.names + least * scale, x2: BAR.names + greatest * scale, y1: middle, y2: middle }),
          svg("text", { class: "strong", x: BAR.names + greatest * scale + 8, y: middle + 4 }, formatFigure(figure, median)),
        ];
      })));
}

function measuredSections(all) {
  return all.map((measured, i) => section(`measured-${i}`, `Compared: ${measured.name}`,
    `${measured.command} — ${measured.runs} runs under each allocator; bars are medians, lines go from the least to the greatest.`,
    h("div", { class: "pair" }, chartedFigures(measured).map((figure) => figureChart(measured, figure)))));
}
