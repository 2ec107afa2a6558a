// The lanes: first all rows of pixels in one image, then what is to be read on them.

const least_label = 30; // pixels

function draw_lanes(scene) {
  const canvas = scene.canvases.lanes;
  const { clientWidth, clientHeight } = scene.scroller;
  canvas.element.style.width = `${clientWidth}px`;
  canvas.element.style.height = `${clientHeight}px`;
  const pen = canvas.begin(clientWidth, clientHeight);
  const top = scene.scroller.scrollTop;
  const rows = scene.rows.visible(top, top + clientHeight);

  draw_grid(scene, pen, clientHeight);
  const labels = draw_tracks(scene, canvas, rows, top);
  pen.save();
  pen.beginPath();
  pen.rect(gutter, 0, clientWidth - gutter, clientHeight);
  pen.clip();
  draw_labels(scene, pen, labels);
  draw_range(scene, pen, clientHeight);
  const said = draw_messages(scene, pen);
  draw_critical_path(scene, pen);
  draw_selection(scene, pen, top);
  draw_selected_messages(scene, pen);
  pen.restore();
  draw_names(scene, pen, rows, top);
  by_id("arrows_text").textContent = said;
}

function draw_grid(scene, pen, height) {
  pen.fillStyle = scene.colors.page("grid");
  for (const tick of scene.ticks) {
    const x = Math.round(scene.x_of(tick.moment));
    if (x >= gutter) pen.fillRect(x, 0, 1, height);
  }
}

// Returns the spans that have room for a name.
function draw_tracks(scene, canvas, rows, top) {
  const { painter, tracks, run } = scene;
  const ratio = canvas.ratio;
  const width = Math.max(1, Math.round(scene.width() * ratio));
  const strips = [];
  for (const row of rows) {
    if (row.kind === "rank") {
      if (row.rank.is_collapsed)
        strips.push({ tracks: busy_lanes(run, row.rank.lanes).map(lane => tracks.of_lane[lane][0]).filter(Boolean), y: row.y, height: row.height - 2 });
      continue;
    }
    for (const track of tracks.of_lane[row.lane].slice(0, most_depths)) {
      const box = scene.rows.box(row.lane, track.depth);
      strips.push({ tracks: [track], y: box.y, height: box.height - 1, has_labels: true, is_nested: track.depth > 0 });
    }
  }
  const labels = [];
  if (strips.length === 0) return labels;

  scene.row_image ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rows_pen = scene.row_image;
  if (rows_pen.canvas.width !== width || rows_pen.canvas.height < strips.length) {
    rows_pen.canvas.width = width;
    rows_pen.canvas.height = strips.length + 8;
    scene.row_pixels = rows_pen.createImageData(width, strips.length + 8);
  }
  painter.resize(width);
  let strip;
  painter.begin(scene.view, scene.marks, (span, x0, x1, is_marked) => {
    if (strip.has_labels) labels.push({ span, x0: x0 / ratio, x1: x1 / ratio, y: strip.y - top, height: strip.height, is_marked });
  }, least_label * ratio);
  strips.forEach((each, line) => {
    strip = each;
    painter.clear();
    painter.blur = strip.tracks.length > 1 ? 2.5 : 1;
    for (const track of strip.tracks) painter.add_track(track);
    painter.finish(scene.row_pixels, line, Math.max(1, strip.tracks.length));
  });
  rows_pen.putImageData(scene.row_pixels, 0, 0, 0, 0, width, strips.length);

  const pen = canvas.pen;
  pen.save();
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.fillStyle = scene.colors.page("track");
  const left = Math.round(gutter * ratio);
  strips.forEach((each, line) => {
    const y = Math.round((each.y - top) * ratio), height = Math.round(each.height * ratio);
    if (!each.is_nested) pen.fillRect(left, y, width, height);
    pen.drawImage(rows_pen.canvas, 0, line, width, 1, left, y, width, height);
  });
  pen.restore();
  return labels;
}

