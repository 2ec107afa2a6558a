// From a recorded pass to a template: which launches must have ended before which.
//
// The accesses to a region form groups, as in docs/protocols/flow.md; those of a group wait for all
// of the group before. Two passes are looked at, one after the other; the edges of the second one
// are those of all passes. An edge is left out if others say the same: each event has, for each of
// some chains of events, the last one that it comes after. An edge from an event of a chain is
// needed only if no later one of that chain is known to be before.

#include <algorithm>
#include <unordered_map>

#include <rondo/tracing/template.hpp>

namespace rondo::detail {

namespace {

using event = std::uint32_t; ///< In the order of the launches, those of the second pass behind.
constexpr event no_event = ~event{0};

/// What an event comes after.
class clocks {
public:
  clocks(std::size_t events, std::size_t regions)
      : width_(width(events, regions)), after_(events * width_), chain_(events, none),
        place_(events) {
    tails_.reserve(width_);
  }

  void begin(event e) { mine_ = &after_[std::size_t{e} * width_]; }
  [[nodiscard]] bool knows(event e) const {
    return chain_[e] != none && mine_[chain_[e]] >= place_[e];
  }
  void come_after(event e) {
    const std::int32_t* const other = &after_[std::size_t{e} * width_];
    std::int32_t* const mine = mine_;
    for(std::size_t i = 0; i != width_; ++i)
      mine[i] = std::max(mine[i], other[i]);
    if(chain_[e] != none) {
      mine[chain_[e]] = std::max(mine[chain_[e]], place_[e]);
      if(tails_[chain_[e]] == e)
        candidate_ = chain_[e];
    }
  }
  /// The end of the chain of one that it comes after, or a chain of its own if there is room.
  void end(event e) {
    std::uint32_t c = candidate_;
    candidate_ = none;
    if(c == none) {
      if(tails_.size() == width_)
        return;
      c = static_cast<std::uint32_t>(tails_.size());
      tails_.push_back(e);
      place_[e] = 1;
    }
    else {
      place_[e] = place_[tails_[c]] + 1;
      tails_[c] = e;
    }
    chain_[e] = c;
  }

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::size_t most_numbers = std::size_t{1} << 24;

  static std::size_t width(std::size_t events, std::size_t regions) {
    const std::size_t wanted = std::min<std::size_t>((regions + 7) / 8 * 8, 256);
    return std::max<std::size_t>(std::min(wanted, most_numbers / events), 4);
  }

  std::size_t width_;
  std::vector<std::int32_t> after_;
  std::vector<std::uint32_t> chain_;
  std::vector<std::int32_t> place_;
  std::vector<event> tails_;
  std::int32_t* mine_ = nullptr;
  std::uint32_t candidate_ = none;
};

/// The accesses to a region as far as they have been looked at.
struct region_state {
  access_mode mode = access_mode::none;
  std::vector<event> group;
  std::vector<event> before;

  void enter(access_mode m) {
    if(m == access_mode::write || m != mode) {
      before.swap(group);
      group.clear();
      mode = m;
    }
  }
};

} // namespace

class compiler {
public:
  compiler(const recording& r, bool is_closed)
      : recorded_(r), is_closed_(is_closed), made_(new trace_template) {}

  std::unique_ptr<trace_template> compile() {
    make_nodes();
    make_events();
    clocks known(2 * std::size_t{event_count_}, made_->slots.size());
    std::vector<region_state> regions(made_->slots.size());
    for(first_ = 0; first_ != 2 * event_count_; first_ += event_count_)
      for(std::uint32_t i = 0; i != made_->size_; ++i) {
        look_at(i, regions, known);
        if(found_.size() > most_edges * made_->size_ + 1000)
          return nullptr;
      }
    place_edges();
    return std::move(made_);
  }

private:
  static constexpr std::size_t most_edges = 64;

  /// Those before an event in the second pass.
  struct range {
    std::size_t first;
    std::size_t count;
  };
  struct events {
    event done;
    event folded;
    range before_done{};
    range before_folded{};
  };

