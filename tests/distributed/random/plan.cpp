#include "plan.hpp"

#include <algorithm>

namespace random_programs {

namespace {

constexpr std::int64_t most_points = 160;
constexpr std::int64_t most_colors = 30;
constexpr bool has_hdf5 = RONDO_HAS_HDF5;

/// With more colors at the side of a rank than a launch has accesses.
mesh_plan wide_mesh(dice& d, std::size_t dimensions) {
  mesh_plan m;
  m.diagonals = d.one_in(2);
  std::int64_t longest = 0;
  for(std::size_t a = 0; a + 1 != dimensions; ++a) {
    m.colors[a] = dimensions == 2 ? 9 + d.below(4) : 3 + d.below(2);
    m.extents[a] = m.colors[a] + d.below(2);
    longest = std::max(longest, m.extents[a]);
    m.periodic[a] = d.one_in(3);
  }
  m.colors[dimensions - 1] = 2 + d.below(2);
  m.extents[dimensions - 1] = longest + d.below(3);
  m.periodic[dimensions - 1] = d.one_in(3);
  return m;
}

mesh_plan any_mesh(dice& d, std::size_t dimensions) {
  if(dimensions > 1 && d.one_in(8))
    return wide_mesh(d, dimensions);
  mesh_plan m;
  m.diagonals = d.one_in(2);
  m.halo = 1 + d.below(2);
  if(d.one_in(20))
    m.halo = 0;
  std::int64_t points = most_points;
  std::int64_t colors = most_colors;
  const unsigned first = d.below(static_cast<unsigned>(dimensions));
  for(std::size_t i = 0; i != dimensions; ++i) {
    const std::size_t a = (first + i) % dimensions;
    const bool is_last = i + 1 == dimensions;
    const std::int64_t most = is_last ? points : std::max<std::int64_t>(points / 4, 1);
    m.extents[a] = 1 + d.below(static_cast<unsigned>(std::min<std::int64_t>(most, 60)));
    m.periodic[a] = d.one_in(3);
    m.colors[a] =
      1 + d.below(static_cast<unsigned>(std::min(m.extents[a], std::max<std::int64_t>(colors, 1))));
    if(d.one_in(3))
      m.colors[a] = 1;
    if(m.periodic[a] || m.colors[a] > 1) {
      if(m.extents[a] < m.halo)
        m.periodic[a] = false, m.colors[a] = 1;
      else if(m.halo != 0)
        m.colors[a] = std::min(m.colors[a], m.extents[a] / m.halo);
    }
    points /= m.extents[a];
    colors /= m.colors[a];
  }
  return m;
}

mesh_plan random_mesh(dice& d, std::size_t dimensions) {
  mesh_plan m = any_mesh(d, dimensions);
  if(d.one_in(2))
    m.beyond = 1 + d.below(2);
  m.halo_of_numbers =
    d.one_in(2) ? m.halo : std::int64_t{d.below(static_cast<unsigned>(m.halo) + 1)};
  if(d.one_in(2))
    m.stages = 2 + d.below(8);
  return m;
}

/// Of every second or third point along some axes; `m` itself if it has no fewer then.
mesh_plan coarsened(dice& d, const mesh_plan& m, unsigned number, std::size_t dimensions) {
  mesh_plan coarse = m;
  bool has_fewer = false;
  for(std::size_t a = 0; a != dimensions; ++a) {
    coarse.by[a] = 1 + d.below(3);
    while(m.periodic[a] && m.extents[a] % coarse.by[a] != 0)
      --coarse.by[a];
    coarse.extents[a] = (m.extents[a] + coarse.by[a] - 1) / coarse.by[a];
    has_fewer = has_fewer || coarse.extents[a] < m.extents[a];
  }
  coarse.finer = number;
  coarse.cells = mesh_plan::nobody;
  return has_fewer ? coarse : m;
}

/// Faces, edges or corners.
mesh_plan staggered(dice& d, const mesh_plan& m, unsigned number, std::size_t dimensions) {
  mesh_plan other = m;
  other.finer = mesh_plan::nobody;
  other.cells = number;
  const unsigned which = 1 + d.below((1U << dimensions) - 1);
  for(std::size_t a = 0; a != dimensions; ++a)
    other.between[a] = (which >> a & 1U) != 0;
  return other;
}

tiling random_tiling(dice& d) {
  tiling t;
  t.dimension = 2 + d.below(2);
  for(std::size_t a = 0; a != t.dimension; ++a)
    t.extents[a] = 1 + d.below(t.dimension == 2 ? 8 : 3);
  t.holes = d.one_in(3) ? 0 : d.next();
  t.layers = 1 + d.below(2);
  t.over_faces = d.one_in(3);
  const auto most = std::min<std::uint64_t>(piece_of(t, 0, 1).cells(), 12);
  t.colors = 1 + d.below(static_cast<unsigned>(most));
  t.cut = d.one_in(2) ? 0 : d.next();
  return t;
}

class generator {
public:
  generator(std::uint64_t seed, bool may_have_files) : dice_(seed) {
    plan_.seed = seed;
    plan_.has_files = dice_.one_in(8) && may_have_files;
    plan_.has_files_of_tiles = plan_.has_files && has_hdf5;
    plan_.is_in_hdf5 = has_hdf5 && mix(seed, 103) % 4 == 0;
  }

