// What is mostly text: the digest, and the comparison with another run.

function fill_digest_tab(run) {
  by_id("digest").replaceChildren(make("h2", {}, "Digest"), run.digest
    ? make("pre", { tabindex: 0 }, run.digest)
    : make("p", { class: "note" }, "The run has none."));
}

const change_of = ([before, after]) => before > 0 ? after / before - 1 : null;

function change_text(pair) {
  const change = change_of(pair);
  if (change === null || !Number.isFinite(change)) return pair[1] > 0 ? "new" : "";
  if (pair[1] === 0) return "gone";
  return Math.abs(change) < 0.005 ? "same" : `${change > 0 ? "+" : "\u2212"}${format_share(Math.abs(change))}`;
}

// Colours say it a second time, for those who see them.
function change_cell(pair) {
  const change = change_of(pair) ?? 0;
  return make("span", { class: change > 0.05 ? "worse" : change < -0.05 ? "better" : "" }, change_text(pair));
}

function before_and_after(title, field, format) {
  return [
    { title: `${title} before`, value: row => row[field][0], show: row => format(row[field][0]) },
    { title: "after", value: row => row[field][1], show: row => format(row[field][1]) },
  ];
}

function fill_changes_tab(run, colors) {
  const { compared } = run;
  if (!compared) return;
  const seconds = [compared.seconds_before, run.seconds];
  by_id("changes").replaceChildren(
    make("h2", {}, "Changes"),
    make("p", {}, "Before: ", make("code", {}, compared.before), `, ${format_seconds(seconds[0])}. After: `, make("code", {}, run.title), `, ${format_seconds(seconds[1])}: `, change_cell(seconds), "."),
    make("ul", { class: "sentences" }, ...(compared.words ?? []).map(sentence => make("li", {}, sentence))),
    make_table([
      { title: "name", is_text: true, value: row => row.name, show: row => make("span", { class: "name" }, swatch(colors.named(row.name)), row.name) },
      ...before_and_after("total", "total", format_seconds),
      { title: "change", value: row => change_of(row.total) ?? Infinity, show: row => change_cell(row.total), explain: "of the total" },
      ...before_and_after("mean", "mean", format_seconds),
      { title: "change", value: row => change_of(row.mean) ?? Infinity, show: row => change_cell(row.mean), explain: "of the mean" },
      ...before_and_after("count", "count", format_count),
      ...before_and_after("share", "share", format_share),
    ], compared.rows ?? [], { sort: 1 }));
}
