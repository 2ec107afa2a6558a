// Beside the timeline: the selected span, the selected range, and the names with their colours.

class side_panel {
  constructor(scene) {
    this.scene = scene;
    this.selection = make("section", { "aria-live": "polite" });
    this.range = make("section");
    this.legend = make("section");
    by_id("panel").replaceChildren(this.selection, this.range, this.legend);
    scene.on("selection", () => this.show_selection());
    scene.on("range", () => this.show_range());
    scene.on("marks", () => this.show_legend());
    this.show_legend();
  }

  show_selection() {
    const { run, selected, colors } = this.scene;
    if (selected === none) {
      this.selection.replaceChildren();
      return;
    }
    const on_path = run.critical.span.length > 0 && this.scene.marks.critical_spans()[selected];
    fill(this.selection,
      this.head(make("span", {}, swatch(colors.of_site[run.spans.site[selected]]), span_title(run, selected)), () => this.scene.select(none)),
      make("dl", {}, ...span_facts(run, selected).flatMap(([word, text]) => [make("dt", {}, word), make("dd", {}, text)])),
      on_path ? make("p", { class: "on_path" }, "On the critical path") : null,
      ...this.messages(selected));
  }

  head(title, close) {
    return make("h2", {}, title, make("button", { type: "button", class: "close", "aria-label": "Close", title: "Close (Esc)", onclick: close }, "\u00d7"));
  }

  messages(span) {
    const found = messages_of_span(this.scene.run, span);
    const most = 12;
    return [[false, "Messages it has waited for"], [true, "Messages it has sent"]].flatMap(([is_out, title]) => {
      const those = found.filter(message => message.is_out === is_out);
      if (those.length === 0) return [];
      return [make("h3", {}, `${title}: ${format_count(those.length)}`),
        make("ul", { class: "links" }, ...those.slice(0, most).map(message => make("li", {}, this.message(message)))),
        those.length > most ? make("p", { class: "note" }, `and ${format_count(those.length - most)} more`) : null];
    });
  }

  message({ index, is_out }) {
    const { run } = this.scene;
    const { from_lane, to_lane, from_span, to_span, posted, arrived, bytes } = run.messages;
    const lane = run.lanes[(is_out ? to_lane : from_lane)[index]];
    const other = (is_out ? to_span : from_span)[index];
    const text = `${is_out ? "to" : "from"} ${lane ? `rank ${lane.rank}` : "a rank not known"}: ${format_bytes(bytes[index])} in ${format_ns(arrived[index] - posted[index])}`;
    if (other >= run.count) return text;
    return make("button", { type: "button", class: "link", title: "Shows the other end", onclick: () => this.scene.go_to(other) }, text);
  }

  show_range() {
    const { range, colors } = this.scene;
    if (!range) {
      this.range.replaceChildren();
      return;
    }
    const statistics = range_statistics(this.scene, range);
    const tasks = statistics.filter(entry => entry.is_task);
    const working = tasks.reduce((sum, entry) => sum + entry.time, 0);
    const length = range.to - range.from;
    fill(this.range,
      this.head(`Range of ${format_ns(length)}`, () => this.scene.select_range(null)),
      make("p", { class: "note" }, `From ${format_moment(range.from)} on. ${three_digits(working / length)} tasks at a time in the mean`
        + (this.scene.run.workers ? `, on ${plural(this.scene.run.workers, "worker")}.` : ".")),
      make("button", { type: "button", onclick: () => this.scene.view.show(range.from, range.to) }, "Zoom to it"),
      make_table([
        { title: "name", is_text: true, value: entry => entry.name, show: entry => make("span", { class: "name cut_in_front", title: entry.name }, make("bdi", {}, swatch(colors.of_site[entry.site]), entry.name)) },
        { title: "count", value: entry => entry.count, show: entry => format_count(entry.count) },
        { title: "time", value: entry => entry.time, show: entry => format_ns(entry.time), explain: "of all lanes together, within the range" },
        { title: "longest", value: entry => entry.longest, show: entry => format_ns(entry.longest) },
      ], statistics, { most: 30 }));
  }

  // Tasks come first, and of them those that take most.
  show_legend() {
    const { run, colors, marks } = this.scene;
    const sites_of_name = new Map();
    run.sites.forEach((site, index) => {
      if (run.time_of_site[index] === undefined) return;
      const name = site_name(site);
      if (!sites_of_name.has(name)) sites_of_name.set(name, []);
      sites_of_name.get(name).push(index);
    });
    const total = name => sites_of_name.get(name).reduce((sum, site) => sum + run.time_of_site[site], 0);
    const has_tasks = name => sites_of_name.get(name).some(site => is_task(run.sites[site]));
    const names = [...sites_of_name.keys()].sort((a, b) => has_tasks(b) - has_tasks(a) || total(b) - total(a));
    const most = 40;
    fill(this.legend,
      make("h2", {}, "Colours"),
      make("ul", { class: "legend" }, ...names.slice(0, most).map(name => {
        const sites = sites_of_name.get(name);
        const is_chosen = marks.site !== null && sites.every(site => marks.site.has(site));
        return make("li", {}, make("button", {
          type: "button", "aria-pressed": String(is_chosen), title: is_chosen ? `${name}: shows all again` : `${name}: dims all others`,
          onclick: () => this.scene.filter_sites(is_chosen ? null : sites),
        }, swatch(colors.of_site[sites[0]]), make("span", { class: "name cut_in_front" }, make("bdi", {}, name)), make("span", { class: "time" }, format_ns(total(name)))));
      })),
      names.length > most ? make("p", { class: "note" }, `and ${format_count(names.length - most)} more: see Tasks`) : null,
      names.length === 0 ? make("p", { class: "note" }, "Nothing was recorded.") : null);
  }
}
