// One card for each layout of a picture: the strategies side by side.

function layoutCards(picture, selected, choose) {
  return picture.layouts.map((layout) => {
    const canvas = h("canvas", { "aria-hidden": "true" });
    const facts = [layout.status, formatSeconds(layout.seconds), layout.note].filter(Boolean).join(" · ");
    const over = layout.kind === "heap" ? "touched" : `+${formatOver(layout.height, picture.lower_bound)}`;
    const card = h("button", {
      type: "button", class: "card", "aria-pressed": String(layout === selected), onclick: () => choose(layout),
    }, canvas, h("span", { class: "name" }, h("span", {}, layout.name), h("span", {}, formatBytes(layout.height))),
      h("span", { class: "muted" }, `${over}${facts ? ` · ${facts}` : ""}`));
    return { layout, canvas, card };
  });
}

// The large picture comes first: the small ones are drawn one after the other when the page has nothing else to do.
function paintCards(cards, picture, look) {
  let next = 0;
  const later = window.requestIdleCallback || ((work) => setTimeout(work, 0));
  const paintOne = () => {
    if (next >= cards.length || !cards[next].canvas.isConnected) return;
    paintThumbnail(cards[next].canvas, picture, cards[next].layout, look);
    ++next;
    later(paintOne);
  };
  later(paintOne);
}
