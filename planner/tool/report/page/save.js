// Saves the stage as a picture to paste somewhere, with a line that says what it shows.

const CAPTION = 46;

function savePicture(stage) {
  const ratio = window.devicePixelRatio || 1;
  const width = stage.map.width;
  const parts = [stage.map, stage.strip, stage.live].filter((canvas) => canvas.clientHeight > 0);
  const all = h("canvas", {});
  all.width = width;
  all.height = CAPTION * ratio + parts.reduce((sum, canvas) => sum + canvas.height, 0);
  const context = all.getContext("2d");
  context.fillStyle = themeColour("--surface");
  context.fillRect(0, 0, all.width, all.height);
  context.fillStyle = themeColour("--ink");
  context.font = `600 ${16 * ratio}px ${themeColour("--sans")}`;
  context.textBaseline = "middle";
  context.fillText(captionOf(stage), 12 * ratio, (CAPTION / 2) * ratio);
  let top = CAPTION * ratio;
  for (const canvas of parts) {
    context.drawImage(canvas, 0, top);
    top += canvas.height;
  }
  all.toBlob((blob) => download(blob, `${stage.picture.title}-${stage.layout.name}.png`.replace(/[^\w.-]+/g, "-")));
}

function captionOf({ picture, layout }) {
  return `${picture.title}, placed by ${layout.name}: ${formatBytes(layout.height)}, ` +
    `${formatOver(layout.height, picture.lower_bound)} over the lower bound`;
}

function download(blob, name) {
  const link = h("a", { download: name });
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
