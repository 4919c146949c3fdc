// Draws a card for each layout of a picture: the strategies side by side.

// How good a strategy knows its layout to be. A plan's strategy places the large blocks; cells and rounding come on top.
function provedText(picture, layout) {
  if (layout.status !== "optimal") return "";
  return layout.height === picture.lower_bound ? "proved least" : "proved least for the large blocks";
}

function layoutCards(picture, choose) {
  return picture.layouts.map((layout) => {
    const canvas = h("canvas", { "aria-hidden": "true" });
    const facts = [provedText(picture, layout), formatSeconds(layout.seconds), layout.note].filter(Boolean).join(" · ");
    const over = layout.kind === "heap" ? "touched" : `+${formatOver(layout.height, picture.lower_bound)}`;
    const card = h("button", {
      type: "button", class: "card", "aria-pressed": "false", onclick: () => choose(layout),
    }, canvas, h("span", { class: "name" }, h("span", {}, layout.name), h("span", {}, formatBytes(layout.height))),
      h("span", { class: "muted" }, `${over}${facts ? ` · ${facts}` : ""}`));
    return { layout, canvas, card };
  });
}

// Draws them right after the large picture, before the browser shows anything: whoever takes a picture of the page, or
// prints it, never finds them blank.
function paintCards(cards, picture, look) {
  queueMicrotask(() => {
    for (const { canvas, layout } of cards) paintThumbnail(canvas, picture, layout, look);
  });
}
