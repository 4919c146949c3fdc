// Served runs: what came from the slab, what went to the heap and why, over time where the file has it, and one run
// against another.

// "To the heap: larger than in the profile", as it stands in a table of what went to the heap.
const meaningOf = (reason) => (report.meanings[`fallback.${reason}`] || "").replace(/^To the heap: /, "");
const lastOf = (run) => run.samples[run.samples.length - 1];
const sumOf = (fallback) => Object.values(fallback).reduce((sum, count) => sum + count, 0);
const reasonColour = (i) => KINDS[(i + 1) % KINDS.length];

// Reasons that happened, the same for all runs so that a colour means one thing.
function reasonsOf(runs) {
  const all = new Set(runs.flatMap((run) => Object.keys(lastOf(run).fallback)));
  return [...all].filter((reason) => runs.some((run) => lastOf(run).fallback[reason] > 0));
}

// Files by their names alone, as long as that tells them apart.
function shortNames(paths) {
  const names = paths.map((path) => path.slice(path.lastIndexOf("/") + 1));
  return new Set(names).size === paths.length ? names : paths;
}

function servedTiles(run) {
  const last = lastOf(run);
  return tiles([
    ["Served", formatPercent(run.share),
      `of the allocations${run.steady ? " in the steady state" : ""}; ${formatPercent(run.share_of_bytes)} of their bytes`],
    ["Passes", formatCount(last.passes), last.abandoned ? `${formatCount(last.abandoned)} left without an end` : "all ended in order"],
    ["Lanes", `${formatCount(last.lanes_used || 0)} of ${formatCount(last.lanes || 0)}`, "have run a pass"],
    ["Slab", formatBytes(last.slab_bytes || 0), "of all lanes"],
    ["Pinned", formatCount(last.pinned || 0), "blocks alive in idle lanes"],
    last["heap.resident"] !== undefined && ["Heap", formatBytes(last["heap.resident"]), "resident, for all the rest"],
  ]);
}

// Draws one bar over the whole width; parts are [share, colour, words].
function shareBar(label, parts) {
  return h("figure", { class: "sharebar", role: "img", "aria-label": `${label}: ${parts.map((part) => part[2]).join(", ")}` },
    h("figcaption", {}, label, parts.map(([, colour, words]) =>
      h("span", {}, h("i", { class: "swatch", style: `background:${colour}` }), words))),
    h("div", { class: "track" }, parts.filter(([share]) => share > 0).map(([share, colour, words]) =>
      h("span", { style: `flex:${share} 0 0;background:${colour}`, title: words }))));
}

function shareBars(run, reasons) {
  const last = lastOf(run);
  const missed = sumOf(last.fallback);
  const bars = [shareBar("All allocations inside passes", [
    [last.served, "var(--accent)", `${formatCount(last.served)} served`],
    [missed, reasonColour(0), `${formatCount(missed)} to the heap`]])];
  if (missed > 0) bars.push(shareBar("Of those that went to the heap", reasons.map((reason, i) =>
    [last.fallback[reason] || 0, reasonColour(i), `${reason} ${formatCount(last.fallback[reason] || 0)}`])));
  return bars;
}

function reasonTable(runs, reasons) {
  return h("div", { class: "scroll" }, h("table", { "aria-label": "Fallback by reason" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "to the heap because"),
      runs.map((run) => h("th", { scope: "col" }, runs.length > 1 ? run.name : "allocations")))),
    h("tbody", {}, reasons.map((reason, i) => h("tr", {},
      h("td", {}, h("span", { class: "swatch", style: `background:${reasonColour(i)}` }), " ", h("code", {}, reason),
        h("span", { class: "muted" }, ` ${meaningOf(reason)}`)),
      runs.map((run) => h("td", {}, formatCount(lastOf(run).fallback[reason] || 0))))))));
}

// Returns what happened between each sample and the one before it.
function intervals(run) {
  return run.samples.map((sample, i) => {
    const before = run.samples[i - 1] || { passes: 0, served: 0, fallback: {} };
    const fallback = {};
    for (const reason of Object.keys(sample.fallback)) fallback[reason] = sample.fallback[reason] - (before.fallback[reason] || 0);
    return { passes: sample.passes, served: sample.served - before.served, fallback };
  });
}

