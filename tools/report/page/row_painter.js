// One row of pixels: what runs on a track in the time of each pixel. Rows are stretched to the height of the track.
//
// The cost is that of the pixels, not that of the spans: from the coarsest blocks of a summary it goes down to finer ones only where a
// block is wider than a pixel, and to single spans where these can be seen.

class row_painter {
  constructor(run, order, colors) {
    this.run = run;
    this.order = order;
    this.colors = colors;
    this.resize(1);
  }

  resize(width) {
    if (this.width === width) return;
    this.width = width;
    this.all = row_painter.pixels(width);
    this.marked = row_painter.pixels(width);
  }

  static pixels(width) {
    return { covered: new Float32Array(width), most: new Float32Array(width), site: new Int32Array(width) };
  }

  // `blur`, 1 at first: so many pixels may be taken for one. It makes lines for several tracks cheaper.
  // `wide` is called with each span that is at least `wide_pixels` wide, and its begin and end in pixels.
  begin(view, marks, wide, wide_pixels) {
    this.blur = 1;
    this.from = view.from;
    this.per_ns = this.width / (view.to - view.from);
    this.is_marked = marks.is_marked;
    this.wide = wide;
    this.wide_pixels = wide_pixels;
  }

  clear() {
    for (const row of [this.all, this.marked]) {
      row.covered.fill(0);
      row.most.fill(0);
    }
  }

  add_track(track) {
    this.track = track;
    const levels = track.summary.levels;
    if (levels.length === 0) {
      for (let at = track.from; at < track.to; ++at) this.add_span(this.order[at]);
      return;
    }
    const top = levels.length - 1;
    for (let block = 0; block < levels[top].busy.length; ++block) this.add_block(top, block);
  }

  add_block(level, block) {
    const blocks = this.track.summary.levels[level];
    const x0 = (blocks.begin[block] - this.from) * this.per_ns;
    const x1 = (blocks.end[block] - this.from) * this.per_ns;
    if (x0 >= this.width || x1 < 0) return;
    if (x1 - x0 <= this.blur) {
      this.add_blurred(x0, x1, blocks, block, this.all);
      if (this.is_marked !== null) this.add_blurred(x0, x1, this.track.marked_summary.levels[level], block, this.marked);
    } else if (level === 0) {
      const first = this.track.from + block * blocks.size;
      const end = Math.min(this.track.to, first + blocks.size);
      for (let at = first; at < end; ++at) this.add_span(this.order[at]);
    } else {
      const end = Math.min((block + 1) * blocks_of_next, this.track.summary.levels[level - 1].busy.length);
      for (let finer = block * blocks_of_next; finer < end; ++finer) this.add_block(level - 1, finer);
    }
  }

  add_span(span) {
    const { begin, length, site } = this.run.spans;
    const x0 = (begin[span] - this.from) * this.per_ns;
    let x1 = x0 + length[span] * this.per_ns;
    if (x0 >= this.width || x1 < 0) return;
    const is_marked = this.is_marked !== null && this.is_marked[span] !== 0;
    if (x1 - x0 >= this.wide_pixels) this.wide(span, x0, x1, is_marked || this.is_marked === null);
    if (x1 - x0 >= 4) x1 -= 1; // else it can't be told from the next one
    this.add_range(x0, x1, site[span], this.all);
    if (is_marked) this.add_range(x0, x1, site[span], this.marked);
  }

  add_blurred(x0, x1, blocks, block, row) {
    const site = blocks.site[block];
    if (site < 0) return;
    const amount = blocks.busy[block] * this.per_ns;
    if (x1 - x0 <= 1) {
      this.add_point((x0 + x1) / 2, amount, site, row);
    } else {
      this.add_point(x0 + (x1 - x0) / 4, amount / 2, site, row);
      this.add_point(x1 - (x1 - x0) / 4, amount / 2, site, row);
    }
  }

  add_point(x, amount, site, row) {
    const pixel = x | 0;
    if (x < 0 || pixel >= this.width) return;
    row.covered[pixel] += amount;
    if (amount >= row.most[pixel]) {
      row.most[pixel] = amount;
      row.site[pixel] = site;
    }
  }

  add_range(x0, x1, site, row) {
    if (x1 - x0 < 1) {
      this.add_point((x0 + x1) / 2, Math.max(x1 - x0, 1e-6), site, row);
      return;
    }
    const first = Math.max(0, Math.floor(x0));
    const end = Math.min(this.width, Math.ceil(x1));
    for (let pixel = first; pixel < end; ++pixel) {
      const amount = Math.min(pixel + 1, x1) - Math.max(pixel, x0);
      row.covered[pixel] += amount;
      if (amount >= row.most[pixel]) {
        row.most[pixel] = amount;
        row.site[pixel] = site;
      }
    }
  }

  // Into a line of an image. `tracks`: how many were added; what is there of their time is the opacity. However short a span is, it is seen.
  finish(image, line, tracks = 1) {
    const pixels = image.data;
    const channel = this.colors.channels_of_site;
    const has_marks = this.is_marked !== null;
    for (let x = 0, to = line * image.width * 4; x < this.width; ++x, to += 4) {
      const is_marked = has_marks && this.marked.most[x] > 0;
      const row = is_marked ? this.marked : this.all;
      if (row.most[x] === 0) {
        pixels[to + 3] = 0;
        continue;
      }
      const site = row.site[x] * 3;
      pixels[to] = channel[site];
      pixels[to + 1] = channel[site + 1];
      pixels[to + 2] = channel[site + 2];
      const covered = Math.min(1, row.covered[x] / tracks);
      const strength = has_marks ? (is_marked ? 0.5 + 0.5 * covered : 0.04 + 0.1 * covered) : 0.22 + 0.78 * covered;
      pixels[to + 3] = 255 * strength;
    }
  }
}
