// Puts the page together from the data.

const COLOURINGS = [["operator", "operator"], ["size", "size"], ["lifetime", "lifetime"]];

class PictureView {
  constructor(pictures) {
    this.pictures = pictures;
    // With one operator for all, its colour would say nothing.
    this.colour = pictures.some((picture) => picture.ranking.length > 1) ? "operator" : "size";
    this.colour = remembered("colour", COLOURINGS.map(([mode]) => mode)) || this.colour;
    this.stage = new Stage((buffer, x, y) => this.describe(buffer, x, y));
    this.legend = h("ul", { class: "legend" });
    this.tiles = h("div", {});
    this.controls = h("div", { class: "controls" });
    this.cards = h("div", { class: "cards" });
    this.below = h("div", {});
    this.variants = h("div", {});
  }

  sections() {
    return [
      this.tiles,
      section("heap-map", "Heap map",
        "Each rectangle is one buffer: as wide as it lives, as high as it is large, where the layout puts it. " +
        "Buffers above one another are alive together.",
        this.controls, this.stage.element, this.legend, keysHelp()),
      section("layouts", "The same pass, placed by each strategy",
        "The dashed line is the lower bound: no placement can be below it. Choose one to see it above.", this.cards),
      this.below,
      section("variants", "Variants", "Kinds of passes that allocate alike, each with a layout of its own.", this.variants),
    ];
  }

  showPicture(number) {
    this.number = Number(number);
    remember("variant", this.pictures[this.number].title);
    this.picture = unpackPicture(this.pictures[this.number]);
    const wanted = remembered("layout", this.picture.layouts.map((layout) => layout.name));
    this.layout = this.picture.layouts.find((layout) => layout.name === wanted) || this.picture.layouts[0];
    this.recolour();
    this.layoutCards = layoutCards(this.picture, (layout) => this.showLayout(layout));
    this.cards.replaceChildren(...this.layoutCards.map(({ card }) => card));
    this.controls.replaceChildren(...this.controlElements());
    this.below.replaceChildren(...this.belowSections());
    this.variants.replaceChildren(variantTable(this.pictures, this.number, (i) => this.showPicture(i)));
    this.showLayout(this.layout);
  }

  showLayout(layout) {
    this.layout = layout;
    remember("layout", layout.name);
    this.tiles.replaceChildren(pictureTiles(this.picture, layout));
    this.layoutList.select(this.picture.layouts.indexOf(layout));
    this.stage.show(this.picture, layout, this.look);
    for (const one of this.layoutCards) one.card.setAttribute("aria-pressed", String(one.layout === layout));
    if (this.look !== this.cardsLook) paintCards(this.layoutCards, this.picture, this.look);
    this.cardsLook = this.look;
  }

  // The same picture in other colours: another mode, or another theme.
  recolour() {
    this.look = colouring(this.picture, this.colour);
    this.look.classes = orderByClass(this.look.classOf, this.look.colours.length);
    this.legend.replaceChildren(...legendRows(this.look));
  }

  changeColour(mode) {
    this.colour = mode;
    remember("colour", mode);
    this.recolour();
    this.showLayout(this.layout);
  }

  controlElements() {
    const layouts = this.picture.layouts.map((layout, i) => [i, layout.name]);
    this.layoutList = dropDown("Placed by", layouts, 0, (i) => this.showLayout(this.picture.layouts[i]));
    const variants = this.pictures.map((picture, i) => [i, picture.title]);
    return [
      this.pictures.length > 1 && dropDown("Variant", variants, this.number, (i) => this.showPicture(i)).element,
      this.layoutList.element,
      choice("Colour by", COLOURINGS, this.colour, (mode) => this.changeColour(mode)).element,
      h("div", { class: "group push", role: "group", "aria-label": "Zoom" },
        h("button", { type: "button", "aria-label": "Zoom in", onclick: () => this.stage.zoomBy(KEY_ZOOM) }, "+"),
        h("button", { type: "button", "aria-label": "Zoom out", onclick: () => this.stage.zoomBy(1 / KEY_ZOOM) }, "−"),
        h("button", { type: "button", onclick: () => this.stage.showAll() }, "Show all"),
        h("button", { type: "button", onclick: () => savePicture(this.stage) }, "Save picture")),
    ].filter(Boolean);
  }

  belowSections() {
    const { picture } = this;
    return [
      section("operators", "Operators",
        "Who asks for the bytes, and what the peak would lose without each of them: the last column is what makes a slab smaller.",
        operatorTable(picture)),
      section("sizes", "Sizes and lifetimes", "One bar for each power of two.", histograms(picture)),
      picture.unplanned > 0 && section("left", "Left to the heap",
        `${formatCount(picture.unplanned)} allocations of the pass have no place in the slab.`,
        picture.left_to_heap.length > 0 ? leftTable(picture)
          : h("p", { class: "muted" }, "A plan knows only their number; give the trace to see which they are.")),
    ].filter(Boolean);
  }

