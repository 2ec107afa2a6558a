// How many tasks run at a time, above the lanes and on the same axis.

// For each pixel the mean of the steps in it.
function parallelism_in_pixels(run, view, pixels) {
  const { step_ns, tasks } = run.parallelism;
  const values = new Float32Array(pixels);
  if (!sums_of_parallelism.has(run)) {
    const sums = new Float64Array(tasks.length + 1);
    for (let i = 0; i < tasks.length; ++i) sums[i + 1] = sums[i] + tasks[i];
    sums_of_parallelism.set(run, sums);
  }
  const sums = sums_of_parallelism.get(run);
  const total_until = moment => {
    const at = Math.min(Math.max(moment / step_ns, 0), tasks.length);
    const whole = Math.floor(at);
    return sums[whole] + (whole < tasks.length ? (at - whole) * tasks[whole] : 0);
  };
  const per_pixel = view.length() / pixels;
  let before = total_until(view.from);
  for (let x = 0; x < pixels; ++x) {
    const until = total_until(view.from + (x + 1) * per_pixel);
    values[x] = (until - before) / (per_pixel / step_ns);
    before = until;
  }
  return values;
}

const sums_of_parallelism = new WeakMap();

function most_parallel(run) {
  run.most_parallel ??= Math.max(1, run.workers, run.parallelism.tasks.reduce((a, b) => Math.max(a, b), 0));
  return run.most_parallel;
}

function fill_parallelism(pen, values, left, bottom, height, most) {
  pen.beginPath();
  pen.moveTo(left, bottom);
  for (let x = 0; x < values.length; ++x) {
    const y = bottom - Math.min(1, values[x] / most) * height;
    pen.lineTo(left + x, y);
    pen.lineTo(left + x + 1, y);
  }
  pen.lineTo(left + values.length, bottom);
  pen.fill();
}

function draw_parallelism(scene) {
  const canvas = scene.canvases.parallelism;
  const pen = canvas.begin();
  const bottom = canvas.height - 1, top = 4;
  const most = most_parallel(scene.run);
  pen.fillStyle = scene.colors.page("parallelism");
  if (scene.run.parallelism.tasks.length)
    fill_parallelism(pen, parallelism_in_pixels(scene.run, scene.view, Math.round(scene.width())), gutter, bottom, bottom - top, most);
  pen.strokeStyle = scene.colors.page("line");
  pen.setLineDash([3, 3]);
  pen.strokeRect(gutter, top + 0.5, scene.width(), 0);
  pen.setLineDash([]);
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = scene.colors.page("quiet");
  pen.fillText("tasks running", 8, canvas.height / 2 + 1);
  pen.textAlign = "right";
  pen.fillText(three_digits(most).replace(/\.?0+$/, ""), gutter - 6, top + 6);
  pen.fillText("0", gutter - 6, bottom - 5);
}
