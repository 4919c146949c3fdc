// The heap map: time to the right, addresses up, one rectangle for each buffer.
//
// Sixty thousand rectangles take some ten milliseconds because nothing outside the viewport is drawn and buffers of one
// colour are drawn together: changing the colour costs more than the rectangle.

const MAP = { left: 92, right: 16, top: 30, bottom: 8 };
const LEAST_LABEL = { width: 54, height: 15 };

function mapScale(view, width, height) {
  const inner = { width: width - MAP.left - MAP.right, height: height - MAP.top - MAP.bottom };
  const perTime = inner.width / (view.t1 - view.t0);
  const perByte = inner.height / (view.a1 - view.a0);
  return {
    x: (time) => MAP.left + (time - view.t0) * perTime,
    y: (address) => MAP.top + (view.a1 - address) * perByte,
    time: (x) => view.t0 + (x - MAP.left) / perTime,
    address: (y) => view.a1 - (y - MAP.top) / perByte,
    perTime, perByte, width, height,
    right: width - MAP.right, bottom: height - MAP.bottom,
  };
}

// Buffers in the order of their classes.
function orderByClass(classOf, classes) {
  const starts = new Uint32Array(classes + 1);
  for (const one of classOf) ++starts[one + 1];
  for (let i = 1; i <= classes; ++i) starts[i] += starts[i - 1];
  const order = new Uint32Array(classOf.length);
  const next = starts.slice();
  for (let i = 0; i < classOf.length; ++i) order[next[classOf[i]]++] = i;
  return { order, starts };
}

// Calls draw(x, y, width, height, buffer) for what is in view, `open(class)` before the first of each class. Neighbours
// that are large enough to be told apart are given a gap of a pixel. Returns how many were drawn.
function forEachVisible(buffers, offsets, view, scale, classes, open, draw) {
  let drawn = 0;
  for (let one = 0; one + 1 < classes.starts.length; ++one) {
    if (classes.starts[one] === classes.starts[one + 1]) continue;
    open(one);
    for (let at = classes.starts[one]; at < classes.starts[one + 1]; ++at) {
      const i = classes.order[at];
      const low = offsets[i];
      const high = low + buffers.size[i];
      if (buffers.end[i] <= view.t0 || buffers.begin[i] >= view.t1 || high <= view.a0 || low >= view.a1) continue;
      const x = Math.max(scale.x(buffers.begin[i]), MAP.left);
      const y = Math.max(scale.y(high), MAP.top);
      const width = Math.min(scale.x(buffers.end[i]), scale.right) - x;
      const height = Math.min(scale.y(low), scale.bottom) - y;
      draw(x, y, width > 4 ? width - 1 : Math.max(width, 0.8), height > 4 ? height - 1 : Math.max(height, 0.8), i);
      ++drawn;
    }
  }
  return drawn;
}

function paintBuffers(context, picture, offsets, view, scale, look) {
  const roomy = [];
  const drawn = forEachVisible(picture.buffers, offsets, view, scale, look.classes,
    (one) => { context.fillStyle = look.colours[one]; },
    (x, y, width, height, i) => {
      context.fillRect(x, y, width, height);
      if (width > LEAST_LABEL.width && height > LEAST_LABEL.height) roomy.push({ x, y, width, height, i });
    });
  paintBufferLabels(context, picture, roomy, look);
  return drawn;
}

