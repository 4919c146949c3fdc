// Flame graphs: who asks for the bytes, as a tree of callers that hangs from the top. As wide as the bytes of a path, and below
// it what it calls.

const FLAME_ROW = 19;
const FLAME_LETTER = 6.7; // width of a letter
const FLAME_WIDTH = 1194; // where the page is not laid out yet
const ALL_PATHS = -1;
const CALLERS_ABOVE = 3; // of the bar that is zoomed to

// Turns the columns into a tree: `children` of each node, widest first, and `total`, the bytes of a path with all longer ones.
function unpackFlame(graph) {
  if (graph.children) return graph;
  if (typeof graph.name === "string") Object.assign(graph, unpackColumns(graph, graph.count, ["name", "parent", "allocations", "bytes"]));
  graph.total = Float64Array.from(graph.bytes);
  graph.children = Array.from({ length: graph.count }, () => []);
  graph.roots = [];
  for (let i = graph.count - 1; i >= 0; --i) {
    const parent = graph.parent[i];
    if (parent === i) graph.roots.push(i);
    else {
      graph.total[parent] += graph.total[i];
      graph.children[parent].push(i);
    }
  }
  for (const list of [graph.roots, ...graph.children]) list.sort((a, b) => graph.total[b] - graph.total[a]);
  graph.all = graph.roots.reduce((sum, root) => sum + graph.total[root], 0);
  return graph;
}

// The file of a function of Python, the namespace, or the library of a function without a name.
const ownerOf = (name) => (name.match(/\(([^()]+):\d+\)$/) || name.match(/([A-Za-z_]\w*)::/) || name.match(/^([\w.-]+)\+0x/) || [null, "no namespace"])[1];

// The files, namespaces and libraries with the most bytes have a colour of their own; of operators, those that ask for most themselves.
function flameColours(graph) {
  const ofOperators = graph.paths === "operators";
  const kindOf = ofOperators ? (name) => name : ownerOf;
  const weights = ofOperators ? graph.bytes : graph.total;
  const bytes = new Map();
  for (let i = 0; i < graph.count; ++i) {
    const kind = kindOf(graph.names[graph.name[i]]);
    bytes.set(kind, (bytes.get(kind) || 0) + weights[i]);
  }
  const ranked = [...bytes.keys()].sort((a, b) => bytes.get(b) - bytes.get(a));
  const kinds = new Map(ranked.slice(0, KINDS.length).map((kind, i) => [kind, KINDS[i]]));
  const legend = [...kinds].map(([text, colour]) => ({ text, colour }));
  if (ranked.length > kinds.size) legend.push({ text: "others", colour: otherKind() });
  return { of: (name) => kinds.get(kindOf(name)) || otherKind(), legend };
}

// A label, which no operator is: `[layer1.conv2]`.
const isLabel = (name) => name.length > 2 && name.startsWith("[") && name.endsWith("]");

// A row for each name: its own bytes, those with what it calls, which count once where it calls itself, and of these the ones
// where no other operator is around it.
function functionRows(graph) {
  const rows = graph.names.map((name) => ({ name, own: 0, allocations: 0, total: 0, outermost: 0 }));
  const open = new Set();
  const visit = (inOperator) => (node) => {
    const row = rows[graph.name[node]];
    const outermost = !open.has(row);
    if (!inOperator && !isLabel(row.name)) row.outermost += graph.total[node];
    row.own += graph.bytes[node];
    row.allocations += graph.allocations[node];
    if (outermost) row.total += graph.total[node];
    open.add(row);
    graph.children[node].forEach(visit(inOperator || !isLabel(row.name)));
    if (outermost) open.delete(row);
  };
  graph.roots.forEach(visit(false));
  return rows.filter((row) => row.total > 0);
}

function functionTable(graph) {
  const most = Math.max(graph.all, 1);
  const ofOperators = graph.paths === "operators";
  return sortedTable(ofOperators ? "Operators by innermost and outermost" : "Functions", [
    { title: ofOperators ? "operator" : "function", words: true, value: (row) => row.name, show: (row) => h("code", {}, row.name) },
    { title: "allocations", value: (row) => row.allocations, show: (row) => formatCount(row.allocations) },
    { title: ofOperators ? "as the innermost" : "its own bytes", value: (row) => row.own, show: (row) => barCell(row.own ? formatBytes(row.own) : "–", row.own, most) },
    ofOperators && { title: "as the outermost", value: (row) => row.outermost,
      show: (row) => barCell(row.outermost ? formatBytes(row.outermost) : "–", row.outermost, most) },
    { title: ofOperators ? "with all inside it" : "with what it calls", value: (row) => row.total, show: (row) => barCell(formatBytes(row.total), row.total, most) },
  ].filter(Boolean), functionRows(graph), 2);
}

