// The tasks of the run by where they were launched, and where main threads have waited.

function fill_tasks_tab(run, colors, filter) {
  const site_of = row => run.sites[row.site] ?? { name: "", place: "", kind: "task" };
  const rows = run.table.length === 0 ? make("p", { class: "note" }, "No task has run.") : make_table([
    { title: "name", is_text: true, value: row => site_name(site_of(row)), show: row => make("span", { class: "name" }, swatch(colors.of_site[row.site]), site_name(site_of(row))) },
    { title: "launched at", is_text: true, value: row => site_of(row).place },
    { title: "count", value: row => row.count, show: row => format_count(row.count) },
    { title: "total", value: row => row.total, show: row => format_seconds(row.total), explain: "time of all of them together" },
    { title: "share", value: row => row.share, show: row => share_cell(row.share, colors.of_site[row.site]), explain: "of the time of all tasks" },
    { title: "mean", value: row => row.mean, show: row => format_seconds(row.mean) },
    { title: "longest", value: row => row.longest, show: row => format_seconds(row.longest) },
    { title: "delay, mean", value: row => row.delay_mean, show: row => row.delay_mean === null ? "" : format_seconds(row.delay_mean), explain: "from when a task is ready until it begins" },
    { title: "delay, 99 %", value: row => row.delay_p99, show: row => row.delay_p99 === null ? "" : format_seconds(row.delay_p99), explain: "of 99 in 100 tasks the delay is no longer" },
    { title: "of critical path", value: row => row.critical_share, show: row => share_cell(row.critical_share, colors.of_site[row.site]) },
    { title: "most/mean of ranks", value: row => row.imbalance, show: row => not_known_last(row.imbalance) ? "" : row.imbalance.toFixed(2), explain: "the rank with the most of it, divided by the mean of ranks: 1 is balanced" },
  ], run.table, { sort: 3, click: row => filter(row.site), click_title: "Shows these in the timeline, and dims others" });
  by_id("tasks").replaceChildren(make("h2", {}, "Tasks"), rows, ...waits_of_main_threads(run));
}

function waits_of_main_threads(run) {
  if (run.waits.length === 0) return [];
  return [make("h2", {}, "Waits of main threads"), make_table([
    { title: "at", is_text: true, value: wait => wait.place },
    { title: "what for", is_text: true, value: wait => wait.what },
    { title: "count", value: wait => wait.count, show: wait => format_count(wait.count) },
    { title: "time", value: wait => wait.seconds, show: wait => format_seconds(wait.seconds) },
  ], run.waits, { sort: 3 })];
}
