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

// The large picture comes first: the small ones are drawn one after the other when the page has nothing else to do.
let paintingCards = 0;
function paintCards(cards, picture, look) {
  const round = ++paintingCards;
  let next = 0;
  const later = window.requestIdleCallback || ((work) => setTimeout(work, 0));
  const paintOne = () => {
    if (round !== paintingCards || next >= cards.length) return;
    paintThumbnail(cards[next].canvas, picture, cards[next].layout, look);
    ++next;
    later(paintOne);
  };
  later(paintOne);
}