// Says how much lies in no operator: outside of all, or in labels alone.
function outsideText(graph) {
  if (graph.paths !== "operators") return "";
  const outside = (node) => {
    const name = graph.names[graph.name[node]];
    if (name === "outside operators") return graph.total[node];
    return isLabel(name) ? graph.children[node].reduce((sum, child) => sum + outside(child), graph.bytes[node]) : 0;
  };
  const bytes = graph.roots.reduce((sum, root) => sum + outside(root), 0);
  return ` Outside of all operators: ${formatBytes(bytes)}, ${formatPercent(bytes / Math.max(graph.all, 1))}.`;
}

class FlameGraph {
  constructor() {
    this.picture = svg("svg", { class: "flame", tabindex: 0, role: "img", onkeydown: (event) => this.press(event) });
    this.found = h("span", { class: "muted", role: "status" });
    this.legend = h("ul", { class: "legend" });
    this.search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search functions", oninput: () => this.draw() });
    this.whole = h("button", { type: "button", onclick: () => this.zoom(ALL_PATHS) }, "Show all");
    this.element = h("div", {}, this.picture, this.legend);
    this.picture.addEventListener("pointerleave", () => this.point(null));
    let width = 0;
    new ResizeObserver(() => {
      if (this.element.clientWidth !== width) {
        width = this.element.clientWidth;
        this.draw();
      }
    }).observe(this.element);
  }

  // Begins where the paths part: what all have in common, such as an interpreter's start, says little and is long.
  show(graph) {
    this.graph = graph;
    let fork = ALL_PATHS;
    while (this.childrenOf(fork).length === 1) [fork] = this.childrenOf(fork);
    this.zoom(fork);
  }

  zoom(node) {
    this.focus = node;
    this.selected = node;
    this.whole.disabled = node === ALL_PATHS;
    this.point(null);
    this.draw();
  }

  // The nodes from the outermost one to `node`.
  pathTo(node) {
    const path = [];
    for (let at = node; at !== ALL_PATHS; at = this.parentOf(at)) path.unshift(at);
    return path;
  }

  parentOf(node) {
    return this.graph.parent[node] === node ? ALL_PATHS : this.graph.parent[node];
  }

  childrenOf(node) {
    return node === ALL_PATHS ? this.graph.roots : this.graph.children[node];
  }

  totalOf(node) {
    return node === ALL_PATHS ? this.graph.all : this.graph.total[node];
  }

  nameOf(node) {
    return node === ALL_PATHS ? "all" : this.graph.names[this.graph.name[node]];
  }

  draw() {
    const { graph } = this;
    const width = this.element.clientWidth || FLAME_WIDTH;
    const words = this.search.value.trim().toLowerCase();
    const matches = graph.names.map((name) => words !== "" && name.toLowerCase().includes(words));
    const colours = flameColours(graph);
    const cells = [];
    const place = (node, x, size, depth) => {
      if (size < 0.7) return;
      cells.push({ node, x, size, depth });
      let left = x;
      for (const child of this.childrenOf(node)) {
        const its = (size * this.totalOf(child)) / this.totalOf(node);
        place(child, left, its, depth + 1);
        left += its;
      }
    };
    const above = this.focus === ALL_PATHS ? [] : [ALL_PATHS, ...this.pathTo(this.focus).slice(0, -1).slice(-CALLERS_ABOVE)];
    above.forEach((node, depth) => cells.push({ node, x: 0, size: width, depth, above: true }));
    place(this.focus, 0, width, above.length);
    const height = FLAME_ROW * (Math.max(...cells.map((cell) => cell.depth)) + 1);
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.setAttribute("aria-label", `Flame graph: ${graph.paths}, bytes ${graph.counted}`);
    this.picture.dataset.drawn = cells.length;
    this.picture.replaceChildren(...cells.map((cell) => this.cell(cell, colours, words === "" || (cell.node !== ALL_PATHS && matches[graph.name[cell.node]]))));
    this.legend.replaceChildren(...legendRows(colours));
    this.found.textContent = words === "" ? "" : this.foundText(matches);
  }

