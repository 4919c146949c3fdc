// Making elements. Text is always text: nothing from the data is read as markup.

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null));
  return element;
}

const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const byId = (id) => document.getElementById(id);

function section(id, title, about, ...children) {
  return h("section", { id, "aria-labelledby": `${id}-title` },
    h("header", {}, h("h2", { id: `${id}-title` }, title), about ? h("p", { class: "muted" }, about) : null), ...children);
}

function tiles(rows) {
  return h("div", { class: "tiles" }, rows.filter(Boolean).map(([name, value, detail]) =>
    h("div", { class: "tile" }, h("span", { class: "name" }, name), h("b", {}, value), h("span", {}, detail || "\u00a0"))));
}

// Makes a row of buttons, of which one is pressed at a time.
function choice(name, values, selected, change) {
  const buttons = values.map(([value, text]) => h("button", {
    type: "button", "aria-pressed": String(value === selected), "data-value": value,
    onclick: () => { select(value); change(value); },
  }, text));
  const select = (value) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.value === String(value)));
  };
  const element = h("div", { class: "group", role: "group", "aria-label": name }, `${name} `, h("div", {}, buttons));
  return { element, select };
}

function dropDown(name, values, selected, change) {
  const list = h("select", { onchange: () => change(list.value) },
    values.map(([value, text]) => h("option", { value, selected: String(value) === String(selected) }, text)));
  return { element: h("label", {}, `${name} `, list), select: (value) => { list.value = value; } };
}

// Beside the point, and inside the window.
function placeTooltip(tooltip, x, y) {
  const { width, height } = tooltip.getBoundingClientRect();
  tooltip.style.left = `${Math.max(12, Math.min(x + 16, window.innerWidth - width - 12))}px`;
  tooltip.style.top = `${y + 20 + height > window.innerHeight ? Math.max(12, y - height - 16) : y + 20}px`;
}

// A canvas with as many dots as the screen has; draw in CSS pixels.
function prepared(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

function shortened(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > width) length = Math.floor(length * 0.85);
  return `${text.slice(0, length)}…`;
}
