// The map with what lies below it, and the ways to move on it: by mouse, by touch, by keyboard.

const MAP_HEIGHT = 440;
const LIVE_HEIGHT = 170;
const WHEEL_STEP = 1.0015;
const KEY_ZOOM = 0.7;
const KEY_PAN = 0.12;

class Stage {
  // `hovered(buffer, x, y)` is told which buffer is pointed at, -1 for none.
  constructor(hovered) {
    this.hovered = hovered;
    this.view = new Viewport();
    this.selected = -1;
    this.map = h("canvas", { class: "map", id: "map", tabindex: "0", role: "application" });
    this.strip = h("canvas", { "aria-hidden": "true" });
    this.live = h("canvas", { id: "live", role: "img" });
    this.overlay = h("canvas", { class: "overlay", "aria-hidden": "true" });
    this.element = h("div", { class: "stage" }, this.map, this.strip, this.live, this.overlay);
    this.listen();
  }

  // Another picture, layout or colouring. What is seen stays unless the picture changed.
  show(picture, layout, look) {
    const top = Math.max(layout.height, picture.lower_bound);
    if (picture !== this.picture) this.view.reset(picture.extent, top);
    else if (layout !== this.layout) this.view.resetAddresses(top);
    if (picture !== this.picture) this.selected = -1;
    Object.assign(this, { picture, layout, look });
    this.map.setAttribute("aria-label", `Heap map of ${picture.title}, placed by ${layout.name}: ` +
      `${formatCount(picture.buffers.count)} buffers, ${formatBytes(layout.height)}. Arrow keys move, plus and minus zoom, ` +
      "0 shows all, N and P step through the buffers.");
    this.live.setAttribute("aria-label", `Bytes alive over time, at most ${formatBytes(picture.peak.bytes)}`);
    this.paint();
  }

  paint() {
    const width = this.element.clientWidth;
    const strip = stripHeight(this.picture);
    this.map.style.height = `${MAP_HEIGHT}px`;
    this.strip.style.height = `${strip}px`;
    this.live.style.height = `${LIVE_HEIGHT}px`;
    this.map.dataset.drawn = paintMap(this.map, width, MAP_HEIGHT, this.picture, this.layout, this.view, this.look);
    this.map.dataset.layout = this.layout.name;
    if (strip > 0) paintStrip(this.strip, width, strip, this.picture, this.view, this.look);
    paintLive(this.live, width, LIVE_HEIGHT, this.picture, this.layout, this.view);
    this.paintSelection();
  }

  // At most once for each frame, however fast the mouse is.
  repaint() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  scale() {
    return mapScale(this.view, this.element.clientWidth, MAP_HEIGHT);
  }

  // A frame around the buffer and its life drawn down to the time axis.
  paintSelection() {
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    const context = prepared(this.overlay, width, height);
    if (this.selected < 0) return;
    const box = this.boxOf(this.selected);
    context.strokeStyle = themeColour("--highlight");
    context.lineWidth = 2;
    context.strokeRect(box.x - 1, box.y - 1, box.width + 2, box.height + 2);
    context.globalAlpha = 0.1;
    context.fillStyle = themeColour("--highlight");
    context.fillRect(box.x, MAP.top, box.width, height - LIVE.bottom - MAP.top);
  }

  boxOf(buffer) {
    const scale = this.scale();
    const { begin, end, size } = this.picture.buffers;
    const offset = offsetsOf(this.picture, this.layout)[buffer];
    const x = Math.max(scale.x(begin[buffer]), MAP.left);
    const y = Math.max(scale.y(offset + size[buffer]), MAP.top);
    return { x, y, width: Math.max(1, Math.min(scale.x(end[buffer]), scale.right) - x),
      height: Math.max(1, Math.min(scale.y(offset), scale.bottom) - y) };
  }

  select(buffer, x, y) {
    if (buffer !== this.selected) {
      this.selected = buffer;
      this.paintSelection();
    }
    this.hovered(buffer, x, y);
  }

