// Launches that may run side by side are cut into as many ranges as there are lanes; later ones follow
// what they write.

#include <rondo/tracing/loop_lanes.hpp>

#include <algorithm>
#include <numeric>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <rondo/tracing/batch.hpp>
#include <rondo/tracing/template.hpp>

#include "launched.hpp"

namespace rondo::detail::inline tracing {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// What the launches of a template wait for.
class sources {
public:
  struct one {
    std::uint32_t launch;
    bool is_in_pass; ///< If not, it is that of the pass before.
  };

  explicit sources(const trace_template& t) {
    std::vector<std::uint32_t> of_event(t.events());
    for(std::uint32_t i = 0; i != t.size(); ++i)
      for(const progress* const end : {t[i].done, t[i].folded})
        if(end != nullptr)
          of_event[t.number_of(*end)] = i;
    first_.reserve(t.size() + 1);
    all_.reserve(t.edges_kept());
    for(std::uint32_t i = 0; i != t.size(); ++i) {
      first_.push_back(all_.size());
      for(const edge* e = t[i].edges; e != t[i].edges + t[i].edge_count; ++e)
        all_.push_back({of_event[t.number_of(e->from())], e->is_in_pass()});
    }
    first_.push_back(all_.size());
  }
  [[nodiscard]] std::span<const one> of(std::uint32_t i) const {
    return std::span(all_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

private:
  std::vector<one> all_;
  std::vector<std::size_t> first_; ///< Of each launch, and where the last ones end.
};

/// The passes, one after the other, are rows of launches of which none waits for another one of its row. Where
/// the loop was found by itself its pass begins anywhere, mostly in the midst of what belongs together: rows that
/// begin there are cut short by the first launch that waits for one of the row, and shift from pass to
/// pass, until one begins where the program's step does. From there on rows are as long as can be.
///
/// The launch that such a row begins with; 0 if that is one.
std::uint32_t begin_of_step(const trace_template& t, const sources& before) {
  constexpr std::uint64_t least_looked_at = 4096;
  const std::uint64_t n = t.size();
  const std::uint64_t passes = std::max<std::uint64_t>(2, least_looked_at / n);
  std::uint64_t begin = 0;
  for(std::uint64_t pass = 0; pass <= passes; ++pass) {
    for(std::uint32_t i = 0; i != n; ++i) {
      if(t[i].is_join())
        continue; // it belongs to the launch before it
      const std::uint64_t place = pass * n + i;
      // Nothing is before the first pass.
      const auto is_of_row = [&](const sources::one& s) {
        return (s.is_in_pass || pass != 0) &&
               (s.is_in_pass ? pass : pass - 1) * n + s.launch >= begin;
      };
      const std::span<const sources::one> all = before.of(i);
      if(std::any_of(all.begin(), all.end(), is_of_row))
        begin = place;
      if(i == 0 && pass != 0 && begin == place)
        return 0;
      if(pass == passes)
        break;
    }
  }
  return static_cast<std::uint32_t>(begin % n);
}

/// For each launch the longest way to it from `begin` on, in a pass that begins there; those of one level may run
/// side by side.
std::vector<std::uint32_t> levels_of(
  const trace_template& t, const sources& before, std::uint32_t begin) {
  std::vector<std::uint32_t> level(t.size(), 0);
  const auto look_at = [&](std::uint32_t i) {
    const std::uint32_t step = t[i].is_join() ? 0 : 1;
    for(const sources::one& s : before.of(i)) {
      const bool is_same_side = (s.launch < begin) == (i < begin);
      const bool is_in_pass =
        is_same_side ? s.is_in_pass && s.launch < i : i < begin && !s.is_in_pass;
      if(is_in_pass)
        level[i] = std::max(level[i], level[s.launch] + step);
    }
  };
  for(std::uint32_t i = begin; i != t.size(); ++i)
    look_at(i);
  for(std::uint32_t i = 0; i != begin; ++i)
    look_at(i);
  return level;
}

constexpr std::uint32_t usual_length = 8, short_length = 1;

/// The region that it changes; null: it uses none.
const std::uint32_t* main_slot(const template_node& n) {
  for(std::size_t a = 0; a != n.kind->accesses; ++a)
    if(n.kind->modes[a] != access_mode::read)
      return &n.slots[a];
  return n.kind->accesses != 0 ? n.slots : nullptr;
}

/// What it changes says how much work it is; or what it reads, if that says nothing: to sum up the elements of a color, say.
std::uint32_t work_of(const trace_template& t, const template_node& n) {
  const auto of = [&t](std::uint32_t slot) { return t.slots[slot].of->work(); };
  const std::uint32_t* const main = main_slot(n);
  if(main != nullptr && of(*main) != 0)
    return of(*main);
  std::uint32_t most = 1;
  for(std::size_t a = 0; a != n.kind->accesses; ++a)
    most = std::max(most, of(n.slots[a]));
  return most;
}

std::vector<std::uint32_t> lengths_of(const trace_template& t) {
  std::vector<std::uint32_t> all(t.size(), usual_length);
  for(std::uint32_t i = 0; i != t.size(); ++i)
    if(is_launched(t[i]))
      all[i] = usual_length * work_of(t, t[i]);
  return all;
}

/// How long passes take, one after the other: the launches of a lane in their order, or, if there are no lanes,
/// each as soon as what it waits for has ended.
class rehearsal {
public:
  rehearsal(const trace_template& t, const sources& before,
    const std::vector<std::uint32_t>& length_of, const std::vector<std::uint32_t>* lane_of,
    std::uint32_t lanes)
      : t_(t), before_(before), length_of_(length_of), lane_of_(lane_of), end_(t.size(), 0),
        of_lane_(lanes, 0) {}

  double time_of_pass() {
    constexpr int first = 2, more = 4; // at first there is nothing to wait for
    for(int i = 0; i != first; ++i)
      pass();
    const std::uint64_t before = now_;
    for(int i = 0; i != more; ++i)
      pass();
    return static_cast<double>(now_ - before) / more;
  }

private:
  void pass() {
    const std::vector<std::uint64_t> before = end_;
    for(std::uint32_t i = 0; i != t_.size(); ++i) {
      if(t_[i].is_left_out)
        continue;
      const bool is_in_lane = lane_of_ != nullptr && !t_[i].is_join();
      std::uint64_t begin = is_in_lane ? of_lane_[(*lane_of_)[i]] : 0;
      for(const sources::one& s : before_.of(i))
        begin = std::max(begin, s.is_in_pass ? end_[s.launch] : before[s.launch]);
      if(t_[i].is_join()) {
        end_[i] = begin;
        continue;
      }
      end_[i] = begin + length_of_[i];
      now_ = std::max(now_, end_[i]);
      if(is_in_lane)
        of_lane_[(*lane_of_)[i]] = end_[i];
    }
  }

  const trace_template& t_;
  const sources& before_;
  const std::vector<std::uint32_t>& length_of_;
  const std::vector<std::uint32_t>* lane_of_;
  std::vector<std::uint64_t> end_; ///< Of each launch, the last time.
  std::vector<std::uint64_t> of_lane_;
  std::uint64_t now_ = 0;
};

/// They are of one kind; or at one place, where none has a name, since more accesses make another kind. Launches of meshes have names, which
/// the task that takes up their sum shares.
bool are_alike(const template_node& a, const template_node& b) {
  if(a.kind == b.kind)
    return true;
  const std::source_location &here = a.where, &there = b.where;
  return *a.name == '\0' && *b.name == '\0' && here.line() != 0 && here.line() == there.line() &&
         here.column() == there.column() && std::string_view(here.file_name()) == there.file_name();
}

/// Launches that are alike and come one after the other in the program, such as those of all colors.
class runs {
public:
  explicit runs(const trace_template& t) : of_(t.size(), none) {
    const template_node *first = nullptr, *last = nullptr;
    for(std::uint32_t i = 0; i != t.size(); ++i) {
      if(!is_launched(t[i]))
        continue;
      if(last == nullptr || !are_alike(*last, t[i]))
        sizes_.push_back(0);
      last = &t[i];
      of_[i] = static_cast<std::uint32_t>(sizes_.size() - 1);
      ++sizes_.back();
      first = first == nullptr ? last : first;
    }
    if(sizes_.size() > 1 && are_alike(*first, *last)) { // it goes on in the next pass
      std::replace(of_.begin(), of_.end(), static_cast<std::uint32_t>(sizes_.size() - 1), 0U);
      sizes_.front() += sizes_.back();
      sizes_.pop_back();
    }
    if(!sizes_.empty())
      longest_ = *std::max_element(sizes_.begin(), sizes_.end());
  }
  [[nodiscard]] std::uint32_t number_of(std::uint32_t launch) const { return of_[launch]; }
  /// Of that which the launch belongs to, which is one of the program's.
  [[nodiscard]] std::uint32_t size_of(std::uint32_t launch) const { return sizes_[of_[launch]]; }
  [[nodiscard]] std::uint32_t longest() const { return longest_; }

private:
  std::vector<std::uint32_t> of_;
  std::vector<std::uint32_t> sizes_;
  std::uint32_t longest_ = 0;
};

class assignment {
public:
  assignment(const trace_template& t, const runs& all, const std::vector<std::uint32_t>& length_of,
    std::uint32_t lanes)
      : t_(t), runs_(all), length_of_(length_of), lane_of_slot_(t.slots.size(), none),
        load_(lanes, 0), lane_of_(t.size(), none) {}

  /// Places those of a level that are many: a run is cut into as many ranges as there are lanes. What a program launches
  /// beside, one task that takes up a sum, would only push the cuts aside.
  void place_many(const std::vector<std::uint32_t>& launches) {
    std::vector<std::uint32_t> fresh;
    for(const std::uint32_t i : launches)
      if(const std::uint32_t lane = known_lane(i); lane != none)
        put(i, lane);
      else if(is_of_many(i) || runs_.longest() < load_.size())
        fresh.push_back(i);
    for(auto first = fresh.begin(); first != fresh.end();) {
      const auto last = std::find_if(first, fresh.end(), [&](std::uint32_t i) {
        return is_of_many(i) && runs_.number_of(i) != runs_.number_of(*first);
      });
      if(static_cast<std::size_t>(last - first) >= load_.size())
        cut({first, last});
      first = last;
    }
  }
  /// And then the others: each follows what it works with.
  void place_few(const std::vector<std::uint32_t>& launches) {
    for(const std::uint32_t i : launches)
      if(lane_of_[i] == none)
        put(i, known_lane(i) != none ? known_lane(i) : best_lane(i));
  }

  /// A join goes where the last one is that it comes after, and counts for nothing.
  void place_join(std::uint32_t i, std::span<const sources::one> after) {
    const auto last = std::find_if(after.begin(), after.end(),
      [this](const sources::one& s) { return !t_[s.launch].is_join(); });
    lane_of_[i] = last != after.end() ? lane_of_[last->launch] : 0;
  }

  [[nodiscard]] bool is_even() const {
    const std::uint64_t most = *std::max_element(load_.begin(), load_.end());
    const std::uint64_t all = std::accumulate(load_.begin(), load_.end(), std::uint64_t{0});
    return 2 * most * load_.size() <= 3 * all;
  }
  [[nodiscard]] std::vector<std::uint32_t> take() {
    std::replace(lane_of_.begin(), lane_of_.end(), none, 0U); // those that are left out
    return std::move(lane_of_);
  }

private:
  /// Into ranges of as much work each, of regions that lie together: those of a mesh have the numbers of its colors, others are numbered as
  /// they are made. In the program they may come in another order, which begins at several places at once.
  void cut(std::span<std::uint32_t> launches) {
    const auto number = [this](std::uint32_t i) {
      const std::uint32_t* const slot = main_slot(t_[i]);
      return slot != nullptr ? t_.slots[*slot].of->number().part : 0;
    };
    std::stable_sort(launches.begin(), launches.end(),
      [&](std::uint32_t a, std::uint32_t b) { return number(a) < number(b); });
    std::uint64_t all = 0, before = 0;
    for(const std::uint32_t i : launches)
      all += length_of_[i];
    for(const std::uint32_t i : launches) {
      // The lane of its middle.
      put(i, static_cast<std::uint32_t>((2 * before + length_of_[i]) * load_.size() / (2 * all)));
      before += length_of_[i];
    }
  }
  [[nodiscard]] std::uint32_t known_lane(std::uint32_t i) const {
    const std::uint32_t* const slot = main_slot(t_[i]);
    return slot != nullptr ? lane_of_slot_[*slot] : none;
  }
  /// Of the lanes of what else it uses, or of all lanes if it uses nothing of them, that with the least to do.
  [[nodiscard]] std::uint32_t best_lane(std::uint32_t i) const {
    const template_node& n = t_[i];
    std::uint32_t best = none;
    const auto look_at = [&](std::uint32_t lane) {
      if(best == none || load_[lane] < load_[best])
        best = lane;
    };
    for(std::size_t a = 0; a != n.kind->accesses; ++a)
      if(lane_of_slot_[n.slots[a]] != none)
        look_at(lane_of_slot_[n.slots[a]]);
    if(best == none)
      for(std::uint32_t lane = 0; lane != load_.size(); ++lane)
        look_at(lane);
    return best;
  }
  [[nodiscard]] bool is_of_many(std::uint32_t i) const { return runs_.size_of(i) >= load_.size(); }
  void put(std::uint32_t i, std::uint32_t lane) {
    lane_of_[i] = lane;
    load_[lane] += length_of_[i];
    if(const std::uint32_t* const slot = main_slot(t_[i]); slot != nullptr)
      lane_of_slot_[*slot] = lane;
  }

  const trace_template& t_;
  const runs& runs_;
  const std::vector<std::uint32_t>& length_of_;
  std::vector<std::uint32_t> lane_of_slot_;
  std::vector<std::uint64_t> load_; ///< Of each lane.
  std::vector<std::uint32_t> lane_of_;
};

} // namespace

namespace {

loop_lanes one_lane(const trace_template& t, std::uint32_t fair_share) {
  return {.lane_of = std::vector<std::uint32_t>(t.size(), 0),
    .length_of = lengths_of(t),
    .fair_share = fair_share};
}

double time_of_pass(const trace_template& t, const sources& before, const loop_lanes& l) {
  return rehearsal(t, before, l.length_of, &l.lane_of, l.count).time_of_pass();
}

std::uint64_t work_of_pass(const trace_template& t, const std::vector<std::uint32_t>& length_of) {
  std::uint64_t all = 0;
  for(std::uint32_t i = 0; i != t.size(); ++i)
    all += is_launched(t[i]) ? length_of[i] : 0;
  return all;
}

/// If no launch is shorter than it seems, the lanes have something to run for most of the time.
bool are_mostly_busy(const trace_template& t, const sources& before,
  const std::vector<std::uint32_t>& length_of, const loop_lanes& l) {
  constexpr double least = 0.75;
  const double time = rehearsal(t, before, length_of, &l.lane_of, l.count).time_of_pass();
  return static_cast<double>(work_of_pass(t, length_of)) >= least * l.count * time;
}

/// So many launches there are, on average, in the level of a launch. Not the average of the levels: the one task that takes up
/// a sum of all colors is a level as well.
std::uint32_t usual_width(const std::vector<std::vector<std::uint32_t>>& by_level) {
  std::uint64_t launches = 0, beside = 0;
  for(const auto& of_level : by_level) {
    launches += of_level.size();
    beside += of_level.size() * of_level.size();
  }
  return launches == 0 ? 1 : static_cast<std::uint32_t>((beside + launches / 2) / launches);
}

/// Undivided, if they would not share the launches evenly.
loop_lanes into_lanes(const trace_template& t, const sources& before, const runs& all,
  const std::vector<std::vector<std::uint32_t>>& by_level, std::uint32_t lanes,
  const loop_lanes& undivided) {
  assignment to(t, all, undivided.length_of, lanes);
  for(const auto& of_level : by_level)
    to.place_many(of_level);
  for(const auto& of_level : by_level)
    to.place_few(of_level);
  for(std::uint32_t i = 0; i != t.size(); ++i)
    if(t[i].is_join())
      to.place_join(i, before.of(i));
  if(!to.is_even())
    return undivided;
  loop_lanes found = undivided;
  found.count = lanes;
  found.lane_of = to.take();
  if(all.longest() >= lanes)
    for(std::uint32_t i = 0; i != t.size(); ++i)
      if(is_launched(t[i]) && all.size_of(i) < lanes)
        found.length_of[i] = short_length;
  return found;
}

/// With the pass taken to begin at this launch.
loop_lanes share_out(const trace_template& t, const sources& before, const runs& all,
  std::uint32_t begin, unsigned workers) {
  const std::vector<std::uint32_t> level = levels_of(t, before, begin);
  std::vector<std::vector<std::uint32_t>> by_level(
    *std::max_element(level.begin(), level.end()) + 1);
  for(std::uint32_t k = 0; k != t.size(); ++k) {
    const std::uint32_t i = k < t.size() - begin ? begin + k : begin + k - t.size();
    if(is_launched(t[i]))
      by_level[level[i]].push_back(i);
  }
  const auto average = static_cast<std::uint32_t>(launched_in_pass(t) / by_level.size());
  const loop_lanes undivided =
    one_lane(t, average < 2 ? batch::most : std::max(1U, average / workers));
  const std::uint32_t enough = std::min(workers, average);
  const std::uint32_t most = std::min(workers, usual_width(by_level));
  // Where levels have less launches than there are lanes, the few that may run side by side are not worth it that the others, which
  // perhaps do most of the work, go from core to core.
  if(most > enough)
    if(loop_lanes found = into_lanes(t, before, all, by_level, most, undivided);
       found.count > 1 && are_mostly_busy(t, before, undivided.length_of, found))
      return found;
  return enough < 2 ? undivided : into_lanes(t, before, all, by_level, enough, undivided);
}

/// What one lane needs of another one.
std::size_t edges_between(const trace_template& t, const sources& before, const loop_lanes& l) {
  std::size_t n = 0;
  for(std::uint32_t i = 0; i != t.size(); ++i)
    for(const sources::one& s : before.of(i))
      n += l.lane_of[i] != l.lane_of[s.launch] ? 1 : 0;
  return n;
}

bool is_better(
  const trace_template& t, const sources& before, const loop_lanes& a, const loop_lanes& than) {
  constexpr double worthwhile = 1.05;
  if(a.count == 1)
    return than.count == 1 && a.fair_share < than.fair_share;
  if(than.count == 1)
    return true;
  const double time_of_a = time_of_pass(t, before, a);
  const double other = time_of_pass(t, before, than);
  if(time_of_a * worthwhile < other || other * worthwhile < time_of_a)
    return time_of_a < other;
  return edges_between(t, before, a) < edges_between(t, before, than);
}

} // namespace

loop_lanes loop_lanes::find(const trace_template& t, unsigned workers) {
  if(workers == 1)
    return one_lane(t, batch::most);
  const sources before(t);
  const runs all(t);
  loop_lanes found = share_out(t, before, all, 0, workers);
  if(const std::uint32_t begin = begin_of_step(t, before); begin != 0) {
    loop_lanes other = share_out(t, before, all, begin, workers);
    if(is_better(t, before, other, found))
      return other;
  }
  return found;
}

bool loop_lanes::keeps_all_busy(const trace_template& t) const {
  constexpr double worthwhile = 1.1;
  const sources before(t);
  const double in_lanes = time_of_pass(t, before, *this);
  const double at_best = std::max(rehearsal(t, before, length_of, nullptr, 0).time_of_pass(),
    static_cast<double>(work_of_pass(t, length_of)) / count);
  return in_lanes <= worthwhile * at_best;
}

void trace_template::look_in_own_lane_first(const std::vector<std::uint32_t>& lane_of) {
  std::vector<std::uint32_t> lane_of_event(event_count_);
  for(std::uint32_t i = 0; i != size_; ++i)
    for(const progress* const end : {nodes_[i].done, nodes_[i].folded})
      if(end != nullptr)
        lane_of_event[number_of(*end)] = lane_of[i];
  for(std::uint32_t i = 0; i != size_; ++i) {
    if(nodes_[i].edge_count == 0)
      continue; // those that are left out have no place for any
    const auto is_own = [&](const edge& e) {
      return lane_of_event[number_of(e.from())] == lane_of[i];
    };
    const auto first = edges_.begin() + (nodes_[i].edges - edges_.data());
    const auto others = std::stable_partition(first, first + nodes_[i].edge_count, is_own);
    nodes_[i].own_edge_count = static_cast<std::uint32_t>(others - first);
  }
}

void trace_template::deal_out(unsigned workers) {
  const loop_lanes found = loop_lanes::find(*this, workers);
  lanes_ = found.count > 1 && found.keeps_all_busy(*this) ? found.count : 1;
  for(std::uint32_t i = 0; i != size_; ++i)
    nodes_[i].lane =
      has_lanes() && !nodes_[i].is_left_out ? found.lane_of[i] : template_node::no_lane;
  if(has_lanes())
    look_in_own_lane_first(found.lane_of);
}

} // namespace rondo::detail::inline tracing
