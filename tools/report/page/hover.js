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

class hover {
  constructor(scene) {
    this.scene = scene;
    this.tooltip = by_id("tooltip");
    this.line = by_id("cursor_line");
  }

  move(x, y) { // within the lanes
    const pictures = by_id("pictures");
    const span = span_under(this.scene, x, y);
    this.line.hidden = x < gutter;
    this.line.style.left = `${x}px`;
    if (span === none) {
      this.tooltip.hidden = true;
      return;
    }
    if (span !== this.span) {
      this.span = span;
      const { run, colors } = this.scene;
      this.tooltip.replaceChildren(
        make("b", {}, swatch(colors.of_site[run.spans.site[span]]), span_title(run, span)),
        make("dl", {}, ...span_facts(run, span).flatMap(([word, text]) => [make("dt", {}, word), make("dd", {}, text)])));
    }
    this.tooltip.hidden = false;
    const top = this.scene.scroller.offsetTop + y;
    const { offsetWidth, offsetHeight } = this.tooltip;
    const left = x + 16 + offsetWidth > pictures.clientWidth ? x - 16 - offsetWidth : x + 16;
    this.tooltip.style.left = `${Math.max(0, left)}px`;
    this.tooltip.style.top = `${Math.max(0, top + 16 + offsetHeight > pictures.clientHeight ? top - 12 - offsetHeight : top + 16)}px`;
  }

  leave() {
    this.tooltip.hidden = true;
    this.line.hidden = true;
  }
}
