// What the reader wants to know first, and what changed since an earlier run.

// Text in which commands stand between backticks.
const withCommands = (text) => text.split("`").map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part));

// A reason for the heap that an answer begins with is a word of the statistics, and stays as it is spelt there.
function answerText(text) {
  const reason = text.slice(0, text.indexOf(":"));
  if (report.meanings[`fallback.${reason}`]) return [h("code", {}, reason), withCommands(`${text.slice(reason.length)}.`)];
  return withCommands(`${text[0].toUpperCase()}${text.slice(1)}.`);
}

// Each question once, with all its answers.
function answersSection() {
  if (report.answers.length === 0) return [];
  const rows = report.answers.map(({ question, text }, i) => [
    h("dt", {}, i > 0 && report.answers[i - 1].question === question ? "" : question), h("dd", {}, answerText(text))]);
  return [h("section", { id: "answers", "aria-label": "In short" }, h("dl", { class: "answers" }, rows))];
}

// Two digits after the point, as the same shares have in text: from 99.90 to 99.99 % is much.
const FORMATS = { count: formatCount, bytes: formatBytes, share: (share) => `${(100 * share).toFixed(2)} %` };
const valueText = (row, value) => (value === null ? "–" : FORMATS[row.unit](value));

function changeTable(table) {
  const change = (row) => (row.before === null ? Infinity : Math.abs((row.after || 0) - row.before));
  const columns = [
    { title: table.title, words: true, show: (row) => row.name },
    { title: "before", show: (row) => valueText(row, row.before) },
    { title: "after", show: (row) => valueText(row, row.after) },
    { title: "change", value: change, show: (row) => row.change.replace(/^-/, "−") || "–" },
  ];
  return sortedTable(table.title, columns, table.rows);
}

function differencesSections() {
  if (!report.differences) return [];
  const earlier = report.sources.filter((source) => source.kind.startsWith("earlier ")).map((source) => source.path);
  return [section("changes", "What changed", `Since ${shortNames(earlier).join(", ")}.`,
    h("div", { class: "tables" }, report.differences.tables.map(changeTable)))];
}
