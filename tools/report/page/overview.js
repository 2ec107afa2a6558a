// The whole run in a strip, a line for each rank (or lane, if there is but one rank), and a frame around what is shown.

function overview_groups(scene) {
  const { ranks } = scene.rows;
  const groups = ranks.length > 1 ? ranks.map(rank => rank.lanes) : scene.run.lanes.map((_, index) => [index]);
  return groups.map(lanes => busy_lanes(scene.run, lanes));
}

// Lanes of workers, if there are any: a thread that only waits says nothing about how busy a rank is.
function busy_lanes(run, lanes) {
  const workers = lanes.filter(lane => run.lanes[lane].kind === "worker");
  return workers.length ? workers : lanes;
}

function overview_image(scene, width) {
  const groups = overview_groups(scene);
  const marks = scene.marks.is_marked;
  const key = `${width} ${scene.colors.is_dark} ${scene.marks_version}`;
  if (scene.overview_cache?.key === key) return scene.overview_cache.image;
  const image = new OffscreenCanvas(width, Math.max(1, groups.length));
  const pen = image.getContext("2d");
  const pixels = pen.createImageData(image.width, image.height);
  const painter = new row_painter(scene.run, scene.tracks.order, scene.colors);
  painter.resize(width);
  painter.begin({ from: 0, to: scene.run.end_ns }, { is_marked: marks }, () => {}, Infinity);
  groups.forEach((lanes, line) => {
    painter.clear();
    painter.blur = lanes.length > 1 ? 2.5 : 1;
    for (const lane of lanes) if (scene.tracks.of_lane[lane][0]) painter.add_track(scene.tracks.of_lane[lane][0]);
    painter.finish(pixels, line, lanes.length);
  });
  pen.putImageData(pixels, 0, 0);
  scene.overview_cache = { key, image };
  return image;
}

function draw_overview(scene) {
  const canvas = scene.canvases.overview;
  const pen = canvas.begin();
  const width = scene.width(), top = 3, height = canvas.height - 6;
  const image = overview_image(scene, Math.round(width));
  pen.fillStyle = scene.colors.page("track");
  pen.fillRect(gutter, top, width, height);
  pen.imageSmoothingEnabled = image.height > height;
  pen.drawImage(image, gutter, top, width, height);
  const x_of = moment => gutter + Math.min(Math.max(moment / scene.run.end_ns, 0), 1) * width;
  const from = x_of(scene.view.from), to = Math.max(x_of(scene.view.to), x_of(scene.view.from) + 2);
  pen.fillStyle = scene.colors.page("shade");
  pen.fillRect(gutter, top, from - gutter, height);
  pen.fillRect(to, top, gutter + width - to, height);
  pen.strokeStyle = scene.colors.page("accent");
  pen.lineWidth = 1.5;
  pen.strokeRect(from, top - 1, to - from, height + 2);
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = scene.colors.page("quiet");
  pen.fillText(`whole run, ${format_ns(scene.run.end_ns)}`, 8, canvas.height / 2, gutter - 12);
}
