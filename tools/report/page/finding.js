// Finding spans by a part of their name, and going from one to the next.

// For each span whether it is meant. A text that no name contains may be of the details, too: "sweep, color 3".
function hits_of(run, text) {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return null;
  const { site, detail } = run.spans;
  const names = run.sites.map(each => site_name(each).toLowerCase());
  const of_site = names.map(name => name.includes(wanted));
  const by_name = of_site.includes(true);
  const known = new Map();
  const with_details = span => {
    const key = site[span] * run.shapes.length + detail[span];
    if (!known.has(key)) known.set(key, span_title(run, span).toLowerCase().includes(wanted));
    return known.get(key);
  };
  const is_hit = new Uint8Array(run.count);
  for (let i = 0; i < run.count; ++i) is_hit[i] = (by_name ? of_site[site[i]] : with_details(i)) ? 1 : 0;
  return is_hit;
}

class finder {
  constructor(scene) {
    this.scene = scene;
    this.count = 0;
    const field = by_id("find_text");
    field.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.find(field.value), 120);
    });
    by_id("find").addEventListener("submit", event => event.preventDefault());
    field.addEventListener("keydown", event => {
      if (event.key === "Enter") {
        clearTimeout(this.timer);
        if (this.text !== field.value) this.find(field.value);
        this.go(event.shiftKey ? -1 : 1);
      } else if (event.key === "Escape") {
        this.clear();
        field.blur();
      }
    });
    by_id("find_next").addEventListener("click", () => this.go(1));
    by_id("find_previous").addEventListener("click", () => this.go(-1));
    this.say("");
  }

  find(text) {
    this.text = text;
    if (by_id("find_text").value !== text) by_id("find_text").value = text;
    const is_hit = hits_of(this.scene.run, text);
    this.count = is_hit ? is_hit.reduce((sum, hit) => sum + hit, 0) : 0;
    this.scene.marks.is_hit = this.count ? is_hit : null;
    this.say(is_hit ? (this.count ? plural(this.count, "hit") : "nothing found") : "");
    this.scene.update_marks();
    return this.count;
  }

  clear() { this.find(""); }

  say(text) {
    by_id("find_count").textContent = text;
    for (const id of ["find_next", "find_previous"]) by_id(id).disabled = this.count === 0;
  }

  // The next hit in the order of time: behind the selected one if that is one, else behind the middle of what is shown.
  go(direction) {
    const { run, view, selected, marks } = this.scene;
    if (this.count === 0) return;
    const { begin } = run.spans;
    const from_selected = selected !== none && marks.is_hit[selected];
    const here = from_selected ? begin[selected] : view.from;
    const is_behind = (i, moment, span) => begin[i] > moment || (begin[i] === moment && i > span);
    let best = none, earlier = 0, first = none, last = none;
    for (let i = 0; i < run.count; ++i) {
      if (!marks.is_hit[i]) continue;
      if (first === none || begin[i] < begin[first]) first = i;
      if (last === none || begin[i] >= begin[last]) last = i;
      if (from_selected && i === selected) continue;
      const behind = is_behind(i, here, from_selected ? selected : none);
      if (behind !== direction > 0) continue;
      if (best === none || is_behind(best, begin[i], i) === direction > 0) best = i;
    }
    if (best === none) best = direction > 0 ? first : last;
    for (let i = 0; i < run.count; ++i)
      if (marks.is_hit[i] && is_behind(best, begin[i], i)) ++earlier;
    this.scene.go_to(best);
    this.say(`${format_count(earlier + 1)} of ${plural(this.count, "hit")}`);
  }
}