  cell({ node, x, size, depth, above }, colours, bright) {
    const name = this.nameOf(node);
    const fill = node === ALL_PATHS ? otherKind() : colours.of(name);
    const letters = Math.floor((size - 8) / FLAME_LETTER);
    const label = letters < 3 ? null : svg("text", { x: x + 4, y: depth * FLAME_ROW + 13, style: `fill:${inkOn(fill)}` },
      name.length > letters ? `${name.slice(0, letters - 1)}…` : name);
    return svg("g", {
      "data-name": name,
      class: [above ? "above" : "", bright ? "" : "dim", node === this.selected && node !== this.focus ? "selected" : ""].join(" "),
      onclick: () => this.zoom(node), onpointermove: (event) => this.point(node, event.clientX, event.clientY),
    }, svg("rect", { x, y: depth * FLAME_ROW, width: Math.max(size - 0.6, 0.4), height: FLAME_ROW - 1, rx: 2, fill }), label);
  }

  // Bytes below a match count once, however many functions of their path match.
  foundText(matches) {
    const { graph } = this;
    const sum = (node) => (matches[graph.name[node]] ? graph.total[node]
      : graph.children[node].reduce((bytes, child) => bytes + sum(child), 0));
    const bytes = graph.roots.reduce((all, root) => all + sum(root), 0);
    return bytes === 0 ? "no function" : `${formatBytes(bytes)}, ${formatPercent(bytes / Math.max(graph.all, 1))}`;
  }

  press(event) {
    const at = this.selected;
    const beside = this.childrenOf(at === ALL_PATHS ? ALL_PATHS : this.parentOf(at));
    const moves = {
      ArrowDown: () => this.childrenOf(at)[0], ArrowUp: () => (at === ALL_PATHS ? at : this.parentOf(at)),
      ArrowLeft: () => beside[beside.indexOf(at) - 1], ArrowRight: () => (at === ALL_PATHS ? at : beside[beside.indexOf(at) + 1]),
    };
    if (event.key === "Enter") this.zoom(at);
    else if (event.key === "Escape") this.zoom(ALL_PATHS);
    else if (moves[event.key]) this.select(moves[event.key]());
    else return;
    event.preventDefault();
  }

  select(node) {
    if (node === undefined) return;
    this.selected = node;
    this.draw();
    const { left, top } = this.picture.getBoundingClientRect();
    this.point(node, left, top);
  }

  // Says what lies under the pointer; `null` for nothing.
  point(node, x, y) {
    const tooltip = byId("tooltip");
    tooltip.hidden = node === null;
    if (node === null) return;
    const { graph } = this;
    const own = node === ALL_PATHS ? 0 : graph.bytes[node];
    const rows = [
      ["bytes", `${formatBytes(this.totalOf(node))}, ${formatPercent(this.totalOf(node) / Math.max(graph.all, 1))}`],
      ["its own", own ? `${formatBytes(own)} in ${counted(graph.allocations[node], "allocation")}` : "none"],
    ];
    tooltip.replaceChildren(h("b", {}, this.nameOf(node)), h("dl", {}, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])));
    placeTooltip(tooltip, x, y);
  }
}

// One section with all graphs of all traces.
function flameSections(traces) {
  const graphs = traces.flatMap(({ source, graphs: its }) => its.map((graph) => ({ source, graph })));
  if (graphs.length === 0) return { sections: [], repaint: () => {} };
  const flame = new FlameGraph();
  const about = h("p", { class: "muted" });
  const table = h("div", { class: "wide" });
  const show = (number) => {
    const { source, graph } = graphs[number];
    flame.show(unpackFlame(graph));
    about.textContent = `${formatBytes(graph.all)} ${graph.counted}, in ${graph.passes} of ${source}.${outsideText(graph)}`;
    table.replaceChildren(functionTable(graph));
  };
  const list = graphs.map(({ source, graph }, i) =>
    [i, `${graph.paths}: bytes ${graph.counted}${traces.length > 1 ? ` (${source})` : ""}`]);
  const sections = [section("flames", "Who allocates",
    "Each bar is a function or an operator, as wide as the bytes of all that it calls, which hangs below it. Click one to zoom to it; with the " +
    "graph focused, the arrows step through the bars, Enter zooms, Escape shows all.",
    h("div", { class: "controls" }, dropDown("Show", list, 0, (number) => show(Number(number))).element, flame.search, flame.found,
      h("div", { class: "group push" }, flame.whole)),
    about, flame.element, table)];
  show(0);
  return { sections, repaint: () => flame.draw() };
}
