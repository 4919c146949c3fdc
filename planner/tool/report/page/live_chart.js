// Below the map and on its time axis: the operators that run, and the bytes alive against the slab.

const STRIP_ROW = 20;
const STRIP_ROWS = 4;
const LIVE = { top: 14, bottom: 40 };

function stripHeight(picture) {
  let depth = -1;
  for (const one of picture.scopes.depth) depth = Math.max(depth, one);
  return depth < 0 ? 0 : Math.min(depth + 1, STRIP_ROWS) * STRIP_ROW + 8;
}

function paintStrip(canvas, width, height, picture, view, look) {
  const context = prepared(canvas, width, height);
  const scale = mapScale(view, width, height);
  const { scopes } = picture;
  context.font = `11.5px ${themeColour("--sans")}`;
  context.textBaseline = "middle";
  context.textAlign = "right";
  context.fillStyle = themeColour("--muted");
  context.fillText("operators", MAP.left - 10, STRIP_ROW / 2 + 2);
  context.textAlign = "left";
  const grounds = [themeColour("--line"), themeColour("--grid")];
  const ink = themeColour("--ink");
  for (let i = 0; i < scopes.count; ++i) {
    if (scopes.depth[i] >= STRIP_ROWS || scopes.end[i] <= view.t0 || scopes.begin[i] >= view.t1) continue;
    if (scopes.begin[i] === scopes.end[i]) continue;
    const x = Math.max(scale.x(scopes.begin[i]), MAP.left);
    const wide = Math.min(scale.x(scopes.end[i]), scale.right) - x;
    const y = scopes.depth[i] * STRIP_ROW + 2;
    const shown = Math.max(wide > 3 ? wide - 1 : wide, 0.6);
    context.fillStyle = grounds[scopes.depth[i] % 2];
    context.fillRect(x, y, shown, STRIP_ROW - 2);
    if (look.colourOfOperator) {
      context.fillStyle = look.colourOfOperator(scopes.operator[i]);
      context.fillRect(x, y + STRIP_ROW - 5, shown, 3);
    }
    if (wide < 40) continue;
    context.fillStyle = ink;
    context.fillText(shortened(context, picture.operators[scopes.operator[i]], wide - 8), x + 4, y + STRIP_ROW / 2 - 1.5);
  }
}

// The most and the least alive in each column of pixels, so that no peak falls between two of them.
function liveEnvelope(live, scale) {
  const columns = Math.ceil(scale.right - MAP.left);
  const most = new Float64Array(columns);
  let step = Math.max(0, upperBound(live.at, scale.time(MAP.left)) - 1);
  for (let column = 0; column < columns; ++column) {
    const until = scale.time(MAP.left + column + 1);
    let high = live.bytes[step] || 0;
    while (step + 1 < live.at.length && live.at[step + 1] < until) high = Math.max(high, live.bytes[++step]);
    most[column] = high;
  }
  return most;
}

function paintLive(canvas, width, height, picture, layout, view) {
  const context = prepared(canvas, width, height);
  const scale = mapScale(view, width, height);
  const top = Math.max(layout.height, picture.lower_bound) * 1.1;
  const bottom = height - LIVE.bottom;
  const y = (bytes) => bottom - (bytes / top) * (bottom - LIVE.top);
  paintLiveAxes(context, picture, view, scale, top, bottom, y);
  paintLiveArea(context, liveEnvelope(picture.live, scale), bottom, y);
  const touched = touchedOf(layout);
  if (touched) paintTouched(context, touched, scale, y);
  paintLiveLevels(context, picture, layout, scale, y);
}

function paintLiveAxes(context, picture, view, scale, top, bottom, y) {
  context.font = `12px ${themeColour("--sans")}`;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const bytes of byteTicks(0, top, 4)) {
    const at = Math.round(y(bytes)) + 0.5;
    context.strokeStyle = themeColour("--grid");
    line(context, MAP.left, at, scale.right, at);
    context.fillStyle = themeColour("--muted");
    context.fillText(byteTickLabel(bytes, top), MAP.left - 10, at);
  }
  sideTitle(context, "bytes alive", (LIVE.top + bottom) / 2);
  paintTimeAxis(context, picture, view, scale, bottom);
}

function paintTimeAxis(context, picture, view, scale, bottom) {
  context.textAlign = "center";
  context.strokeStyle = themeColour("--line");
  context.fillStyle = themeColour("--muted");
  line(context, MAP.left, bottom + 0.5, scale.right, bottom + 0.5);
  for (const time of timeTicks(view.t0, view.t1, Math.floor((scale.right - MAP.left) / 90))) {
    const x = Math.round(scale.x(time)) + 0.5;
    line(context, x, bottom, x, bottom + 5);
    context.fillText(formatCount(time), Math.min(x, scale.right - 8), bottom + 14);
  }
  context.fillText(`time, in ${picture.time_unit}`, (MAP.left + scale.right) / 2, bottom + 31);
}

function paintLiveArea(context, most, bottom, y) {
  context.beginPath();
  context.moveTo(MAP.left, bottom);
  most.forEach((bytes, column) => {
    context.lineTo(MAP.left + column, y(bytes));
    context.lineTo(MAP.left + column + 1, y(bytes));
  });
  context.lineTo(MAP.left + most.length, bottom);
  context.fillStyle = themeColour("--area");
  context.fill();
}

// How the pages that the profiled heap used came together.
function paintTouched(context, touched, scale, y) {
  context.strokeStyle = themeColour("--accent");
  context.lineWidth = 1.5;
  context.beginPath();
  let before = 0;
  for (let i = 0; i < touched.count; ++i) {
    const x = Math.min(Math.max(scale.x(touched.at[i]), MAP.left), scale.right);
    if (i === 0) context.moveTo(MAP.left, y(0));
    context.lineTo(x, y(before));
    context.lineTo(x, y(touched.bytes[i]));
    before = touched.bytes[i];
  }
  context.lineTo(scale.right, y(before));
  context.stroke();
  context.lineWidth = 1;
  const middle = upperBound(touched.at, scale.time((MAP.left + scale.right) / 2)) - 1;
  tag(context, "pages touched so far", (MAP.left + scale.right) / 2, y(touched.bytes[Math.max(middle, 0)]) + 14, "center",
    themeColour("--accent"));
}

function paintLiveLevels(context, picture, layout, scale, y) {
  const levels = [[layout.height, "--slab", []], [picture.lower_bound, "--bound", [6, 4]]];
  for (const [bytes, colour, dash] of levels) {
    const at = Math.round(y(bytes)) + 0.5;
    context.strokeStyle = themeColour(colour);
    context.lineWidth = 1.5;
    context.setLineDash(dash);
    line(context, MAP.left, at, scale.right, at);
  }
  context.setLineDash([]);
  context.lineWidth = 1;
}