  plan make() {
    plan_.dimensions = 1 + dice_.below(3);
    if(dice_.one_in(3))
      plan_.window = 2 + dice_.below(60);
    plan_.finds_repeats = !dice_.one_in(4);
    stays_together_ = dice_.one_in(2);
    const unsigned stages = dice_.one_in(4) ? 2 : 1;
    for(unsigned i = 0; i != stages; ++i)
      add_stage();
    return plan_;
  }

private:
  void add_stage() {
    stage s;
    const unsigned meshes = dice_.one_in(4) ? 2 : 1;
    for(unsigned i = 0; i != meshes; ++i) {
      s.meshes.push_back(random_mesh(dice_, plan_.dimensions));
      const std::uint64_t colors = s.meshes.back().count();
      plan_.fewest_colors =
        plan_.stages.empty() && i == 0 ? colors : std::min(plan_.fewest_colors, colors);
    }
    is_coarse_.assign(meshes, false);
    if(dice_.one_in(2)) // levels
      for(unsigned i = 0, n = 1 + dice_.below(3); i != n; ++i) {
        const unsigned finer = static_cast<unsigned>(s.meshes.size()) - 1;
        const mesh_plan m = coarsened(dice_, s.meshes.back(), finer, plan_.dimensions);
        if(m.finer != finer)
          break;
        s.meshes.push_back(m);
        is_coarse_.push_back(true);
      }
    if(dice_.one_in(2))
      for(unsigned i = 0, n = 1 + dice_.below(3); i != n; ++i) {
        const unsigned of = dice_.below(static_cast<unsigned>(s.meshes.size()));
        s.meshes.push_back(staggered(dice_, s.meshes[of], of, plan_.dimensions));
        if(const mesh_plan last = s.meshes.back(); dice_.one_in(3)) {
          const auto number = static_cast<unsigned>(s.meshes.size()) - 1;
          const mesh_plan coarse = coarsened(dice_, last, number, plan_.dimensions);
          if(coarse.finer == number)
            s.meshes.push_back(coarse);
        }
      }
    is_coarse_.resize(
      s.meshes.size(), false); // some points of these may be others' than on the finer level
    is_staggered_.clear();
    for(const mesh_plan& m : s.meshes)
      is_staggered_.push_back(m.is_staggered());
    meshes_ = static_cast<unsigned>(s.meshes.size());
    if(dice_.one_in(3))
      s.tiles = random_tiling(dice_);
    has_tiles_ = s.tiles.has_value();
    // A program does the same few things, mostly, as real ones do.
    palette_.clear();
    if(!dice_.one_in(3))
      for(unsigned i = 0, n = 2 + dice_.below(4); i != n; ++i)
        palette_.push_back(any_deed());
    if(plan_.has_files && !palette_.empty())
      add_files_to_palette();
    if(plan_.has_files)
      s.blocks.push_back(filling_of_files());
    const unsigned blocks = 1 + dice_.below(6);
    for(unsigned i = 0; i != blocks; ++i)
      s.blocks.push_back(random_block());
    plan_.stages.push_back(std::move(s));
  }

  /// So that there are rows and walkers in files from the start.
  block filling_of_files() {
    block b;
    b.kind = block_kind::launches;
    for(unsigned m = 0; m != meshes_; ++m)
      for(const deed what : {deed::fill_rows, deed::fill_walkers, deed::save}) {
        op o;
        o.what = what;
        o.mesh = m;
        o.field = dice_.below(2);
        o.id = dice_.next();
        b.body.push_back(o);
      }
    b.inner_at = b.body.size();
    return b;
  }

  /// Something like it for which the colors of a rank may lie side by side.
  static deed in_place(deed d) {
    switch(d) {
    case deed::relax_hashes:
    case deed::scribble_hashes:
    case deed::scatter_hashes:
    case deed::rim_of_hashes:
      return deed::checker_hashes;
    case deed::relax_numbers:
    case deed::scatter_numbers:
      return deed::numbers_by_hashes;
    case deed::relax_triples:
    case deed::scribble_triples:
      return deed::triples_by_numbers;
    case deed::relax_beyond:
      return deed::fill_beyond;
    case deed::make_field:
      return deed::note;
    default:
      return d;
    }
  }

