// The timeline by keys, and what the help says of them.

const help_lines = [
  ["wheel", "zooms at the mouse; over the names of lanes, or with Shift, it scrolls"],
  ["drag", "moves the view; in the strip of the whole run it moves or chooses what is shown"],
  ["Shift + drag", "selects a range of time, and tells what has run in it"],
  ["click", "selects a span; on a rank it shows or hides the lanes of that rank"],
  ["w  s", "zoom in, zoom out"], ["a  d", "move to the left, to the right"], ["0", "shows the whole run"],
  [",  .", "select the span before, the span behind, on the same lane"], ["f", "brings the selected span to the middle"],
  ["/", "finds a task by its name; Enter and Shift + Enter go from hit to hit"],
  ["c", "shows the critical path"], ["m", "shows messages"], ["e", "collapses or expands all ranks"],
  ["Esc", "takes back what is selected, found or filtered"], ["?", "this help"]];

function make_help() {
  by_id("help").replaceChildren(make("dl", {}, ...help_lines.flatMap(([key, what]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)])));
}

function toggle_help() {
  const is_hidden = !by_id("help").hidden;
  by_id("help").hidden = is_hidden;
  by_id("help_button").setAttribute("aria-expanded", String(!is_hidden));
}

// The neighbour of the selected span on its track.
function step_on_track(scene, direction) {
  if (scene.selected === none) {
    select_first_shown(scene);
    return;
  }
  const { order, of_lane } = scene.tracks;
  const track = of_lane[scene.run.lane_of_span(scene.selected)][scene.run.spans.depth[scene.selected]];
  let position = position_after(scene.run, order, track, scene.run.spans.begin[scene.selected]) - 1;
  while (position > track.from && order[position] > scene.selected) --position;
  position += direction;
  if (position >= track.from && position < track.to) scene.go_to(order[position]);
}

function select_first_shown(scene) {
  const { run, tracks, rows, view, scroller } = scene;
  for (const row of rows.visible(scroller.scrollTop, scroller.scrollTop + scroller.clientHeight)) {
    const track = row.kind === "lane" ? tracks.of_lane[row.lane][0] : null;
    const position = track ? position_after(run, tracks.order, track, view.from) : 0;
    if (track && position < track.to) {
      scene.select(tracks.order[position]);
      return;
    }
  }
}

function listen_to_keys(scene, finder) {
  const { view } = scene;
  const does = {
    w: () => view.zoom(0.7), s: () => view.zoom(1 / 0.7), a: () => view.move(-0.15), d: () => view.move(0.15),
    "0": () => view.show_all(), "/": () => by_id("find_text").select(),
    c: () => by_id("critical_toggle").click(), m: () => by_id("messages_toggle").click(), e: () => by_id("ranks_toggle").click(),
    f: () => scene.selected !== none && scene.go_to(scene.selected),
    ",": () => step_on_track(scene, -1), ".": () => step_on_track(scene, 1), "?": toggle_help,
    Escape: () => {
      finder.clear();
      scene.filter_sites(null);
      scene.select(none);
      scene.select_range(null);
    },
  };
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || by_id("timeline").hidden) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    const what = does[event.key] ?? does[event.key.toLowerCase()];
    if (!what) return;
    event.preventDefault();
    what();
  });
}
