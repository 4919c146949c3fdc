// Numbers the way people read them, and round numbers for axes.

const BYTE_UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];

function byteUnit(value) {
  let unit = 0;
  for (let rest = Math.abs(value); rest >= 1024 && unit + 1 < BYTE_UNITS.length; rest /= 1024) ++unit;
  return unit;
}

function formatBytes(value) {
  const unit = byteUnit(value);
  if (unit === 0) return `${formatCount(value)} ${value === 1 ? "byte" : "bytes"}`;
  const scaled = value / 1024 ** unit;
  return `${scaled.toFixed(scaled >= 100 ? 1 : 2)} ${BYTE_UNITS[unit]}`;
}

function formatCount(value) {
  return Math.round(value).toLocaleString("en-US");
}

// "1 operator", "2 operators".
function counted(count, noun) {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function formatNumber(value) {
  if (Number.isInteger(value)) return formatCount(value);
  if (Math.abs(value) >= 1000) return formatCount(value);
  return value.toPrecision(Math.abs(value) >= 100 ? 4 : 3);
}

function formatPercent(share) {
  const percent = 100 * share;
  if (percent === 0 || percent === 100) return `${percent} %`;
  if (percent > 99.99 && percent < 100) return "> 99.99 %";
  return `${percent.toFixed(percent >= 10 ? 1 : 2)} %`;
}

function formatOver(height, bound) {
  if (height === bound || bound === 0) return "0 %";
  return formatPercent((height - bound) / bound);
}

function formatSeconds(seconds) {
  if (seconds === 0) return "";
  return seconds < 1 ? `${(seconds * 1000).toPrecision(3)} ms` : `${seconds.toPrecision(3)} s`;
}

// 1, 2 or 5 times a power of ten: the least such step that makes at most `most` ticks.
function roundStep(span, most) {
  const least = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5]) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

function ticksBetween(begin, end, step) {
  const ticks = [];
  for (let i = Math.ceil(begin / step - 1e-9); i * step <= end + step * 1e-9; ++i) ticks.push(i * step || 0);
  return ticks;
}

// Times are whole numbers, so nothing between two of them gets a tick.
function timeTicks(begin, end, most) {
  return ticksBetween(begin, end, Math.max(1, roundStep(end - begin, most)));
}

// All ticks of an axis in one unit, the one of its far end.
function byteTicks(begin, end, most) {
  const unit = 1024 ** byteUnit(end);
  const step = Math.max(roundStep((end - begin) / unit, most) * unit, 1);
  return ticksBetween(begin, end, step);
}

function byteTickLabel(value, end) {
  const unit = byteUnit(end);
  const scaled = value / 1024 ** unit;
  return `${+scaled.toFixed(3)} ${unit === 0 ? "B" : BYTE_UNITS[unit]}`;
}
