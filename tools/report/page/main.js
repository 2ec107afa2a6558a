// What is done once the page is there, and `window.rondo`, for tests and scripts.

async function start() {
  const run = await read_run();
  fill_header(run);
  by_id("sections").hidden = false;
  const colors = new color_table(run);
  const timeline = new scene(run, colors);
  const found = new finder(timeline);
  new side_panel(timeline);
  const tabs = new tab_row(Object.keys(tab_titles).filter(name => name !== "changes" || run.compared), () => timeline.wish_draw());
  listen_to_mouse(timeline);
  listen_to_keys(timeline, found);
  make_help();
  make_switches(timeline);

  const go_to = span => {
    tabs.show("timeline");
    timeline.go_to(span);
  };
  const fill_tabs = () => {
    fill_critical_tab(run, colors, go_to);
    fill_tasks_tab(run, colors, site => {
      tabs.show("timeline");
      timeline.filter_sites([site]);
    });
    fill_graph_tab(run, colors);
    fill_digest_tab(run);
    fill_changes_tab(run, colors);
    if (!by_id("graph").hidden) by_id("graph").begin?.();
  };
  fill_tabs();
  follow_theme(timeline, fill_tabs);
  tabs.show_address();
  timeline.draw();
  return { timeline, found, tabs, go_to };
}

function make_switches(timeline) {
  const { run } = timeline;
  const toggle = (id, is_on, set) => by_id(id).addEventListener("click", () => set(!is_on()));
  toggle("critical_toggle", () => timeline.marks.critical, is_on => timeline.set_critical(is_on));
  toggle("messages_toggle", () => timeline.shows_messages, is_on => timeline.set_messages(is_on));
  by_id("critical_toggle").disabled = run.critical.span.length === 0;
  by_id("messages_toggle").disabled = run.messages.posted.length === 0;
  by_id("ranks_toggle").hidden = !timeline.rows.has_rank_lines();
  by_id("ranks_toggle").addEventListener("click", () => {
    timeline.rows.collapse_all(!timeline.rows.all_collapsed());
    timeline.place_rows();
  });
  by_id("show_all").addEventListener("click", () => timeline.view.show_all());
  by_id("help_button").addEventListener("click", toggle_help);
  const say = () => {
    by_id("critical_toggle").setAttribute("aria-pressed", String(timeline.marks.critical));
    by_id("messages_toggle").setAttribute("aria-pressed", String(timeline.shows_messages));
    by_id("ranks_toggle").textContent = timeline.rows.all_collapsed() ? "Expand ranks" : "Collapse ranks";
  };
  timeline.on("marks", say);
  timeline.on("rows", say);
  say();
}

function follow_theme(timeline, fill_tabs) {
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    timeline.colors.use_theme();
    fill_tabs();
    timeline.update_marks();
  });
}

const started = start();
started.catch(error => {
  by_id("facts").textContent = "";
  by_id("warnings").replaceChildren(make("p", { class: "failure" }, `The run can't be shown: ${error.message}`));
});

// README.md describes it.
window.rondo = {
  ready: started.then(() => {}),
  view: () => ({ from: page.timeline.view.from, to: page.timeline.view.to }),
  zoom: (from, to) => {
    page.timeline.view.show(from, to);
    page.timeline.draw();
  },
  find: text => page.found.find(text),
  frame_ms: () => page.timeline.last_frame_ms,
  select: span => page.go_to(span),
  show: tab => page.tabs.show(tab),
};

let page = null;
started.then(parts => { page = parts; }, () => {});