  void make_nodes() {
    trace_template& t = *made_;
    t.size_ = static_cast<std::uint32_t>(recorded_.size());
    t.nodes_.resize(t.size_ + 1);
    std::size_t accesses = 0;
    for(std::uint32_t i = 0; i != t.size_; ++i)
      accesses += recorded_[i].kind->accesses;
    t.regions_.reserve(accesses);
    t.node_slots_.reserve(accesses);
    std::unordered_map<const region_base*, std::uint32_t> slot_of;
    for(std::uint32_t i = 0; i != t.size_; ++i) {
      const token from = recorded_[i];
      template_node& n = t.nodes_[i];
      n.kind = from.kind;
      n.where = from.where;
      n.name = from.name;
      n.index = i;
      n.hash = hash_of(from);
      n.regions = t.regions_.data() + t.regions_.size();
      n.slots = t.node_slots_.data() + t.node_slots_.size();
      for(std::size_t a = 0; a != from.kind->accesses; ++a) {
        region_base* const r = from.regions[a];
        const auto slot =
          slot_of.try_emplace(r, static_cast<std::uint32_t>(t.slots.size())).first->second;
        if(slot == t.slots.size())
          t.slots.push_back({.of = r, .first = 0, .count = 0});
        ++t.slots[slot].count;
        t.regions_.push_back(r);
        t.node_slots_.push_back(slot);
      }
    }
    t.nodes_[t.size_].index = t.size_;
    t.lost = static_cast<std::uint32_t>(t.slots.size());
    for(const auto& s : t.slots)
      ++s.of->templates;
    list_accesses();
  }

  /// By regions.
  void list_accesses() {
    trace_template& t = *made_;
    std::uint32_t first = 0;
    for(auto& s : t.slots) {
      s.first = first;
      first += s.count;
      s.count = 0;
    }
    t.accesses_.resize(first);
    for(std::uint32_t i = 0; i != t.size_; ++i)
      for(std::size_t a = 0; a != t.nodes_[i].kind->accesses; ++a) {
        auto& s = t.slots[t.nodes_[i].slots[a]];
        t.accesses_[s.first + s.count++] = {i, t.nodes_[i].kind->modes[a]};
      }
  }

  void make_events() {
    events_.resize(made_->size_);
    for(std::uint32_t i = 0; i != made_->size_; ++i) {
      events_[i].done = event_count_++;
      events_[i].folded = made_->nodes_[i].kind->reducing != 0 ? event_count_++ : no_event;
    }
  }

  void look_at(std::uint32_t i, std::vector<region_state>& regions, clocks& known) {
    const template_node& n = made_->nodes_[i];
    if(n.kind->accesses == 0)
      return;
    events& e = events_[i];
    const bool again = first_ != 0;
    // Its own last pass first: passes of one launch are in order. Mostly others say the same.
    begin_candidates(again ? e.done : no_event);
    if(again && is_closed_ && e.folded != no_event)
      candidates_.push_back(e.folded);
    begin_candidates_of_fold(again && e.folded != no_event ? e.folded : no_event);
    for(std::size_t a = 0; a != n.kind->accesses; ++a) {
      const access_mode m = n.kind->modes[a];
      region_state& r = regions[n.slots[a]];
      r.enter(m);
      if(m != access_mode::reduce) {
        candidates_.insert(candidates_.end(), r.before.begin(), r.before.end());
        r.group.push_back(first_ + e.done);
        continue;
      }
      // Folds are done one after the other.
      if(r.group.empty())
        fold_candidates_.insert(fold_candidates_.end(), r.before.begin(), r.before.end());
      else
        fold_candidates_.push_back(r.group.back());
      r.group.assign(1, first_ + e.folded);
    }
    known.begin(first_ + e.done);
    e.before_done = reduce(candidates_, known, again);
    known.end(first_ + e.done);
    if(e.folded == no_event)
      return;
    known.begin(first_ + e.folded);
    known.come_after(first_ + e.done); // the same launch sees to that
    e.before_folded = reduce(fold_candidates_, known, again);
    known.end(first_ + e.folded);
  }
  void begin_candidates(event own) {
    candidates_.clear();
    if(own != no_event)
      candidates_.push_back(own);
  }
  void begin_candidates_of_fold(event own) {
    fold_candidates_.clear();
    if(own != no_event)
      fold_candidates_.push_back(own);
  }

