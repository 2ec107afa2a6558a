// Where lanes are, from top to bottom: below a line for each rank those of its lanes, unless the rank is collapsed.

const least_outer_height = 19;
const least_nested_height = 14;
const most_stretched = 1.7; // where there is room for more
const lane_gap = 3;
const rank_height = 22;
const most_depths = 8; // deeper ones are not drawn

class row_table {
  constructor(run, tracks) {
    this.run = run;
    this.tracks = tracks;
    this.room = 0;
    this.ranks = [];
    run.lanes.forEach((lane, index) => {
      if (this.ranks.at(-1)?.rank !== lane.rank) this.ranks.push({ rank: lane.rank, host: lane.host, lanes: [], is_collapsed: false });
      this.ranks.at(-1).lanes.push(index);
    });
    this.collapse_all(this.ranks.length > 8 && run.lanes.length > 40);
  }

  collapse_all(is_collapsed) {
    for (const rank of this.ranks) rank.is_collapsed = is_collapsed && this.has_rank_lines();
    this.place();
  }

  toggle(rank) {
    rank.is_collapsed = !rank.is_collapsed;
    this.place();
  }

  has_rank_lines() { return this.ranks.length > 1; }
  all_collapsed() { return this.has_rank_lines() && this.ranks.every(rank => rank.is_collapsed); }

  open_lane(lane) {
    const rank = this.ranks.find(rank => rank.lanes.includes(lane));
    if (rank?.is_collapsed) this.toggle(rank);
  }

  // The height that there is for all. False: nothing changes.
  set_room(height) {
    if (this.room === height) return false;
    this.room = height;
    this.place();
    return true;
  }

  place() {
    this.place_stretched(1);
    if (this.room > this.height) this.place_stretched(Math.min(most_stretched, this.room / this.height));
  }

  place_stretched(factor) {
    this.outer_height = Math.floor(least_outer_height * factor);
    this.nested_height = Math.floor(least_nested_height * factor);
    let y = 2;
    this.rows = [];
    this.row_of_lane = [];
    for (const rank of this.ranks) {
      let rank_row = null;
      if (this.has_rank_lines()) {
        rank_row = { kind: "rank", rank, y, height: rank_height };
        this.rows.push(rank_row);
        y += rank_height + 2;
      }
      for (const lane of rank.lanes) {
        if (rank.is_collapsed) {
          this.row_of_lane[lane] = rank_row;
          continue;
        }
        const depths = Math.min(most_depths, Math.max(1, this.tracks.of_lane[lane].length));
        const height = this.outer_height + (depths - 1) * this.nested_height;
        this.row_of_lane[lane] = { kind: "lane", lane, y, height };
        this.rows.push(this.row_of_lane[lane]);
        y += height + lane_gap;
      }
      if (!rank.is_collapsed) y += 4;
    }
    this.height = y + 2;
  }

  // Where a span of the lane is drawn.
  box(lane, depth) {
    const row = this.row_of_lane[lane];
    if (!row) return null;
    if (row.kind === "rank" || depth === 0) return { y: row.y, height: row.kind === "rank" ? row.height : this.outer_height };
    const d = Math.min(depth, most_depths - 1);
    return { y: row.y + this.outer_height + (d - 1) * this.nested_height, height: this.nested_height };
  }

  visible(top, bottom) { return this.rows.filter(row => row.y < bottom && row.y + row.height > top); }
  at(y) { return this.rows.find(row => y >= row.y && y < row.y + row.height + lane_gap) ?? null; }

  depth_at(row, y) {
    const below = y - row.y - this.outer_height;
    return below < 0 ? 0 : 1 + Math.floor(below / this.nested_height);
  }
}