  describe(buffer, x, y) {
    const tooltip = byId("tooltip");
    tooltip.hidden = buffer < 0;
    if (buffer < 0) return;
    tooltip.replaceChildren(...bufferFacts(this.picture, this.layout, buffer));
    placeTooltip(tooltip, x, y);
  }
}

function pictureTiles(picture, layout) {
  const heap = layout.kind === "heap";
  return tiles([
    [heap ? "Pages touched" : "Slab", formatBytes(layout.height), `by ${layout.name}`],
    ["Lower bound", formatBytes(picture.lower_bound), "the most alive at once"],
    ["Over the bound", formatOver(layout.height, picture.lower_bound), layout.height === picture.lower_bound ? "no plan can be lower" : "\u00a0"],
    ["Asked for", formatBytes(picture.bytes_requested), `${(picture.bytes_requested / Math.max(layout.height, 1)).toFixed(1)} times the ${heap ? "pages" : "slab"}`],
    ["Buffers", formatCount(picture.buffers.count), counted(picture.ranking.length, "operator")],
    ["Left to the heap", formatCount(picture.unplanned), "allocations"],
  ]);
}

function bufferFacts(picture, layout, buffer) {
  const { begin, end, size, alignment, operator, site } = picture.buffers;
  const offset = offsetsOf(picture, layout)[buffer];
  const rows = [
    ["site", picture.sites[site[buffer]]],
    ["size", `${formatBytes(size[buffer])}${size[buffer] >= 1024 ? ` (${formatCount(size[buffer])} bytes)` : ""}`],
    ["lifetime", `${formatCount(end[buffer] - begin[buffer])}, from ${formatCount(begin[buffer])} to ${formatCount(end[buffer])}`],
    ["offset", `${formatCount(offset)} to ${formatCount(offset + size[buffer])}`],
    ["buffer", `${formatCount(buffer)}, aligned to ${formatCount(alignment[buffer])}`],
  ];
  return [h("b", {}, picture.operators[operator[buffer]]),
    h("dl", {}, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]))];
}

function legendRows(look) {
  if (look.ramp) {
    const stops = look.ramp.colours.filter((_, i) => i % 6 === 0 || i === RAMP_STEPS - 1).join(", ");
    return [h("li", {}, look.ramp.least, h("span", { class: "ramp", style: `background:linear-gradient(90deg, ${stops})` }),
      look.ramp.most, h("span", { class: "muted" }, "(logarithmic)"))];
  }
  return look.legend.map(({ colour, text }) =>
    h("li", { title: text }, h("span", { class: "swatch", style: `background:${colour}` }), text));
}

function keysHelp() {
  const key = (text) => h("kbd", {}, text);
  return h("p", { class: "muted keys" }, "Drag to move, double-click a buffer to zoom to it; click the map and the wheel zooms (",
    key("Shift"), " time alone, ", key("Alt"), " addresses alone). Keys: ", key("←"), " ", key("→"), " ", key("↑"), " ", key("↓"),
    " move, ", key("+"), " ", key("−"), " zoom, ", key("0"), " all, ", key("N"), " ", key("P"), " step through buffers, ",
    key("Enter"), " zoom to one.");
}

function start() {
  byId("title").textContent = report.title;
  byId("sources").textContent = report.sources.map((source) => `${source.kind} ${source.path}`).join(" · ");
  byId("footer").textContent = `Made by ${report.generator}. This file is complete: it asks the network for nothing.`;
  const main = byId("main");
  main.replaceChildren(...report.notes.map((note) => h("p", { class: "note" }, note)));
  main.append(...answersSection(), ...differencesSections());
  const drawable = report.pictures.filter((picture) => picture.buffers.count > 0 && picture.layouts.length > 0);
  const view = drawable.length > 0 ? new PictureView(drawable) : null;
  const flames = flameSections(report.flames);
  setUpTheme(() => {
    flames.repaint();
    if (!view || !view.picture) return;
    view.recolour();
    view.showLayout(view.layout);
  });
  if (view) {
    main.append(...view.sections());
    const wanted = remembered("variant", drawable.map((picture) => picture.title));
    view.showPicture(Math.max(0, drawable.findIndex((picture) => picture.title === wanted)));
  }
  performance.mark("memomalloc: map painted");
  main.append(...flames.sections, ...flowSections(report.flows), ...servedSections(report.served), ...measuredSections(report.measured));
}

start();