  placeOf(event) {
    const box = this.map.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  listen() {
    const on = (name, handle, options) => this.map.addEventListener(name, handle, options);
    on("pointermove", (event) => (this.grabbed ? this.drag(event) : this.point(event)));
    on("pointerdown", (event) => this.grab(event));
    on("pointerup", () => this.release());
    on("pointercancel", () => this.release());
    on("pointerleave", () => this.grabbed || this.select(-1));
    on("dblclick", (event) => this.zoomToBuffer(event));
    on("wheel", (event) => this.turn(event), { passive: false });
    on("keydown", (event) => this.press(event));
    on("blur", () => this.select(-1));
    new ResizeObserver(() => this.picture && this.element.clientWidth !== this.painted && this.resized()).observe(this.element);
  }

  resized() {
    this.painted = this.element.clientWidth;
    this.repaint();
  }

  point(event) {
    const { x, y } = this.placeOf(event);
    const scale = this.scale();
    const inside = x >= MAP.left && x < scale.right && y >= MAP.top && y < scale.bottom;
    const buffer = inside
      ? bufferAt(this.picture, offsetsOf(this.picture, this.layout), scale.time(x), scale.address(y)) : -1;
    this.select(buffer, event.clientX, event.clientY);
  }

  grab(event) {
    this.map.setPointerCapture(event.pointerId);
    this.map.classList.add("grabbed");
    this.grabbed = this.placeOf(event);
  }

  release() {
    this.map.classList.remove("grabbed");
    this.grabbed = null;
  }

  drag(event) {
    const { x, y } = this.placeOf(event);
    const scale = this.scale();
    this.view.pan((this.grabbed.x - x) / (scale.right - MAP.left), (y - this.grabbed.y) / (scale.bottom - MAP.top));
    this.grabbed = { x, y };
    this.select(-1);
    this.repaint();
  }

  // A page is scrolled by the wheel; the map takes it only when it was asked to, by focus or by Ctrl.
  turn(event) {
    if (document.activeElement !== this.map && !event.ctrlKey) return;
    event.preventDefault();
    const { x, y } = this.placeOf(event);
    const scale = this.scale();
    const factor = WHEEL_STEP ** event.deltaY;
    this.view.zoom(event.altKey ? 1 : factor, event.shiftKey ? 1 : factor, scale.time(x), scale.address(y));
    this.repaint();
  }

  // Around the selected buffer; else around the middle of the time and the low addresses, where a slab is full.
  zoomBy(factor) {
    const { buffers } = this.picture;
    const one = this.selected;
    const time = one < 0 ? (this.view.t0 + this.view.t1) / 2 : (buffers.begin[one] + buffers.end[one]) / 2;
    const address = one < 0 ? this.view.a0 : offsetsOf(this.picture, this.layout)[one] + buffers.size[one] / 2;
    this.view.zoom(factor, factor, time, address);
    this.repaint();
  }

  showAll() {
    this.view.showAll();
    this.repaint();
  }

  zoomToBuffer(event) {
    this.point(event);
    if (this.selected >= 0) this.frame(this.selected);
  }

  // The buffer with as much again around it on every side.
  frame(buffer) {
    const { begin, end, size } = this.picture.buffers;
    const offset = offsetsOf(this.picture, this.layout)[buffer];
    const time = end[buffer] - begin[buffer];
    this.view.show(begin[buffer] - time, end[buffer] + time, offset - size[buffer], offset + 2 * size[buffer]);
    this.repaint();
  }

  press(event) {
    const actions = {
      ArrowLeft: () => this.view.pan(-KEY_PAN, 0), ArrowRight: () => this.view.pan(KEY_PAN, 0),
      ArrowUp: () => this.view.pan(0, KEY_PAN), ArrowDown: () => this.view.pan(0, -KEY_PAN),
      "+": () => this.zoomBy(KEY_ZOOM), "=": () => this.zoomBy(KEY_ZOOM), "-": () => this.zoomBy(1 / KEY_ZOOM),
      0: () => this.view.showAll(), n: () => this.step(1), p: () => this.step(-1),
      Enter: () => this.selected >= 0 && this.frame(this.selected), Escape: () => this.select(-1),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    action();
    this.repaint();
  }

  // To the next buffer in the order of the pass that can be seen.
  step(by) {
    const { buffers } = this.picture;
    const offsets = offsetsOf(this.picture, this.layout);
    const { t0, t1, a0, a1 } = this.view;
    const seen = (i) => buffers.end[i] > t0 && buffers.begin[i] < t1 && offsets[i] + buffers.size[i] > a0 && offsets[i] < a1;
    let next = this.selected < 0 && by < 0 ? buffers.count - 1 : this.selected + by;
    while (next >= 0 && next < buffers.count && !seen(next)) next += by;
    if (next < 0 || next >= buffers.count) return;
    const page = this.map.getBoundingClientRect();
    this.selected = next;
    const box = this.boxOf(next);
    this.select(next, page.left + box.x + box.width / 2, page.top + box.y + box.height);
    this.paintSelection();
  }
}
