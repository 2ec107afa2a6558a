// Messages as arrows, and the way of the critical path from span to span.

const most_arrows = 300;

function arrow(pen, x0, y0, x1, y1) {
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  const angle = Math.atan2(y1 - y0, x1 - x0);
  for (const turn of [2.7, -2.7]) {
    pen.moveTo(x1, y1);
    pen.lineTo(x1 + 6 * Math.cos(angle + turn), y1 + 6 * Math.sin(angle + turn));
  }
}

class arrow_maker {
  constructor(scene) {
    this.scene = scene;
    this.top = scene.scroller.scrollTop;
    this.height = scene.scroller.clientHeight;
  }

  middle(lane, span) {
    const depth = span < this.scene.run.count ? this.scene.run.spans.depth[span] : 0;
    const box = this.scene.rows.box(lane, depth);
    return box ? box.y + box.height / 2 - this.top : null;
  }

  is_seen(y0, y1) { return Math.max(y0, y1) > 0 && Math.min(y0, y1) < this.height; }

  // Returns false if an end of it is not known, or it would not be seen.
  add_message(pen, message) {
    const { from_lane, to_lane, posted, arrived, from_span, to_span } = this.scene.run.messages;
    const y0 = this.middle(from_lane[message], from_span[message]);
    const y1 = this.middle(to_lane[message], to_span[message]);
    if (y0 === null || y1 === null || !this.is_seen(y0, y1)) return false;
    const x0 = this.scene.x_of(posted[message]), x1 = this.scene.x_of(arrived[message]);
    if (Number.isNaN(x1) || x1 < gutter || x0 > gutter + this.scene.width()) return false;
    arrow(pen, x0, y0, x1, y1);
    return true;
  }
}

// The range of messages that has all in it which are under way in the view, and how many these are.
function messages_in_view(scene) {
  const { posted, arrived } = scene.run.messages;
  const first_after = moment => {
    let low = 0, high = posted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (posted[middle] < moment) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  scene.longest_message ??= scene.run.messages.arrived.reduce((longest, at, i) => at - posted[i] > longest ? at - posted[i] : longest, 0);
  const first = first_after(scene.view.from - scene.longest_message), end = first_after(scene.view.to);
  let count = 0; // one that is under way for long makes the range longer than what is in view
  for (let i = first; i < end; ++i) count += arrived[i] >= scene.view.from ? 1 : 0;
  return { first, end, count };
}

function draw_messages(scene, pen) {
  if (!scene.shows_messages) return "";
  const maker = new arrow_maker(scene);
  const { first, end, count } = messages_in_view(scene);
  const each = 2 ** Math.max(0, Math.ceil(Math.log2(count / most_arrows)));
  pen.strokeStyle = scene.colors.page("message");
  pen.lineWidth = 1;
  pen.beginPath();
  let drawn = 0;
  // The same messages at each position of the view, so that arrows don't come and go while it moves.
  for (let i = Math.ceil(first / each) * each; i < end; i += each) drawn += maker.add_message(pen, i) ? 1 : 0;
  pen.stroke();
  if (scene.run.messages.posted.length === 0) return "there are no messages";
  return each > 1 ? `one arrow for ${format_count(each)} messages` : plural(drawn, "message");
}

// Those of the selected span, always.
function draw_selected_messages(scene, pen) {
  if (scene.selected === none) return;
  const maker = new arrow_maker(scene);
  pen.strokeStyle = scene.colors.page("ink");
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const message of messages_of_span(scene.run, scene.selected).slice(0, most_arrows)) maker.add_message(pen, message.index);
  pen.stroke();
}

function messages_of_span(run, span) {
  run.messages_of ??= new Map();
  if (!run.messages_of.has(span)) {
    const { from_span, to_span } = run.messages;
    const found = [];
    for (let index = 0; index < from_span.length; ++index) {
      if (from_span[index] === span) found.push({ index, is_out: true });
      if (to_span[index] === span) found.push({ index, is_out: false });
    }
    run.messages_of.clear(); // the last one is asked for in each frame
    run.messages_of.set(span, found);
  }
  return run.messages_of.get(span);
}

const most_steps = 1500;

function draw_critical_path(scene, pen) {
  if (!scene.marks.critical) return;
  const { begin, length } = scene.run.spans;
  const path = scene.run.critical.span;
  const maker = new arrow_maker(scene);
  let first = 0, end = path.length;
  while (first < end) { // the first one that begins in the view; the one before leads into it
    const middle = (first + end) >> 1;
    if (begin[path[middle]] < scene.view.from) first = middle + 1;
    else end = middle;
  }
  pen.strokeStyle = scene.colors.page("critical");
  pen.lineWidth = 1.5;
  pen.beginPath();
  first = Math.max(1, first);
  for (let i = first; i < path.length && begin[path[i - 1]] <= scene.view.to; ++i) {
    if (i - first > most_steps) return; // from afar the spans say it better
    const [a, b] = [path[i - 1], path[i]];
    if (a >= scene.run.count || b >= scene.run.count) continue;
    const y0 = maker.middle(scene.run.lane_of_span(a), a), y1 = maker.middle(scene.run.lane_of_span(b), b);
    if (y0 === null || y1 === null || y0 === y1 || !maker.is_seen(y0, y1)) continue;
    pen.moveTo(scene.x_of(begin[a] + length[a]), y0);
    pen.lineTo(scene.x_of(begin[b]), y1);
  }
  pen.stroke();
}
