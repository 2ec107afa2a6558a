// The run: what README.md describes, with its columns as arrays.

const none_known = 4294967295;

async function read_run() {
  const run = JSON.parse(by_id("run").textContent);
  const numbers = await read_columns();
  const each_column = columns => Object.fromEntries(Object.entries(columns ?? {}).map(([name, column]) => [name, numbers(column)]));

  run.spans = { ...empty_columns("begin length site detail number step pass delay depth"), ...each_column(run.spans) };
  run.messages = { ...empty_columns("from_lane to_lane posted arrived bytes from_span to_span"), ...each_column(run.messages) };
  run.critical = { ...empty_columns("span"), ...each_column(run.critical) };
  run.parallelism = { step_ns: run.parallelism?.step_ns ?? 1, tasks: numbers(run.parallelism?.tasks) };
  for (const list of ["words", "lanes", "sites", "critical_parts", "table", "waits", "graphs"]) run[list] ??= [];
  run.shapes ??= [""];

  run.count = run.spans.begin.length;
  run.end_ns = end_of(run);
  choose_moment_unit(run.end_ns);
  run.lane_of_span = lane_finder(run.lanes);
  run.time_of_site = times_of_sites(run);
  run.workers = run.lanes.filter(lane => lane.kind === "worker").length;
  return run;
}

const empty_columns = names => Object.fromEntries(names.split(" ").map(name => [name, new Float64Array(0)]));

// Spans may end after the time that was measured for the run. Without time there is nothing to zoom into.
function end_of(run) {
  let end = (run.seconds ?? 0) * 1e9;
  for (let i = 0; i < run.count; ++i) end = Math.max(end, run.spans.begin[i] + run.spans.length[i]);
  return Math.max(end, 1);
}

// Of all lanes together, in nanoseconds; undefined for sites without a span.
function times_of_sites({ sites, spans }) {
  const times = sites.map(() => undefined);
  for (let i = 0; i < spans.begin.length; ++i) times[spans.site[i]] = (times[spans.site[i]] ?? 0) + spans.length[i];
  return times;
}

// A function from a span to its lane: lanes have their spans one behind the other.
function lane_finder(lanes) {
  const order = lanes.map((lane, index) => ({ index, first: lane.first, count: lane.count }))
    .filter(lane => lane.count > 0).sort((a, b) => a.first - b.first);
  return span => {
    let low = 0, high = order.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (order[middle].first <= span) low = middle;
      else high = middle - 1;
    }
    return order[low]?.index ?? 0;
  };
}
