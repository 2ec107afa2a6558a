// Names within spans, shortened until they fit.

class label_maker {
  constructor(pen) {
    this.pen = pen;
    this.widths = new Map();
    this.fitted = new Map();
  }

  width(text) {
    let width = this.widths.get(text);
    if (width === undefined) {
      width = this.pen.measureText(text).width;
      this.widths.set(text, width);
    }
    return width;
  }

  // "" if nothing fits. Widths in steps of 8 pixels, so that what has been found once serves many spans.
  fit(name, details, width) {
    const room = Math.floor(width / 8) * 8;
    const key = `${room}\n${name}\n${details}`;
    let text = this.fitted.get(key);
    if (text === undefined) {
      text = this.shorten(name, details, room);
      if (this.fitted.size > 20000) this.fitted.clear();
      this.fitted.set(key, text);
    }
    return text;
  }

  shorten(name, details, room) {
    const last = name.split("::").at(-1);
    for (const text of [name + details, last + details, last]) if (this.width(text) <= room) return text;
    let kept = last;
    while (kept.length > 2 && this.width(kept + "\u2026") > room) kept = kept.slice(0, -1);
    return kept.length > 2 ? kept + "\u2026" : "";
  }
}