function overTime(run, reasons) {
  const rows = intervals(run).map((one) => {
    const all = Math.max(1, one.served + sumOf(one.fallback));
    return { at: one.passes, parts: reasons.map((reason) => Math.max(0, (one.fallback[reason] || 0) / all)) };
  });
  const line = (title, key, format) => lineChart(title, [{ name: title, points: run.samples.map((sample) => [sample.passes, sample[key] || 0]) }],
    { x: formatCount, xTitle: "passes", y: format });
  return h("div", { class: "pair" },
    stackedColumns("Share of the allocations that went to the heap, between one sample and the next", rows, reasons.map((_, i) => reasonColour(i))),
    line("Blocks pinned", "pinned", formatCount),
    line("Lanes that have run a pass", "lanes_used", formatCount),
    run.samples.some((sample) => sample["heap.resident"]) && line("The heap's resident memory", "heap.resident", byteTickLabel));
}

const RUN_ROWS = [
  ["served", (run) => run.share, formatPercent],
  ["served, of the bytes", (run) => run.share_of_bytes, formatPercent],
  ["allocations inside passes", (run) => lastOf(run).served + sumOf(lastOf(run).fallback), formatCount],
  ["passes", (run) => lastOf(run).passes, formatCount],
  ["bytes served", (run) => lastOf(run).served_bytes, formatBytes],
  ["bytes from the heap", (run) => lastOf(run).fallback_bytes, formatBytes],
  ["slab", (run) => lastOf(run).slab_bytes, formatBytes],
  ["lanes that have run a pass", (run) => lastOf(run).lanes_used, formatCount],
  ["blocks pinned", (run) => lastOf(run).pinned, formatCount],
  ["freed twice", (run) => lastOf(run).double_free, formatCount],
  ["heap, resident", (run) => lastOf(run)["heap.resident"], formatBytes],
];

// Makes a table of the runs. For two runs it also shows what changed.
function runsTable(runs, reasons) {
  const byReason = reasons.map((reason) => [`to the heap: ${reason}`, (run) => lastOf(run).fallback[reason] || 0, formatCount]);
  const rows = [...RUN_ROWS, ...byReason].filter(([, value]) => runs.some((run) => value(run) !== undefined));
  const change = (value) => {
    const [before, after] = runs.map((run) => value(run) || 0);
    return before === after ? "–" : before === 0 ? "new" : `${after > before ? "+" : "−"}${formatPercent(Math.abs(after / before - 1))}`;
  };
  return h("div", { class: "scroll" }, h("table", { "aria-label": "Served runs compared" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, ""), runs.map((run) => h("th", { scope: "col" }, run.name)),
      runs.length === 2 ? h("th", { scope: "col" }, "change") : null)),
    h("tbody", {}, rows.map(([name, value, format]) => h("tr", {}, h("td", {}, name),
      runs.map((run) => h("td", {}, value(run) === undefined ? "–" : format(value(run)))),
      runs.length === 2 ? h("td", {}, change(value)) : null)))));
}

function servedSections(all) {
  const names = shortNames(all.map((run) => run.name));
  const runs = all.map((run, i) => ({ ...run, name: names[i] }));
  const reasons = reasonsOf(runs);
  const one = (run, i) => section(`served-${i}`, runs.length > 1 ? `Served run: ${run.name}` : "Served run",
    lastOf(run).plan ? ["Served by the plan ", h("code", {}, lastOf(run).plan), "."] : "No plan was serving when this was written.",
    servedTiles(run), shareBars(run, reasons),
    reasons.length > 0 ? reasonTable([run], reasons) : h("p", { class: "muted" }, "Nothing went to the heap."),
    run.samples.length > 1 ? overTime(run, reasons) : null);
  const together = section("served-together", "Served runs compared", null, runsTable(runs, reasons));
  return [...(runs.length > 1 ? [together] : []), ...runs.map(one)];
}
