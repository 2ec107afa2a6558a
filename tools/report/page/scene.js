// The timeline as a whole: what is shown and selected, and when it is drawn.

const gutter = 132; // for the names of lanes, in pixels
const none = -1;

class scene {
  constructor(run, colors) {
    this.run = run;
    this.colors = colors;
    this.tracks = make_tracks(run);
    for (const lane of this.tracks.of_lane)
      for (const track of lane) track.summary = new summary(run, this.tracks.order, track);
    this.rows = new row_table(run, this.tracks);
    this.marks = new mark_table(run, this.tracks);
    this.painter = new row_painter(run, this.tracks.order, colors);
    this.view = new time_view(run.end_ns, () => this.wish_draw());
    this.selected = none;
    this.range = null;
    this.shows_messages = false;
    this.marks_version = 0;
    this.last_frame_ms = 0;
    this.listeners = { draw: [], selection: [], range: [], marks: [], rows: [] };

    this.canvases = Object.fromEntries(["overview", "parallelism", "axis", "lanes"].map(id => [id, new sharp_canvas(by_id(id))]));
    this.scroller = by_id("lanes_scroll");
    this.scroller.addEventListener("scroll", () => this.wish_draw());
    new ResizeObserver(() => this.follow_size()).observe(this.scroller);
    this.place_rows();
    this.view.show_all();
  }

  on(what, listener) { this.listeners[what].push(listener); }
  tell(what) { for (const listener of this.listeners[what]) listener(); }

  width() { return Math.max(1, by_id("lanes_scroll").clientWidth - gutter); }
  x_of(moment) { return gutter + (moment - this.view.from) / this.view.length() * this.width(); }
  moment_at(x) { return this.view.from + (x - gutter) / this.width() * this.view.length(); }

  place_rows() {
    by_id("lanes_height").style.height = `max(100%, ${this.rows.height}px)`;
    this.tell("rows");
    this.wish_draw();
  }

  follow_size() {
    if (this.scroller.clientHeight > 0 && this.rows.set_room(this.scroller.clientHeight)) this.place_rows();
    this.wish_draw();
  }

  wish_draw() {
    if (this.is_wished) return;
    this.is_wished = true;
    requestAnimationFrame(() => {
      if (this.is_wished) this.draw();
    });
  }

  draw() {
    this.is_wished = false;
    if (by_id("timeline").hidden || this.scroller.clientWidth === 0) return;
    const begin = performance.now();
    draw_overview(this);
    draw_parallelism(this);
    draw_axis(this);
    draw_lanes(this);
    this.last_frame_ms = performance.now() - begin;
    by_id("view_text").textContent = `${format_ns(this.view.length())} shown`;
    this.tell("draw");
  }

  select(span) {
    this.selected = span;
    this.tell("selection");
    this.wish_draw();
  }

  // Selects a span and brings it to the middle.
  go_to(span) {
    const { begin, length, depth } = this.run.spans;
    const lane = this.run.lane_of_span(span);
    this.rows.open_lane(lane);
    this.place_rows();
    const box = this.rows.box(lane, depth[span]);
    const visible = this.scroller.clientHeight;
    if (box && (box.y < this.scroller.scrollTop + 20 || box.y + box.height > this.scroller.scrollTop + visible - 20))
      this.scroller.scrollTop = box.y - visible / 2;
    this.view.center(begin[span], begin[span] + length[span]);
    this.select(span);
  }

  select_range(range) {
    this.range = range;
    this.tell("range");
    this.wish_draw();
  }

  update_marks() {
    this.marks.update();
    ++this.marks_version;
    this.tell("marks");
    this.wish_draw();
  }

  filter_sites(sites) { // null: all
    this.marks.site = sites && sites.length ? new Set(sites) : null;
    this.update_marks();
  }

  set_critical(is_on) {
    this.marks.critical = is_on;
    this.update_marks();
  }

  set_messages(is_on) {
    this.shows_messages = is_on;
    this.tell("marks");
    this.wish_draw();
  }
}