  /// Mostly, and what makes something that is worth a file.
  void add_files_to_palette() {
    const auto add = [this](const auto&... deeds) { (palette_.push_back(deeds), ...); };
    if(has_tiles_ && plan_.has_files_of_tiles && dice_.one_in(3))
      add(deed::save_tiles, deed::load_tiles, deed::fill_tiles, deed::append_tile_rows);
    else if(dice_.one_in(2))
      add(deed::save, deed::load, dice_.one_in(2) ? deed::append_rows : deed::rows_by_hashes,
        deed::fill_walkers, deed::walk);
  }

  [[nodiscard]] deed with_files_or_without(deed d) const {
    const bool is_of_tiles = d == deed::save_tiles || d == deed::load_tiles;
    if(is_of_tiles && has_tiles_)
      return plan_.has_files_of_tiles ? d : deed::relax_tile_rows;
    const bool saves = d == deed::save || d == deed::save_tiles;
    if(plan_.has_files)
      return saves ? deed::save : deed::load;
    return saves ? deed::note : deed::update_hashes;
  }

  deed any_deed() { return static_cast<deed>(dice_.below(static_cast<unsigned>(deed::count))); }

  op random_op(bool is_in_loop, bool is_in_repeat) {
    op o;
    o.what = palette_.empty() || dice_.one_in(5)
               ? any_deed()
               : palette_[dice_.below(static_cast<unsigned>(palette_.size()))];
    if(stays_together_)
      o.what = in_place(o.what);
    if(is_of_files(o.what))
      o.what = with_files_or_without(o.what);
    if(is_of_tiles(o.what) && !has_tiles_)
      o.what = is_reduction(o.what)      ? deed::sum
               : is_of_tile_rows(o.what) ? deed::append_rows
                                         : deed::hashes_by_hashes;
    if(o.what == deed::make_field && is_in_loop)
      o.what = deed::relax_hashes;
    if(o.what == deed::make_rows && is_in_loop)
      o.what = deed::relax_rows;
    o.mesh = dice_.below(meshes_);
    if(o.what == deed::restrict_hashes || o.what == deed::prolong_hashes)
      for(unsigned i = 0; i != meshes_ && !is_coarse_[o.mesh]; ++i)
        o.mesh = (o.mesh + 1) % meshes_;
    if((o.what == deed::restrict_hashes || o.what == deed::prolong_hashes) && !is_coarse_[o.mesh])
      o.what = deed::hashes_by_hashes;
    if(o.what == deed::hashes_between || o.what == deed::hashes_of_cells) {
      for(unsigned i = 0; i != meshes_ && !is_staggered_[o.mesh]; ++i)
        o.mesh = (o.mesh + 1) % meshes_;
      if(!is_staggered_[o.mesh])
        o.what = deed::hashes_by_hashes;
    }
    o.field = dice_.below(2);
    o.to = dice_.below(meshes_);
    o.id = dice_.next();
    if(is_in_loop && !is_in_repeat && dice_.one_in(6)) {
      o.every = 2 + dice_.below(3);
      o.rest = dice_.below(o.every);
    }
    if(is_in_loop && !is_in_repeat && dice_.one_in(6))
      o.from = 1 + dice_.below(8);
    if(!usable_.empty() && dice_.one_in(3))
      o.takes = usable_[dice_.below(static_cast<unsigned>(usable_.size()))];
    if(is_reduction(o.what) && o.every == 1 && o.from == 0)
      o.makes = plan_.values++;
    return o;
  }

  /// The only one of such a program that needs copies, mostly in passes that are launched in vain.
  op separating_op() {
    constexpr std::array deeds{deed::relax_hashes, deed::relax_numbers, deed::scribble_hashes,
      deed::scatter_hashes, deed::rim_of_hashes};
    op o;
    o.what = deeds[dice_.below(static_cast<unsigned>(deeds.size()))];
    o.mesh = dice_.below(meshes_);
    o.field = dice_.below(2);
    o.id = dice_.next();
    o.from = 1 + dice_.below(4);
    return o;
  }

  /// A reduction whose result says how it goes on.
  op deciding_op(block& b) {
    op o = random_op(false, false);
    o.what = static_cast<deed>(
      static_cast<unsigned>(deed::sum) +
      dice_.below(static_cast<unsigned>(deed::in_order) - static_cast<unsigned>(deed::sum) + 1));
    o.makes = b.stop = plan_.values++;
    b.stops_at_one_in = 1 + dice_.below(10);
    return o;
  }

  static constexpr unsigned most_depth = 2;