function paintBufferLabels(context, picture, roomy, look) {
  context.font = `12px ${themeColour("--sans")}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const { x, y, width, height, i } of roomy.slice(0, 300)) {
    context.fillStyle = inkOn(look.colours[look.classOf[i]]);
    const text = picture.operators[picture.buffers.operator[i]];
    context.fillText(shortened(context, text, width - 10), x + 5, y + height / 2 + 0.5);
  }
}

function paintAddressAxis(context, layout, view, scale) {
  context.font = `12px ${themeColour("--sans")}`;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const address of byteTicks(view.a0, view.a1, Math.floor((scale.bottom - MAP.top) / 56))) {
    const y = Math.round(scale.y(address)) + 0.5;
    context.strokeStyle = themeColour("--grid");
    line(context, MAP.left, y, scale.right, y);
    context.fillStyle = themeColour("--muted");
    context.fillText(byteTickLabel(address, view.a1), MAP.left - 10, y);
  }
  sideTitle(context, layout.kind === "heap" ? "address, gaps left out" : "address in the slab", (MAP.top + scale.bottom) / 2);
}

function sideTitle(context, text, y) {
  context.save();
  context.translate(11, y);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `12px ${themeColour("--sans")}`;
  context.fillStyle = themeColour("--muted");
  context.fillText(text, 0, 0);
  context.restore();
}

function line(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

// Text that stays legible on whatever is drawn below it.
function tag(context, text, x, y, align, colour) {
  context.font = `600 12px ${themeColour("--sans")}`;
  context.textAlign = align;
  context.textBaseline = "middle";
  const width = context.measureText(text).width;
  const left = align === "right" ? x - width : align === "center" ? x - width / 2 : x;
  context.fillStyle = themeColour("--surface");
  context.globalAlpha = 0.88;
  context.fillRect(left - 4, y - 9, width + 8, 18);
  context.globalAlpha = 1;
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

function level(context, view, scale, address, text, colour, dash, above) {
  if (address <= view.a0 || address >= view.a1) return;
  const y = Math.round(scale.y(address)) + 0.5;
  context.strokeStyle = themeColour(colour);
  context.lineWidth = 1.5;
  context.setLineDash(dash);
  line(context, MAP.left, y, scale.right, y);
  context.setLineDash([]);
  context.lineWidth = 1;
  tag(context, text, scale.right - 6, y + (above ? -11 : 12), "right", themeColour(colour));
}

// The height of the layout, what no layout can be below, and what belongs to the cells.
function paintLevels(context, picture, layout, view, scale) {
  const slab = layout.kind === "heap" ? "pages touched" : "slab";
  level(context, view, scale, picture.lower_bound, `lower bound ${formatBytes(picture.lower_bound)}`, "--bound", [6, 4], false);
  level(context, view, scale, layout.height, `${slab} ${formatBytes(layout.height)}`, "--slab", [], true);
  if (layout.cells > 0 && layout.cells * scale.perByte > 24)
    level(context, view, scale, layout.cells, "cells for small blocks end here", "--muted", [2, 3], true);
}

function paintPeak(context, picture, layout, view, scale, bottom) {
  const { begin, end, bytes } = picture.peak;
  if (end <= view.t0 || begin >= view.t1) return;
  const from = Math.max(scale.x(begin), MAP.left);
  const to = Math.min(Math.max(scale.x(end), from + 1), scale.right);
  context.fillStyle = themeColour("--peak");
  context.globalAlpha = 0.14;
  context.fillRect(from, MAP.top, to - from, bottom - MAP.top);
  context.globalAlpha = 1;
  context.strokeStyle = themeColour("--peak");
  context.setLineDash([2, 2]);
  line(context, Math.round(from) + 0.5, MAP.top, Math.round(from) + 0.5, bottom);
  context.setLineDash([]);
  const what = layout.kind === "heap" ? "the most is alive here" : "this moment forces the height";
  paintPeakTag(context, (from + to) / 2, scale, `${what}: ${formatBytes(bytes)} in ${counted(picture.peak.buffers, "buffer")}`);
}

function paintPeakTag(context, x, scale, text) {
  context.font = `600 12px ${themeColour("--sans")}`;
  const half = context.measureText(text).width / 2;
  const middle = Math.min(Math.max(x, MAP.left + half), scale.right - half);
  context.fillStyle = themeColour("--peak");
  context.beginPath();
  context.moveTo(x - 5, MAP.top - 8);
  context.lineTo(x + 5, MAP.top - 8);
  context.lineTo(x, MAP.top - 1);
  context.fill();
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, middle, MAP.top - 18);
}

// Everything; returns the number of rectangles.
function paintMap(canvas, width, height, picture, layout, view, look) {
  const context = prepared(canvas, width, height);
  const scale = mapScale(view, width, height);
  paintAddressAxis(context, layout, view, scale);
  const drawn = paintBuffers(context, picture, offsetsOf(picture, layout), view, scale, look);
  paintPeak(context, picture, layout, view, scale, scale.bottom);
  paintLevels(context, picture, layout, view, scale);
  context.strokeStyle = themeColour("--line");
  context.strokeRect(MAP.left + 0.5, MAP.top + 0.5, scale.right - MAP.left - 1, scale.bottom - MAP.top - 1);
  return drawn;
}

// The buffer at a place, or -1.
function bufferAt(picture, offsets, time, address) {
  const { buffers } = picture;
  for (let i = 0; i < buffers.count; ++i) {
    if (buffers.begin[i] <= time && time < buffers.end[i] && offsets[i] <= address && address < offsets[i] + buffers.size[i])
      return i;
  }
  return -1;
}

// A small picture of a layout for its card.
function paintThumbnail(canvas, picture, layout, look) {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const context = prepared(canvas, width, height);
  const buffers = picture.buffers;
  const offsets = offsetsOf(picture, layout);
  const top = Math.max(layout.height, picture.lower_bound) * 1.04;
  const perTime = width / (picture.extent.end - picture.extent.begin);
  const perByte = height / top;
  context.fillStyle = themeColour("--grid");
  context.fillRect(0, 0, width, height);
  for (let one = 0; one + 1 < look.classes.starts.length; ++one) {
    context.fillStyle = look.colours[one];
    for (let at = look.classes.starts[one]; at < look.classes.starts[one + 1]; ++at) {
      const i = look.classes.order[at];
      const tall = buffers.size[i] * perByte;
      context.fillRect((buffers.begin[i] - picture.extent.begin) * perTime, height - offsets[i] * perByte - tall,
        Math.max((buffers.end[i] - buffers.begin[i]) * perTime, 0.7), Math.max(tall, 0.5));
    }
  }
  context.strokeStyle = themeColour("--bound");
  context.setLineDash([4, 3]);
  const bound = Math.round(height - picture.lower_bound * perByte) + 0.5;
  line(context, 0, bound, width, bound);
  context.setLineDash([]);
}
