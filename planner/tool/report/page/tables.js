// Tables that can be sorted by any column that has a value.

const ROWS_AT_FIRST = 12;

// A column is {title, value(row), show(row), words}: `value` sorts, `show` is what is seen. Without `sortedBy` the rows
// stay in their order until a column is chosen.
function sortedTable(label, columns, rows, sortedBy) {
  const body = h("tbody", {});
  const heads = columns.map((column, i) => h("th", { class: column.words ? "words" : undefined, scope: "col" },
    column.value ? h("button", { type: "button", onclick: () => sortBy(i) }, column.title) : column.title));
  const more = h("button", { type: "button", class: "more" });
  let shown = ROWS_AT_FIRST;
  let direction = -1;
  let by = sortedBy;
  const sorted = () => {
    if (by === undefined) return rows;
    const value = columns[by].value;
    return [...rows].sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * direction);
  };
  let onPaper = false; // which has no button for more rows, and gets all of them
  const draw = () => {
    body.replaceChildren(...sorted().slice(0, onPaper ? rows.length : shown).map((row) => h("tr", {},
      columns.map((column) => h("td", { class: column.words ? "words" : undefined }, column.show(row))))));
    heads.forEach((head, i) => {
      if (i === by) head.setAttribute("aria-sort", direction < 0 ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    more.hidden = shown >= rows.length;
    more.textContent = `Show all ${formatCount(rows.length)}`;
  };
  const sortBy = (i) => {
    direction = i === by ? -direction : columns[i].words ? 1 : -1;
    by = i;
    draw();
  };
  more.addEventListener("click", () => { shown = rows.length; draw(); });
  window.addEventListener("beforeprint", () => { onPaper = true; draw(); });
  window.addEventListener("afterprint", () => { onPaper = false; draw(); });
  draw();
  return h("div", {}, h("div", { class: "scroll" },
    h("table", { "aria-label": label }, h("thead", {}, h("tr", {}, heads)), body)), more);
}

// A figure with a bar that shows its share of the greatest.
function barCell(text, value, most) {
  return [text, h("span", { class: "barcell", "aria-hidden": "true" },
    h("span", { class: "bar", style: `width:${Math.round((100 * value) / Math.max(most, 1))}px` }))];
}

function operatorTable(picture) {
  const most = Math.max(...picture.ranking.map((row) => row.bytes));
  const saved = (row) => picture.peak.bytes - row.peak_without;
  const greatest = Math.max(...picture.ranking.map(saved));
  return sortedTable("Operators", [
    { title: "operator", words: true, value: (row) => row.operator, show: (row) => row.operator },
    { title: "buffers", value: (row) => row.buffers, show: (row) => formatCount(row.buffers) },
    { title: "bytes in all", value: (row) => row.bytes, show: (row) => barCell(formatBytes(row.bytes), row.bytes, most) },
    { title: "alive at the peak", value: (row) => row.at_peak, show: (row) => (row.at_peak ? formatBytes(row.at_peak) : "–") },
    { title: "the peak falls without it by", value: saved,
      show: (row) => barCell(saved(row) ? formatBytes(saved(row)) : "–", saved(row), greatest) },
  ], picture.ranking, 2);
}

function leftTable(picture) {
  return sortedTable("Left to the heap", [
    { title: "reason", words: true, value: (row) => row.reason, show: (row) => row.reason },
    { title: "operator", words: true, value: (row) => row.operator, show: (row) => row.operator },
    { title: "caller", words: true, value: (row) => row.site, show: (row) => h("code", {}, row.site) },
    { title: "allocations", value: (row) => row.allocations, show: (row) => formatCount(row.allocations) },
    { title: "bytes", value: (row) => row.bytes, show: (row) => formatBytes(row.bytes) },
  ], picture.left_to_heap, 4);
}

const bestLayout = (picture) => picture.layouts.filter((layout) => layout.kind === "plan")
  .reduce((best, layout) => (!best || layout.height < best.height ? layout : best), null);

// The numbers that the sizes of a structure follow, or else the bytes that its shapes ask for.
const rangeOf = (shapes) => (shapes.varying
  ? shapes.varying.map((size) => `${size.least} to ${size.most}`).join(" × ")
  : `${formatBytes(shapes.least_bytes)} to ${formatBytes(shapes.most_bytes)}`);

// Variants side by side; a click shows one.
function variantTable(pictures, selected, choose) {
  const rows = pictures.map((picture, i) => {
    const best = bestLayout(picture);
    return h("tr", { "aria-selected": String(i === selected) },
      h("td", {}, pictures.length > 1 ? h("button", { type: "button", onclick: () => choose(i) }, picture.title) : picture.title),
      h("td", {}, picture.runs ? formatCount(picture.runs) : "–"),
      h("td", picture.shapes ? { title: picture.shapes.text } : {}, picture.shapes
        ? `${formatCount(picture.shapes.count)}, ${rangeOf(picture.shapes)}` : "–"),
      h("td", {}, formatCount(picture.buffers.count)),
      h("td", {}, formatBytes(picture.bytes_requested)),
      h("td", {}, formatBytes(picture.lower_bound)),
      h("td", {}, best ? formatBytes(best.height) : "–"),
      h("td", {}, best ? formatOver(best.height, picture.lower_bound) : "–"),
      h("td", {}, formatCount(picture.unplanned)),
      h("td", {}, h("code", {}, picture.fingerprint === "0000000000000000" ? "–" : picture.fingerprint)));
  });
  const heads = ["variant", "seen", "shapes", "buffers", "asks for", "lower bound", "lowest slab", "over the bound", "left to the heap", "fingerprint"];
  return h("div", { class: "scroll" }, h("table", { "aria-label": "Variants" },
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows)));
}
