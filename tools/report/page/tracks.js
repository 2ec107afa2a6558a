// A track: spans of one lane and of one depth. They lie one behind the other, so each is found by bisection.

// For each lane its tracks, the outermost first. Spans of track t are order[t.from], ..., order[t.to - 1], in the order of time.
function make_tracks(run) {
  const { depth } = run.spans;
  const order = new Uint32Array(run.count);
  const of_lane = run.lanes.map((lane, index) => {
    const counts = [];
    for (let i = lane.first; i < lane.first + lane.count; ++i) counts[depth[i]] = (counts[depth[i]] ?? 0) + 1;
    const tracks = [];
    let from = lane.first;
    for (let d = 0; d < counts.length; ++d) {
      tracks.push({ lane: index, depth: d, from, to: from });
      from += counts[d] ?? 0;
    }
    for (let i = lane.first; i < lane.first + lane.count; ++i) order[tracks[depth[i]].to++] = i;
    return tracks;
  });
  return { order, of_lane };
}

// The first position of a track whose span begins after the moment.
function position_after(run, order, track, moment) {
  const { begin } = run.spans;
  let low = track.from, high = track.to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (begin[order[middle]] > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The span at the moment, or one that is no further away than `near`; -1: there is none.
function span_at(run, order, track, moment, near) {
  const { begin, length } = run.spans;
  const after = position_after(run, order, track, moment);
  let best = -1, distance = near;
  for (const position of [after - 1, after]) {
    if (position < track.from || position >= track.to) continue;
    const span = order[position];
    const away = Math.max(0, begin[span] - moment, moment - begin[span] - length[span]);
    if (away <= distance) {
      best = span;
      distance = away;
    }
  }
  return best;
}
