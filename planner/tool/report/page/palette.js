// Colours that people with any kind of colour vision can tell apart: Okabe and Ito's for kinds; for amounts a ramp that
// changes in lightness all the way, so that it also works in grey. The largest amounts stand out from the page in both
// themes.

const KINDS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442"];
const OTHER_KIND = { light: "#b4bcc4", dark: "#5d6771" };
const RAMP = ["#ffffcc", "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8", "#0c2c84"];
const RAMP_STEPS = 48;

const themeColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isDark = () => document.documentElement.dataset.theme === "dark";
const otherKind = () => (isDark() ? OTHER_KIND.dark : OTHER_KIND.light);

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

function mixed(from, to, share) {
  const target = channels(to);
  return `rgb(${channels(from).map((value, i) => Math.round(value + (target[i] - value) * share)).join(" ")})`;
}

// share from 0, the least, to 1.
function rampColour(share) {
  const ramp = isDark() ? [...RAMP].reverse() : RAMP;
  const place = Math.min(1, Math.max(0, share)) * 0.94 + 0.06;
  const at = Math.min(RAMP.length - 2, Math.floor(place * (RAMP.length - 1)));
  return mixed(ramp[at], ramp[at + 1], place * (RAMP.length - 1) - at);
}

// Black or white, whichever is read more easily on the colour.
function inkOn(colour) {
  const [red, green, blue] = colour.startsWith("#") ? channels(colour) : colour.match(/\d+/g).map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "#111" : "#fff";
}

// How the buffers of a picture are coloured: classOf[i] is an index into colours.
function colouring(picture, mode) {
  if (mode === "size") return rampColouring(picture, picture.buffers.size, formatBytes);
  if (mode === "lifetime") {
    const lifetimes = picture.buffers.end.map((end, i) => end - picture.buffers.begin[i]);
    return rampColouring(picture, lifetimes, formatCount);
  }
  return operatorColouring(picture);
}

// The operators with the most bytes have a colour of their own.
function operatorColouring(picture) {
  const kind = new Int32Array(picture.operators.length).fill(KINDS.length);
  const named = picture.ranking.slice(0, KINDS.length);
  named.forEach((row, i) => { kind[picture.operators.indexOf(row.operator)] = i; });
  const classOf = picture.buffers.operator.map((operator) => kind[operator]);
  const colours = [...KINDS, otherKind()];
  const legend = named.map((row, i) => ({ colour: KINDS[i], text: row.operator }));
  const others = picture.ranking.length - named.length;
  if (others > 0) legend.push({ colour: otherKind(), text: counted(others, "other operator") });
  return { classOf, colours, legend, colourOfOperator: (operator) => colours[kind[operator]] };
}

function rampColouring(picture, values, format) {
  let least = Infinity;
  let most = 0;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const span = Math.log(most / least) || 1;
  const classOf = values.map((value) => Math.round((Math.log(value / least) / span) * (RAMP_STEPS - 1)));
  const colours = Array.from({ length: RAMP_STEPS }, (_, step) => rampColour(step / (RAMP_STEPS - 1)));
  return { classOf, colours, ramp: { colours, least: format(least), most: format(most) } };
}
