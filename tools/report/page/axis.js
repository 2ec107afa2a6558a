// The axis of time. Where digits would become too many, it counts from a moment that it names.

function nice_step(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= least) return factor * power;
  return 10 * power;
}

// Moments of ticks, and how they are called.
function axis_ticks(view, width) {
  const step = Math.max(1, nice_step(view.length() / Math.max(1, width / 110)));
  const first = Math.ceil(view.from / step) * step;
  const farthest = Math.max(Math.abs(view.from), Math.abs(view.to));
  const is_far = farthest / step > 2000;
  const base = is_far ? first : 0;
  const [unit, name] = unit_for(is_far ? step : farthest);
  const digits = digits_for(step, unit);
  const ticks = [];
  for (let i = 0; first + i * step <= view.to; ++i) {
    const moment = first + i * step;
    const number = ((moment - base) / unit).toFixed(digits);
    ticks.push({ moment, text: moment === 0 ? "0" : `${is_far ? "+" : ""}${number} ${name}` });
  }
  return { ticks, base: is_far ? base_text(base, step) : null };
}

function base_text(moment, step) {
  const [unit, name] = moment_unit;
  return `${(moment / unit).toFixed(digits_for(step, unit))} ${name} +`;
}

const unit_for = ns => time_units.find(([size]) => size <= ns * 1.0001) ?? time_units[3];
const digits_for = (step, unit) => Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9));

function draw_axis(scene) {
  const canvas = scene.canvases.axis;
  const pen = canvas.begin();
  const { ticks, base } = axis_ticks(scene.view, scene.width());
  scene.ticks = ticks;
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = scene.colors.page("quiet");
  if (base !== null) pen.fillText(base, 8, canvas.height / 2, gutter - 10);
  pen.strokeStyle = scene.colors.page("line");
  pen.textAlign = "center";
  for (const tick of ticks) {
    const x = Math.round(scene.x_of(tick.moment)) + 0.5;
    if (x < gutter || x > gutter + scene.width()) continue;
    pen.beginPath();
    pen.moveTo(x, canvas.height - 4);
    pen.lineTo(x, canvas.height);
    pen.stroke();
    const half = pen.measureText(tick.text).width / 2;
    if (x - half > gutter - 6 && x + half < gutter + scene.width()) pen.fillText(tick.text, x, canvas.height / 2 - 1);
  }
}