  /// The latest first: no earlier one comes after it.
  range reduce(std::vector<event>& candidates, clocks& known, bool keep) {
    std::sort(candidates.begin(), candidates.end(), std::greater<>());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    const range kept{found_.size(), 0};
    for(const event c : candidates) {
      if(known.knows(c)) {
        made_->removed_ += keep ? 1 : 0;
        continue;
      }
      known.come_after(c);
      if(keep)
        found_.push_back(c);
    }
    return {kept.first, found_.size() - kept.first};
  }

  void place_edges() {
    trace_template& t = *made_;
    t.progress_ = std::make_unique<trace_template::padded_progress[]>(event_count_);
    t.edges_.reserve(found_.size());
    for(const event e : found_)
      t.edges_.emplace_back(t.progress_[e % event_count_], e < event_count_);
    for(std::uint32_t i = 0; i != t.size_; ++i) {
      template_node& n = t.nodes_[i];
      const events& e = events_[i];
      if(n.kind->accesses == 0)
        continue;
      n.edges = t.edges_.data() + e.before_done.first;
      n.edge_count = static_cast<std::uint32_t>(e.before_done.count);
      n.done = &t.progress_[e.done];
      if(e.folded == no_event)
        continue;
      n.fold_edges = t.edges_.data() + e.before_folded.first;
      n.fold_edge_count = static_cast<std::uint32_t>(e.before_folded.count);
      n.folded = &t.progress_[e.folded];
    }
  }

  const recording& recorded_;
  const bool is_closed_;
  std::unique_ptr<trace_template> made_;
  std::vector<events> events_;
  event event_count_ = 0; ///< Of one pass.
  event first_ = 0;       ///< Of the pass that is looked at.
  std::vector<event> candidates_, fold_candidates_;
  std::vector<event> found_;
};

std::unique_ptr<trace_template> trace_template::compile(const recording& r, bool is_closed) {
  return compiler(r, is_closed).compile();
}

trace_template::~trace_template() {
  release_regions();
  for(const slot& s : slots)
    --s.of->templates;
}

void trace_template::release_regions() {
  for(slot& s : slots)
    if(s.is_owned) {
      s.is_owned = false;
      ++lost;
      s.of->owner = nullptr;
    }
}

bool trace_template::names(const region_base& r) const {
  return std::any_of(slots.begin(), slots.end(), [&r](const slot& s) { return s.of == &r; });
}

void trace_template::last_uses(std::uint32_t which, std::vector<awaited>& into) const {
  if(begun == 0)
    return;
  const slot& s = slots[which];
  const auto begin = accesses_.begin() + s.first;
  const auto end = begin + s.count;
  const auto launched =
    std::partition_point(begin, end, [this](const access& a) { return a.node < next; });
  access_mode group = access_mode::none;
  // False: the group is complete.
  const auto use = [&](const access& a, std::uint64_t turn) {
    if(group != access_mode::none && (group == access_mode::write || group != a.mode))
      return false;
    group = a.mode;
    const template_node& n = nodes_[a.node];
    into.push_back({a.mode == access_mode::reduce ? n.folded : n.done, turn});
    return group != access_mode::write && group != access_mode::reduce; // folds are in order
  };
  for(auto i = launched; i != begin; --i)
    if(!use(*(i - 1), round + 1))
      return;
  if(round != 0)
    for(auto i = end; i != launched; --i)
      if(!use(*(i - 1), round))
        return;
}

} // namespace rondo::detail
