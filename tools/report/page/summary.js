// What a million spans look like from afar: for 4 spans of a track, one behind the other, how long they are together, and
// the site that has the largest part; the same for 16, 64, ... A picture needs those whose extent is a pixel.

const spans_of_block = 4;
const blocks_of_next = 4;

class summary {
  // `is_marked`: only those spans count for which it is not 0.
  constructor(run, order, track, is_marked = null) {
    this.levels = [];
    const count = track.to - track.from;
    if (count <= spans_of_block) return;
    this.levels.push(summary.of_spans(run, order, track, is_marked));
    while (this.levels.at(-1).busy.length > blocks_of_next) this.levels.push(summary.of_blocks(this.levels.at(-1)));
  }

  static of_spans(run, order, track, is_marked) {
    const { begin, length, site } = run.spans;
    const level = summary.level(Math.ceil((track.to - track.from) / spans_of_block), spans_of_block);
    const time_of = summary.time_of_site(run.sites.length);
    for (let block = 0, at = track.from; block < level.busy.length; ++block) {
      const end = Math.min(track.to, at + spans_of_block), first = at;
      level.begin[block] = begin[order[first]];
      level.end[block] = begin[order[end - 1]] + length[order[end - 1]];
      let most = 0, busy = 0;
      for (; at < end; ++at) {
        const span = order[at];
        if (is_marked !== null && is_marked[span] === 0) continue;
        busy += length[span];
        const time = (time_of[site[span]] += Math.max(length[span], 1e-3));
        if (time > most) {
          most = time;
          level.site[block] = site[span];
        }
      }
      level.busy[block] = busy;
      level.most[block] = most;
      for (let i = first; i < end; ++i) time_of[site[order[i]]] = 0;
    }
    return level;
  }

  // The larger one of the largest parts: not exact, and not seen.
  static of_blocks(finer) {
    const level = summary.level(Math.ceil(finer.busy.length / blocks_of_next), finer.size * blocks_of_next);
    for (let i = 0; i < finer.busy.length; ++i) {
      const block = Math.floor(i / blocks_of_next);
      if (i % blocks_of_next === 0) level.begin[block] = finer.begin[i];
      level.end[block] = finer.end[i];
      level.busy[block] += finer.busy[i];
      if (finer.most[i] > level.most[block]) {
        level.most[block] = finer.most[i];
        level.site[block] = finer.site[i];
      }
    }
    return level;
  }

  static level(blocks, size) {
    return { size, begin: new Float64Array(blocks), end: new Float64Array(blocks), busy: new Float32Array(blocks), most: new Float32Array(blocks), site: new Int32Array(blocks).fill(-1) };
  }

  static time_of_site(sites) {
    if (summary.scratch?.length !== sites) summary.scratch = new Float64Array(sites);
    return summary.scratch;
  }
}
