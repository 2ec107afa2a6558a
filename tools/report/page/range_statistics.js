// What has run in a range of time: for each name how many spans begin or go on in it, and how long they are there.

function range_statistics(scene, range) {
  const { run, tracks } = scene;
  const { begin, length, site } = run.spans;
  const counts = new Map();
  for (const lane of tracks.of_lane)
    for (const track of lane) {
      const end = position_after(run, tracks.order, track, range.to);
      for (let at = Math.max(track.from, position_after(run, tracks.order, track, range.from) - 1); at < end; ++at) {
        const span = tracks.order[at];
        const inside = Math.min(range.to, begin[span] + length[span]) - Math.max(range.from, begin[span]);
        if (inside <= 0) continue;
        const of_site = run.sites[site[span]];
        const name = site_name(of_site);
        let entry = counts.get(name);
        if (!entry) counts.set(name, entry = { name, site: site[span], is_task: is_task(of_site), count: 0, time: 0, longest: 0 });
        ++entry.count;
        entry.time += inside;
        entry.longest = Math.max(entry.longest, length[span]);
      }
    }
  return [...counts.values()].sort((a, b) => b.is_task - a.is_task || b.time - a.time);
}
