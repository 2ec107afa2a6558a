// Which part of the time is shown, in nanoseconds since the begin of the run.

const least_shown = 10;

class time_view {
  constructor(end, changed) {
    this.end = end;
    this.changed = changed;
    this.from = 0;
    this.to = end;
  }

  length() { return this.to - this.from; }

  // A little is shown before the begin and after the end, else their spans touch the borders.
  show(from, to) {
    const margin = this.end * 0.01;
    let length = Math.min(Math.max(to - from, least_shown), this.end + 2 * margin);
    if (!Number.isFinite(from) || !Number.isFinite(length)) return;
    from -= (length - (to - from)) / 2;
    from = Math.min(Math.max(from, -margin), this.end + margin - length);
    this.from = from;
    this.to = from + length;
    this.changed();
  }

  show_all() { this.show(-this.end * 0.01, this.end * 1.01); }

  // The moment stays where it is on the screen.
  zoom(factor, moment = (this.from + this.to) / 2) {
    const length = Math.min(Math.max(this.length() * factor, least_shown), this.end * 1.02);
    const part = (moment - this.from) / this.length();
    this.show(moment - part * length, moment + (1 - part) * length);
  }

  move(share) {
    const by = share * this.length();
    this.show(this.from + by, this.to + by);
  }

  // A span with something around it. One that can be seen well is not zoomed to.
  center(begin, end) {
    const wanted = Math.min(Math.max(this.length(), (end - begin) * 1.2), (end - begin) * 40 + least_shown);
    const middle = (begin + end) / 2;
    this.show(middle - wanted / 2, middle + wanted / 2);
  }
}
