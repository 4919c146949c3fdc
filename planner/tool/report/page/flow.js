// The data flow of a pass: its operators as boxes, those that others need above, and as lines what they hand on.

const FLOW_BOX = { width: 168, height: 20, across: 196, down: 38 };
const FLOW_LETTERS = 24; // that a box has room for

// Gives each operator a column: that of the first one it reads from, or the nearest that is free on its level.
function flowColumns(graph) {
  const taken = new Map();
  const firstSource = new Map();
  for (const edge of graph.edges) if (!firstSource.has(edge.to)) firstSource.set(edge.to, edge.from);
  const columns = [];
  graph.operators.forEach((operator, i) => {
    const onLevel = taken.get(operator.level) || new Set();
    const wanted = firstSource.has(i) ? columns[firstSource.get(i)] : 0;
    let column = wanted;
    for (let away = 1; onLevel.has(column); ++away) column = wanted >= away && !onLevel.has(wanted - away) ? wanted - away : wanted + away;
    onLevel.add(column);
    taken.set(operator.level, onLevel);
    columns.push(column);
  });
  return columns;
}

// A line that passes other levels goes around the boxes there.
function flowLine(edge, place) {
  const from = place(edge.from);
  const to = place(edge.to);
  const [x, y] = [from.x + FLOW_BOX.width / 2, from.y + FLOW_BOX.height];
  const [endX, endY] = [to.x + FLOW_BOX.width / 2, to.y];
  const bulge = endY - y > FLOW_BOX.down && from.x === to.x ? FLOW_BOX.across / 2 + 4 : 0;
  const middle = (y + endY) / 2;
  return bulge > 0 ? `M${x} ${y}C${x + bulge} ${y + 16} ${x + bulge} ${endY - 16} ${endX} ${endY}`
    : `M${x} ${y}C${x} ${middle} ${endX} ${middle} ${endX} ${endY}`;
}

function flowTooltip(rows, title, event) {
  const tooltip = byId("tooltip");
  tooltip.hidden = false;
  tooltip.replaceChildren(h("b", {}, title), h("dl", {}, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])));
  placeTooltip(tooltip, event.clientX, event.clientY);
}

const hideTooltip = () => { byId("tooltip").hidden = true; };

function flowBox(operator, number, { x, y }) {
  const name = operator.name.replace(/^aten::/, "");
  const facts = [
    ["part", operator.place || "–"], ["writes", formatBytes(operator.written)], ["reads from outside", formatBytes(operator.outside)],
    ["operator", formatCount(number)],
  ];
  return svg("g", { "data-name": operator.name, onpointermove: (event) => flowTooltip(facts, operator.name, event), onpointerleave: hideTooltip },
    svg("rect", { x, y, width: FLOW_BOX.width, height: FLOW_BOX.height, rx: 4 }),
    svg("text", { x: x + 6, y: y + 14 }, name.length > FLOW_LETTERS ? `${name.slice(0, FLOW_LETTERS - 1)}…` : name));
}

function flowPicture(graph) {
  const columns = flowColumns(graph);
  const place = (i) => ({ x: 8 + columns[i] * FLOW_BOX.across, y: 8 + graph.operators[i].level * FLOW_BOX.down });
  const most = Math.max(...graph.edges.map((edge) => edge.bytes), 1);
  const width = (Math.max(...columns) + 1) * FLOW_BOX.across + 40;
  const height = (Math.max(...graph.operators.map((operator) => operator.level)) + 1) * FLOW_BOX.down + 8;
  const lines = graph.edges.map((edge) => svg("path", {
    d: flowLine(edge, place), "stroke-width": (0.8 + (4 * Math.log2(1 + edge.bytes)) / Math.log2(1 + most)).toFixed(1),
    onpointermove: (event) => flowTooltip([["bytes", formatBytes(edge.bytes)]],
      `${graph.operators[edge.from].name} → ${graph.operators[edge.to].name}`, event), onpointerleave: hideTooltip,
  }));
  return svg("svg", { class: "flow", role: "img", width, height, viewBox: `0 0 ${width} ${height}`,
    "aria-label": `Data flow: ${counted(graph.operators.length, "operator")}, ${counted(graph.edges.length, "edge")}` },
  lines, graph.operators.map((operator, i) => flowBox(operator, i, place(i))));
}

function flowSections(flows) {
  if (flows.length === 0) return [];
  const about = h("p", { class: "muted" });
  const stage = h("div", { class: "flow-stage", tabindex: 0 });
  const show = (number) => {
    const graph = flows[number];
    about.textContent = `${counted(graph.operators.length, "operator")} of pass ${graph.pass} of ${graph.source}, ` +
      `${counted(graph.edges.length, "edge")}.`;
    stage.replaceChildren(flowPicture(graph));
  };
  show(0);
  const list = flows.map((graph, i) => [i, graph.source]);
  return [section("flow", "Data flow",
    "Each box is an operator of one pass. A line is an allocation that it hands on, the thicker the larger. Boxes beside one another " +
    "need nothing of each other.",
    flows.length > 1 ? h("div", { class: "controls" }, dropDown("Show", list, 0, (number) => show(Number(number))).element) : null, about, stage)];
}
