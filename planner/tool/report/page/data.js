// The data block of the page, and its long columns (planner/tool/report/columns.h).

const report = JSON.parse(document.getElementById("data").textContent);

// Differences in zigzag, in groups of seven bits, in base64. Numbers beyond 32 bits rule out the bit operators.
function unpackColumn(text, count) {
  const bytes = atob(text);
  const values = new Float64Array(count);
  let value = 0;
  let at = 0;
  for (let i = 0; i < count; ++i) {
    let zigzag = 0;
    let weight = 1;
    let byte = bytes.charCodeAt(at++);
    while (byte >= 128) {
      zigzag += (byte - 128) * weight;
      weight *= 128;
      byte = bytes.charCodeAt(at++);
    }
    zigzag += byte * weight;
    value += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
    values[i] = value;
  }
  return values;
}

function unpackColumns(packed, count, names) {
  const columns = { count };
  for (const name of names) columns[name] = unpackColumn(packed[name], count);
  return columns;
}

// A picture is unpacked when it is first shown, a layout likewise: a page may hold many.
function unpackPicture(picture) {
  if (picture.unpacked) return picture;
  picture.unpacked = true;
  picture.buffers = unpackColumns(picture.buffers, picture.buffers.count,
    ["begin", "end", "size", "alignment", "operator", "site"]);
  picture.scopes = unpackColumns(picture.scopes, picture.scopes.count, ["operator", "begin", "end", "depth"]);
  picture.live = liveSteps(picture.buffers);
  picture.extent = extentOf(picture.buffers);
  return picture;
}

function offsetsOf(picture, layout) {
  if (typeof layout.offset === "string") layout.offset = unpackColumn(layout.offset, picture.buffers.count);
  return layout.offset;
}

// How the pages of a heap's layout came together; nothing for other layouts.
function touchedOf(layout) {
  if (layout.touched && typeof layout.touched.at === "string")
    layout.touched = unpackColumns(layout.touched, layout.touched.count, ["at", "bytes"]);
  return layout.touched;
}

function extentOf(buffers) {
  let begin = Infinity;
  let end = -Infinity;
  for (let i = 0; i < buffers.count; ++i) {
    if (buffers.begin[i] < begin) begin = buffers.begin[i];
    if (buffers.end[i] > end) end = buffers.end[i];
  }
  return buffers.count ? { begin, end } : { begin: 0, end: 1 };
}

// Index of the first value that is greater than `limit`, in a sorted array.
function upperBound(sorted, limit) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Bytes alive over time: bytes[i] from at[i] up to at[i + 1].
function liveSteps(buffers) {
  const times = new Float64Array(2 * buffers.count);
  times.set(buffers.begin);
  times.set(buffers.end, buffers.count);
  times.sort();
  let moments = 0;
  for (let i = 0; i < times.length; ++i) {
    if (i === 0 || times[i] !== times[moments - 1]) times[moments++] = times[i];
  }
  const at = times.subarray(0, moments);
  const bytes = new Float64Array(moments);
  for (let i = 0; i < buffers.count; ++i) {
    bytes[upperBound(at, buffers.begin[i]) - 1] += buffers.size[i];
    bytes[upperBound(at, buffers.end[i]) - 1] -= buffers.size[i];
  }
  for (let i = 1; i < moments; ++i) bytes[i] += bytes[i - 1];
  return { at, bytes };
}
