// Numbers as a reader wants them: three digits that count, and a unit.

function three_digits(value) {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(2);
}

const time_units = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];

function format_ns(ns) {
  if (ns === null || ns === undefined || !Number.isFinite(ns)) return "not known";
  const size = Math.abs(ns);
  if (size === 0) return "0 s";
  for (const [unit, name] of time_units)
    if (size >= unit * 0.9995) return `${three_digits(ns / unit)} ${name}`;
  return size < 0.01 ? "0 ns" : `${three_digits(ns)} ns`;
}

const format_seconds = seconds =>
  seconds === null || seconds === undefined ? "not known" : format_ns(seconds * 1e9);

// A moment of the run, to the nanosecond. Moments are compared, so all of a run have the same unit.
let moment_unit = time_units[0];

function choose_moment_unit(end_ns) {
  moment_unit = time_units.find(([size]) => end_ns >= size) ?? time_units[3];
}

function format_moment(ns) {
  if (!Number.isFinite(ns)) return "not known";
  const [unit, name] = moment_unit;
  const digits = { s: 9, ms: 6, us: 3, ns: 0 }[name];
  const [before, after] = (Math.round(ns) / unit).toFixed(digits).split(".");
  return `${before}${after ? "." + after.replace(/(\d{3})(?=\d)/g, "$1\u202f") : ""} ${name}`;
}

function format_share(share) {
  if (share === null || share === undefined || !Number.isFinite(share)) return "";
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${percent >= 10 ? percent.toFixed(0) : percent.toFixed(1)} %`;
}

const format_count = count =>
  Number.isFinite(count) ? Math.round(count).toLocaleString("en").replace(/,/g, "\u202f") : "not known";

function format_bytes(bytes) {
  for (const [unit, name] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]])
    if (bytes >= unit) return `${three_digits(bytes / unit)} ${name}`;
  return `${bytes} B`;
}

const plural = (count, word) => `${format_count(count)} ${word}${count === 1 ? "" : "s"}`;
