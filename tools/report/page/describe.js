// What is said of a span, in the tooltip and beside the timeline.

const is_task = site => site.kind === "task" || site.kind === "fork" || site.kind === "node";

const site_name = site => site.name || { waited: "waited", slept: "asleep", pass: "pass", phase: "phase" }[site.kind] || "without a name";

const span_title = (run, span) => site_name(run.sites[run.spans.site[span]]) + (run.shapes[run.spans.detail[span]] ?? "");

const several_ranks = run => run.lanes.length > 0 && run.lanes.at(-1).rank !== run.lanes[0].rank;

const lane_name = (run, lane) => several_ranks(run) ? `rank ${lane.rank}, ${lane.label}` : lane.label;

function task_id_text(run, span) {
  const { number, step, pass } = run.spans;
  if (step[span]) return `step ${step[span]} of loop ${number[span]}, pass ${pass[span]}`;
  return number[span] ? `launch ${number[span]}` : "";
}

// Pairs of a word and a text.
function span_facts(run, span) {
  const { begin, length, delay } = run.spans;
  const site = run.sites[run.spans.site[span]];
  const facts = [];
  if (site.place) facts.push([is_task(site) ? "launched at" : "at", site.place]);
  facts.push(["on", lane_name(run, run.lanes[run.lane_of_span(span)])]);
  facts.push(["begin", format_moment(begin[span])]);
  facts.push(["duration", format_ns(length[span])]);
  if (is_task(site)) {
    facts.push(["began", Number.isNaN(delay[span]) || delay[span] === undefined
      ? "when it was ready is not known" : `${format_ns(delay[span])} after it was ready`]);
    const id = task_id_text(run, span);
    if (id) facts.push(["id", id]);
  }
  return facts;
}
