// Which spans are shown as usual while others are dimmed: those of a name, of a site, of the critical path; of several
// wishes only those that meet all.

class mark_table {
  constructor(run, tracks) {
    this.run = run;
    this.tracks = tracks;
    this.is_hit = null;      // what is looked for, for each span
    this.site = null;        // what a table or the legend has chosen: a set of sites
    this.critical = false;
    this.is_marked = null;   // null: nothing is dimmed
  }

  critical_spans() {
    if (!this.on_path) {
      this.on_path = new Uint8Array(this.run.count);
      for (const span of this.run.critical.span) if (span < this.run.count) this.on_path[span] = 1;
    }
    return this.on_path;
  }

  update() {
    const { site } = this.run.spans;
    if (!this.is_hit && !this.site && !this.critical) {
      this.is_marked = null;
      return;
    }
    const of_site = new Uint8Array(this.run.sites.length).fill(this.site ? 0 : 1);
    if (this.site) for (const chosen of this.site) of_site[chosen] = 1;
    const on_path = this.critical ? this.critical_spans() : null;
    this.is_marked ??= new Uint8Array(this.run.count);
    for (let i = 0; i < this.run.count; ++i)
      this.is_marked[i] = of_site[site[i]] && (!this.is_hit || this.is_hit[i]) && (!on_path || on_path[i]) ? 1 : 0;
    for (const lane of this.tracks.of_lane)
      for (const track of lane) track.marked_summary = new summary(this.run, this.tracks.order, track, this.is_marked);
  }
}
