// What is under the mouse.

function span_under(scene, x, y) {
  if (x < gutter) return none;
  const row = scene.rows.at(y + scene.scroller.scrollTop);
  if (!row) return none;
  const moment = scene.moment_at(x);
  const near = 3 * scene.view.length() / scene.width();
  const { run, tracks } = scene;
  if (row.kind === "rank") return none; // it stands for many
  const depth = Math.min(scene.rows.depth_at(row, y + scene.scroller.scrollTop), most_depths - 1);
  const track = tracks.of_lane[row.lane][depth];
  return track ? span_at(run, tracks.order, track, moment, near) : none;
}

const most_lanes_told = 10;

class hover {
  constructor(scene) {
    this.scene = scene;
    this.tooltip = by_id("tooltip");
    this.line = by_id("cursor_line");
  }

  move(x, y) { // within the lanes
    this.line.hidden = x < gutter;
    this.line.style.left = `${x}px`;
    if (!this.tell_of_span(span_under(this.scene, x, y)) && !this.tell_of_rank(x, y)) {
      this.tooltip.hidden = true;
      return;
    }
    this.place(x, this.scene.scroller.offsetTop + y);
  }

  place(x, top) {
    const pictures = by_id("pictures");
    this.tooltip.hidden = false;
    this.line.hidden = false;
    this.line.style.left = `${x}px`;
    this.tooltip.style.left = "0"; // where it has all the width that it may have
    const { offsetWidth, offsetHeight } = this.tooltip;
    const left = x + 16 + offsetWidth > pictures.clientWidth ? x - 16 - offsetWidth : x + 16;
    this.tooltip.style.left = `${Math.max(0, left)}px`;
    this.tooltip.style.top = `${Math.max(0, top + 16 + offsetHeight > pictures.clientHeight ? top - 12 - offsetHeight : top + 16)}px`;
  }

  tell_of_span(span) {
    if (span === none) return false;
    const { run, colors } = this.scene;
    this.tooltip.replaceChildren(
      make("b", {}, swatch(colors.of_site[run.spans.site[span]]), span_title(run, span)),
      make("dl", {}, ...span_facts(run, span).flatMap(([word, text]) => [make("dt", {}, word), make("dd", {}, text)])));
    return true;
  }

  // Of a collapsed rank: what its lanes do.
  tell_of_rank(x, y) {
    const { run, tracks, colors, rows, scroller } = this.scene;
    const row = rows.at(y + scroller.scrollTop);
    if (x < gutter || row?.kind !== "rank" || !row.rank.is_collapsed) return false;
    const facts = row.rank.lanes.slice(0, most_lanes_told).flatMap(lane => {
      const track = tracks.of_lane[lane][0];
      const span = track ? span_at(run, tracks.order, track, this.scene.moment_at(x), 0) : none;
      return [make("dt", {}, run.lanes[lane].label), span === none ? make("dd", {}, "nothing") : make("dd", {}, swatch(colors.of_site[run.spans.site[span]]), span_title(run, span))];
    });
    const more = row.rank.lanes.length - most_lanes_told;
    fill(this.tooltip, make("b", {}, `rank ${row.rank.rank}`), make("dl", {}, ...facts), more > 0 ? `and ${plural(more, "lane")} more` : null);
    return true;
  }

  tell_of_parallelism(x, top) {
    const { run, view } = this.scene;
    if (x < gutter || run.parallelism.tasks.length === 0) {
      this.leave();
      return;
    }
    const moment = this.scene.moment_at(x);
    const pixel = view.length() / this.scene.width();
    const [running] = parallelism_in_pixels(run, { from: moment - pixel / 2, length: () => pixel }, 1);
    this.tooltip.replaceChildren(`${three_digits(running)} tasks running at ${format_moment(moment)}`);
    this.place(x, top);
  }

  leave() {
    this.tooltip.hidden = true;
    this.line.hidden = true;
  }
}
