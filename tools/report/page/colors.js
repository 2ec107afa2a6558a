// Colours: one for each name of a task, the same in each report as far as possible; greys for time in which nothing runs.
//
// Hues are Paul Tol's, which people with any kind of colour vision tell apart.

const hues = ["#4477aa", "#ee8866", "#228833", "#66ccee", "#aa3377", "#ccbb44", "#44bb99", "#ffaabb", "#999933", "#77aadd", "#cc6677", "#ddcc77"];

const grey_kinds = { slept: ["#d9dce0", "#353a41"], waited: ["#b3b8bf", "#5a616b"], pass: ["#c9d3df", "#3d4856"] };

const other_parts = { message: "#997700", launching: "#555c66", "waiting for a worker": "#8f97a1", "main thread": "#c2c8cf" };

function hash_of(text) { // FNV-1a
  let hash = 2166136261;
  for (let i = 0; i < text.length; ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
  return hash;
}

const channels = color => [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16));
const hex = numbers => "#" + numbers.map(n => Math.round(n).toString(16).padStart(2, "0")).join("");
const darker = (color, factor) => hex(channels(color).map(n => n * factor));

// Text in black or white, whichever is read better on the colour.
function ink_on(color) {
  const [r, g, b] = channels(color);
  return 0.299 * r + 0.587 * g + 0.114 * b > 135 ? "#111418" : "#ffffff";
}

class color_table {
  // Two names whose hashes meet are told apart: in the order of the alphabet the later one takes the next hue that is free.
  constructor(run) {
    this.sites = run.sites;
    this.of_name = new Map();
    const names = color_table.names_of(run);
    const taken = new Set();
    for (const name of names) {
      if (taken.size % hues.length === 0) taken.clear();
      let hue = hash_of(name) % hues.length;
      while (taken.has(hue)) hue = (hue + 1) % hues.length;
      taken.add(hue);
      const round = Math.floor(this.of_name.size / hues.length);
      this.of_name.set(name, darker(hues[hue], 0.75 ** (round % 3)));
    }
    this.use_theme();
  }

  static names_of(run) {
    const names = run.sites.filter(site => !(site.kind in grey_kinds)).map(site => site.name);
    for (const graph of run.graphs) for (const node of graph.nodes) names.push(node.name);
    for (const row of run.compared?.rows ?? []) names.push(row.name);
    return [...new Set(names)].sort();
  }

  use_theme() {
    this.is_dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    this.of_site = this.sites.map(site => grey_kinds[site.kind]?.[this.is_dark ? 1 : 0] ?? this.of_name.get(site.name));
    this.ink_of_site = this.of_site.map(ink_on);
    this.channels_of_site = new Uint8Array(this.of_site.flatMap(channels));
    const style = getComputedStyle(document.documentElement);
    this.page = name => style.getPropertyValue(`--${name}`).trim();
  }

  of_part(part) { return other_parts[part.kind] ?? this.named(part.what); }
  named(name) { return this.of_name.get(name) ?? "#8a919b"; }
}