  /// In so many loops. `is_kept`: in the body of `repeat`, and nothing between makes that launch pass by pass.
  block random_block(unsigned depth = 0, bool is_kept = false) {
    block b;
    b.kind = static_cast<block_kind>(
      dice_.below(static_cast<unsigned>(depth == 0 ? block_kind::balance : block_kind::wait) + 1));
    const std::vector<unsigned> before = usable_;
    switch(b.kind) {
    case block_kind::wait:
      return b;
    case block_kind::balance:
      b.balanced = dice_.next() | 1U;
      return b;
    case block_kind::look:
      if(!usable_.empty())
        b.look_at = usable_[dice_.below(static_cast<unsigned>(usable_.size()))];
      return b;
    case block_kind::launches:
      break;
    case block_kind::when:
    case block_kind::either:
      b.condition = deciding_op(b);
      b.stops_at_one_in = 1 + dice_.below(3);
      break;
    default:
      b.passes = 1 + dice_.below(depth == 0 && dice_.one_in(4) ? 30 : 6 - 2 * depth);
      if(b.kind == block_kind::repeat && dice_.one_in(10))
        b.passes = 0;
    }
    if((b.kind == block_kind::loop || b.kind == block_kind::guards) && depth == 0 &&
       dice_.one_in(4))
      b.balanced = dice_.next() | 1U;
    const bool is_choice = b.kind == block_kind::when || b.kind == block_kind::either;
    const bool is_loop = b.kind != block_kind::launches && !is_choice;
    const bool is_repeat = b.kind == block_kind::repeat;
    const bool is_again_kept =
      is_repeat || (is_kept && (b.kind == block_kind::launches || b.kind == block_kind::loop));
    // Launches take what is made in the same pass of `repeat`, which are launched one by one for that.
    const bool opens = dice_.one_in(3);
    std::vector<unsigned> made;
    const unsigned launches = 1 + dice_.below(depth == 0 ? 8 : 4);
    b.inner_at = launches;
    if(b.kind != block_kind::launches && depth != most_depth && dice_.one_in(2)) {
      b.inner_at = dice_.below(launches + 1);
      if(b.passes > 6)
        b.passes = 6;
    }
    for(unsigned i = 0; i != launches; ++i) {
      if(i == b.inner_at)
        add_inner(b, depth, is_again_kept);
      op o = random_op(b.kind != block_kind::launches || depth != 0, is_again_kept || !is_loop);
      // A variable that goes from pass to pass.
      if(o.makes != op::nothing && depth == 0 && is_loop && b.kind != block_kind::iterate &&
         !before.empty() && dice_.one_in(4))
        o.makes = before[dice_.below(static_cast<unsigned>(before.size()))];
      if(o.makes != op::nothing) {
        made.push_back(o.makes);
        if(!is_again_kept || opens) // else it would be that of the last pass
          usable_.push_back(o.makes);
      }
      b.body.push_back(o);
    }
    if(b.kind == block_kind::iterate) {
      if(stays_together_ && dice_.one_in(2))
        b.body.push_back(separating_op());
      b.lag = dice_.one_in(3) ? 1 + dice_.below(3) : 0;
      b.is_traced = dice_.one_in(2);
      b.body.push_back(deciding_op(b));
      if(!is_kept && dice_.one_in(2)) {
        made.push_back(b.stop);
        b.leaves = made[dice_.below(static_cast<unsigned>(made.size()))];
        b.left = plan_.values++;
      }
    }
    if(b.kind == block_kind::either) {
      usable_ = before;
      for(unsigned i = 0, n = dice_.below(4); i != n; ++i)
        b.otherwise.push_back(random_op(true, is_again_kept || !is_loop));
    }
    if(b.kind == block_kind::iterate || is_choice)
      usable_ = before; // nobody knows which pass was the last one, or whether there was any
    if(b.left != op::nothing)
      usable_.push_back(b.left);
    else if(is_repeat && b.passes != 0 && depth == 0)
      usable_.insert(usable_.end(), made.begin(), made.end());
    else if(is_repeat && b.passes == 0)
      usable_ = before;
    return b;
  }

  void add_inner(block& b, unsigned depth, bool is_kept) {
    const std::vector<unsigned> before = usable_;
    for(unsigned i = 0, n = 1 + dice_.below(2); i != n; ++i)
      b.inner.push_back(random_block(depth + 1, is_kept));
    usable_ = before;
  }

  dice dice_;
  bool stays_together_ = false;
  plan plan_;
  unsigned meshes_ = 1;
  bool has_tiles_ = false;
  std::vector<bool> is_coarse_;
  std::vector<bool> is_staggered_;
  std::vector<deed> palette_;
  std::vector<unsigned> usable_; ///< Results that later launches may take.
};

} // namespace

plan make_plan(std::uint64_t seed, bool may_have_files) {
  return generator(seed, may_have_files).make();
}

} // namespace random_programs
