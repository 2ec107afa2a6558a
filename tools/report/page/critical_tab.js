// The critical path: what it consists of, and its longest spans.

const longest_shown = 30;

function fill_critical_tab(run, colors, go_to) {
  const section = by_id("critical");
  if (run.critical_parts.length === 0) {
    section.replaceChildren(make("h2", {}, "Critical path"), make("p", { class: "note" }, "None is known for this run."));
    return;
  }
  section.replaceChildren(
    make("h2", {}, "Critical path"),
    make("p", { class: "note" }, "The chain of tasks, messages and waits that has decided how long the run takes. What is not on it can be made faster without any effect."),
    parts_bar(run, colors), parts_table(run, colors),
    make("h2", {}, "Its longest spans"), longest_spans(run, colors, go_to));
}

function parts_bar(run, colors) {
  return make("div", { class: "parts", role: "img", "aria-label": run.critical_parts.map(part => `${part.what} ${format_share(part.share)}`).join(", ") },
    ...run.critical_parts.filter(part => part.share > 0).map(part => {
      const color = colors.of_part(part);
      return make("div", { style: `flex:${part.share} 0 0;background:${color};color:${ink_on(color)}`, title: `${part.what}: ${format_seconds(part.seconds)}, ${format_share(part.share)}` },
        part.share > 0.06 ? `${part.what.split("::").at(-1)} ${format_share(part.share)}` : "");
    }));
}

function parts_table(run, colors) {
  return make_table([
    { title: "what", is_text: true, value: part => part.what, show: part => make("span", { class: "name" }, swatch(colors.of_part(part)), part.what) },
    { title: "kind", is_text: true, value: part => part.kind },
    { title: "time", value: part => part.seconds, show: part => format_seconds(part.seconds) },
    { title: "share", value: part => part.share, show: part => share_cell(part.share, colors.of_part(part)) },
  ], run.critical_parts, { sort: 2 });
}

function longest_spans(run, colors, go_to) {
  const { length, begin, site } = run.spans;
  const spans = Array.from(run.critical.span).filter(span => span < run.count).sort((a, b) => length[b] - length[a]).slice(0, longest_shown);
  if (spans.length === 0) return make("p", { class: "note" }, "No span of it was recorded.");
  return make_table([
    { title: "name", is_text: true, value: span => span_title(run, span), show: span => make("span", { class: "name" }, swatch(colors.of_site[site[span]]), span_title(run, span)) },
    { title: "duration", value: span => length[span], show: span => format_ns(length[span]) },
    { title: "begin", value: span => begin[span], show: span => format_moment(begin[span]) },
    { title: "on", is_text: true, value: span => lane_name(run, run.lanes[run.lane_of_span(span)]) },
  ], spans, { sort: 1, click: go_to, click_title: "Shows it in the timeline" });
}
