// A served run: what came from the slab, what went to the heap and why.

const REASONS = {
  no_plan: "no plan, or none for this pass key: profile this shape",
  no_lane: "more passes at once than lanes, or no memory for another: raise --lanes",
  unknown_site: "the plan does not know the caller: another build, or a path that was not profiled",
  unexpected: "a known caller that allocated more often than in the profile",
  too_big: "larger than in the profile",
  alignment: "aligned more strictly than in the profile",
  occupied: "something that still lives shares bytes with the slot",
  gave_up: "after 128 misses in a row, until the next pass",
  reentered: "allocated by a signal handler while its thread was allocating",
};

const lastOf = (run) => run.samples[run.samples.length - 1];
const sumOf = (fallback) => Object.values(fallback).reduce((sum, count) => sum + count, 0);

function servedTiles(run) {
  const last = lastOf(run);
  return tiles([
    ["Served", formatPercent(run.share), `${formatCount(last.served)} of ${formatCount(last.served + sumOf(last.fallback))} allocations`],
    ["Passes", formatCount(last.passes), last.abandoned ? `${formatCount(last.abandoned)} left without an end` : "all ended in order"],
    ["Lanes", `${formatCount(last.lanes_used || 0)} of ${formatCount(last.lanes || 0)}`, "used"],
    ["Slab", formatBytes(last.slab_bytes || 0), "of all lanes"],
    ["Pinned", formatCount(last.pinned || 0), "live blocks in idle lanes"],
    last["heap.resident"] !== undefined && ["Heap", formatBytes(last["heap.resident"]), "resident, for everything else"],
  ]);
}

function reasonTable(runs) {
  const reasons = Object.keys(lastOf(runs[0]).fallback).filter((reason) => runs.some((run) => lastOf(run).fallback[reason] > 0));
  if (reasons.length === 0) return h("p", { class: "muted" }, "Nothing went to the heap.");
  return h("div", { class: "scroll" }, h("table", { "aria-label": "Fallback by reason" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "to the heap because"),
      runs.map((run) => h("th", { scope: "col" }, runs.length > 1 ? run.name : "allocations")))),
    h("tbody", {}, reasons.map((reason) => h("tr", {},
      h("td", {}, h("code", {}, reason), h("span", { class: "muted" }, ` ${REASONS[reason] || ""}`)),
      runs.map((run) => h("td", {}, formatCount(lastOf(run).fallback[reason] || 0))))))));
}

function servedSections(runs) {
  return runs.map((run, i) => section(`served-${i}`, `Served: ${run.name}`,
    lastOf(run).plan ? `Plan: ${lastOf(run).plan}` : "No plan was serving when this was written.",
    servedTiles(run), reasonTable([run])));
}