function draw_labels(scene, pen, labels) {
  const { site, detail } = scene.run.spans;
  pen.font = "11px system-ui, sans-serif";
  scene.label_maker ??= new label_maker(pen);
  const right = gutter + scene.width();
  for (const { span, x0, x1, y, height, is_marked } of labels) {
    const from = Math.max(gutter, gutter + x0) + 4;
    const to = Math.min(right, gutter + x1) - 4;
    if (to - from < least_label - 8) continue;
    const text = scene.label_maker.fit(site_name(scene.run.sites[site[span]]), scene.run.shapes[detail[span]] ?? "", to - from);
    if (text === "") continue;
    pen.globalAlpha = is_marked ? 1 : 0.6;
    pen.fillStyle = is_marked ? scene.colors.ink_of_site[site[span]] : scene.colors.page("quiet");
    pen.fillText(text, from, y + height / 2 + 0.5);
  }
  pen.globalAlpha = 1;
}

function draw_range(scene, pen, height) {
  if (!scene.range) return;
  const from = scene.x_of(scene.range.from), to = scene.x_of(scene.range.to);
  pen.fillStyle = scene.colors.page("range");
  pen.fillRect(from, 0, to - from, height);
  pen.fillStyle = scene.colors.page("accent");
  pen.fillRect(from, 0, 1, height);
  pen.fillRect(to - 1, 0, 1, height);
}

// The selected span, and the time that it was ready before.
function draw_selection(scene, pen, top) {
  if (scene.selected === none) return;
  const { begin, length, depth, delay } = scene.run.spans;
  const span = scene.selected;
  const box = scene.rows.box(scene.run.lane_of_span(span), depth[span]);
  if (!box) return;
  const clamp = x => Math.min(Math.max(x, gutter - 10), gutter + scene.width() + 10);
  const x0 = clamp(scene.x_of(begin[span])), x1 = clamp(scene.x_of(begin[span] + length[span]));
  const y = box.y - top;
  pen.strokeStyle = scene.colors.page("ink");
  if (delay[span] > 0) {
    const ready = clamp(scene.x_of(begin[span] - delay[span]));
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(ready, y + 3);
    pen.lineTo(ready, y + box.height - 4);
    pen.moveTo(ready, y + box.height / 2);
    pen.lineTo(x0, y + box.height / 2);
    pen.stroke();
  }
  pen.lineWidth = 2;
  pen.strokeRect(x0 - 1, y - 1, Math.max(4, x1 - x0 + 1), box.height + 1);
}

function draw_names(scene, pen, rows, top) {
  const { run, colors } = scene;
  pen.fillStyle = colors.page("page");
  pen.fillRect(0, 0, gutter - 1, scene.scroller.clientHeight);
  for (const row of rows) {
    const y = row.y - top;
    if (row.kind === "lane") {
      pen.font = "11px system-ui, sans-serif";
      pen.fillStyle = colors.page("quiet");
      pen.fillText(run.lanes[row.lane].label, scene.rows.has_rank_lines() ? 24 : 8, y + scene.rows.outer_height / 2, gutter - 28);
      continue;
    }
    pen.fillStyle = colors.page("ink");
    pen.beginPath();
    const middle = y + row.height / 2;
    if (row.rank.is_collapsed) {
      pen.moveTo(9, middle - 4); pen.lineTo(15, middle); pen.lineTo(9, middle + 4);
    } else {
      pen.moveTo(8, middle - 3); pen.lineTo(16, middle - 3); pen.lineTo(12, middle + 3);
    }
    pen.fill();
    pen.font = "600 11px system-ui, sans-serif";
    const name = `rank ${row.rank.rank}`;
    pen.fillText(name, 22, middle);
    const used = 22 + pen.measureText(name).width + 6;
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = colors.page("quiet");
    if (row.rank.host) pen.fillText(row.rank.host, used, middle, gutter - used - 6);
    if (!row.rank.is_collapsed) {
      pen.fillStyle = colors.page("line");
      pen.fillRect(gutter, Math.round(middle), scene.width(), 1);
    }
  }
}
