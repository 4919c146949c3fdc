// Which stretch of time and of addresses is seen. Everything on the stage is drawn through one viewport, so that the
// map, the operators and the live bytes stay one above the other.
//
//   a1 +-----------------+
//      |                 |      t in the picture's time, a in bytes from the start of the slab
//   a0 +-----------------+
//      t0               t1

class Viewport {
  // `time` is {begin, end} of the whole picture, `top` the highest address of interest.
  reset(time, top) {
    this.time = time;
    this.top = top * 1.08;
    this.showAll();
  }

  // Another layout of the same picture: the same stretch of time, all addresses.
  resetAddresses(top) {
    this.top = top * 1.08;
    this.a0 = 0;
    this.a1 = this.top;
  }

  showAll() {
    this.t0 = this.time.begin;
    this.t1 = this.time.end;
    this.a0 = 0;
    this.a1 = this.top;
  }

  // Keeps the point (time, address) where it is on the screen; a factor below 1 shows less.
  zoom(timeFactor, addressFactor, time, address) {
    this.t0 = time - (time - this.t0) * timeFactor;
    this.t1 = time + (this.t1 - time) * timeFactor;
    this.a0 = address - (address - this.a0) * addressFactor;
    this.a1 = address + (this.a1 - address) * addressFactor;
    this.stayInside();
  }

  // Shares of what is seen, positive to the right and up.
  pan(timeShare, addressShare) {
    const time = (this.t1 - this.t0) * timeShare;
    const address = (this.a1 - this.a0) * addressShare;
    [this.t0, this.t1, this.a0, this.a1] = [this.t0 + time, this.t1 + time, this.a0 + address, this.a1 + address];
    this.stayInside();
  }

  show(t0, t1, a0, a1) {
    Object.assign(this, { t0, t1, a0, a1 });
    this.stayInside();
  }

  stayInside() {
    [this.t0, this.t1] = within(this.t0, this.t1, this.time.begin, this.time.end, 2);
    [this.a0, this.a1] = within(this.a0, this.a1, 0, this.top, 256);
  }
}

// The stretch moved, and shortened where it must be, to lie inside [lowest, highest]; never shorter than `least`.
function within(from, to, lowest, highest, least) {
  const whole = highest - lowest;
  const length = Math.min(whole, Math.max(to - from, Math.min(least, whole)));
  if (length === whole) return [lowest, highest];
  const middle = (from + to) / 2;
  const begin = Math.min(Math.max(middle - length / 2, lowest), highest - length);
  return [begin, begin + length];
}
