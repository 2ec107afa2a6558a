// From a recorded pass to a template: which launches must have ended before which.
//
// The accesses to a region form groups, as in docs/protocols/flow.md; those of a group wait for all
// of the group before. Two passes are looked at, one after the other; the edges of the second one
// are those of all passes. An edge is left out if others say the same: each event has, for each of
// some chains of events, the last one that it comes after. An edge from an event of a chain is
// needed only if no later one of that chain is known to be before.
//
// Launches that do nothing can be left out: what comes after one of them comes after what that comes
// after. So in its regions' groups these stand for it. They may be further back than the pass before;
// edges say the pass before then, which is later. It takes a third pass to see that each is like the one
// before: in a longer row of passes there would be no room for chains.
//
// Where there are many edges, joins take the place of groups (joins.hpp): a join enters the group instead of
// all that it comes after.

#include <algorithm>
#include <functional>
#include <memory>
#include <unordered_map>

#include <rondo/tracing/template.hpp>

#include "clocks.hpp"
#include "joins.hpp"

namespace rondo::detail::inline tracing {

namespace {

/// Where launches wait for more others, on the average, none is left out, and many wait for the same ones
/// through joins.
constexpr std::size_t most_edges = 16;
/// To find out which are needed may take much longer than they are worth: launches in a row that do nothing hand on what they come
/// after to one another. Loops that are the better for leaving them out look at 7 to 45 for each launch.
constexpr std::size_t most_candidates = 96;

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
  bool operator==(const region_state&) const = default;
};

} // namespace

class compiler {
public:
  enum class shape {
    plain,
    left_out, ///< Without launches that do nothing.
    joined
  };

  compiler(const recording& r, bool is_closed, shape s)
      : recorded_(r), is_closed_(is_closed), shape_(s), leaves_out_(s == shape::left_out),
        passes_(leaves_out_ ? 3 : 2), made_(new trace_template) {}

  /// Null if another shape is better. One with joins is always made.
  std::unique_ptr<trace_template> compile() {
    make_nodes();
    make_events();
    // Chains mostly go through regions; but what many come after a join begins a chain of its own each.
    const std::size_t chains = shape_ == shape::joined ? event_count_ : made_->slots.size();
    clocks known(passes_ * std::size_t{event_count_} + 1, chains); // and one that is not there
    std::vector<region_state> regions(made_->slots.size());
    std::vector<region_state> before_last;
    for(pass_ = 0; pass_ != passes_; ++pass_) {
      if(leaves_out_ && is_last_pass())
        before_last = as_seen_from(pass_, regions);
      edges_of_pass_ = 0;
      for(std::uint32_t i = 0; i != recorded_.size(); ++i) {
        look_at(i, regions, known);
        look_at_joins(i, regions, known);
        if(are_too_many())
          return nullptr;
      }
    }
    if(leaves_out_ && before_last != as_seen_from(pass_, regions))
      return nullptr; // yet another pass might have other edges
    place_edges();
    for(std::size_t s = 0; s != regions.size(); ++s)
      if(made_->slots[s].is_left_out)
        for(const event e : regions[s].group)
          made_->slots[s].last.push_back(edge_from(e));
    made_->leaves_out_ = leaves_out_;
    return std::move(made_);
  }

private:
  /// The events before an event in the second pass.
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
  struct join_event {
    join of;
    event done = no_event;
    range before{};
  };

  void make_nodes() {
    trace_template& t = *made_;
    find_slots();
    if(shape_ == shape::joined)
      make_joins();
    t.joins_ = static_cast<std::uint32_t>(joins_.size());
    t.size_ = t.joins_;
    for(std::uint32_t i = 0; i != recorded_.size(); ++i)
      t.size_ += has_node(i) ? 1 : 0;
    t.nodes_.resize(t.size_ + 1);
    t.regions_.reserve(slots_.size());
    t.node_slots_.reserve(slots_.size());
    std::uint32_t index = 0;
    for(std::uint32_t i = 0; i != recorded_.size(); ++i) {
      if(!has_node(i))
        continue;
      const token from = recorded_[i];
      template_node& n = t.nodes_[index];
      n.kind = from.kind;
      n.where = from.where;
      n.name = from.name;
      n.index = index++;
      n.does_nothing = from.does_nothing;
      n.is_left_out = is_left_out(i);
      n.hash = hash_of(from);
      n.regions = t.regions_.data() + t.regions_.size();
      n.slots = t.node_slots_.data() + t.node_slots_.size();
      t.regions_.insert(t.regions_.end(), from.regions, from.regions + from.kind->accesses);
      t.node_slots_.insert(
        t.node_slots_.end(), slots_.data() + first_slot_[i], slots_.data() + first_slot_[i + 1]);
      for(std::uint32_t j = joins_behind(i); j != joins_behind(i + 1); ++j, ++index)
        t.nodes_[index].index = index;
    }
    t.nodes_[t.size_].index = t.size_;
    for(std::uint32_t i = t.size_ + 1; i-- != 0 && t.nodes_[i].kind == nullptr;)
      t.nodes_[i].ends_pass = true;
    t.lost = static_cast<std::uint32_t>(t.slots.size());
    for(const auto& s : t.slots)
      ++s.of->templates;
    list_accesses();
  }

  /// What is left out uses its regions, too.
  void find_slots() {
    trace_template& t = *made_;
    std::unordered_map<const region_base*, std::uint32_t> slot_of;
    for(std::uint32_t i = 0; i != recorded_.size(); ++i) {
      const token from = recorded_[i];
      first_slot_.push_back(slots_.size());
      for(std::size_t a = 0; a != from.kind->accesses; ++a) {
        region_base* const r = from.regions[a];
        const auto slot =
          slot_of.try_emplace(r, static_cast<std::uint32_t>(t.slots.size())).first->second;
        if(slot == t.slots.size())
          t.slots.push_back({.of = r, .first = 0, .count = 0});
        if(is_left_out(i))
          t.slots[slot].is_left_out = true;
        else
          ++t.slots[slot].count;
        slots_.push_back(slot);
      }
    }
    first_slot_.push_back(slots_.size());
  }

  void make_joins() {
    std::vector<std::vector<slot_access>> by_slot(made_->slots.size());
    for(std::uint32_t i = 0; i != recorded_.size(); ++i) {
      const launch_kind& kind = *recorded_[i].kind;
      for(std::size_t a = 0; a != kind.accesses; ++a)
        by_slot[slots_[first_slot_[i] + a]].push_back({i, kind.modes[a]});
    }
    for(const join& j : find_joins(by_slot))
      joins_.push_back({.of = j});
    first_join_.reserve(recorded_.size() + 1);
    for(std::uint32_t i = 0, j = 0; i <= recorded_.size(); ++i) {
      first_join_.push_back(j);
      while(j != joins_.size() && joins_[j].of.behind == i)
        ++j;
    }
  }
  /// The first one behind the launch, or behind a later one.
  [[nodiscard]] std::uint32_t joins_behind(std::uint32_t i) const {
    return first_join_.empty() ? 0 : first_join_[i];
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
    for(std::uint32_t i = 0; i != t.size_; ++i) {
      const template_node& n = t.nodes_[i];
      if(n.kind == nullptr || n.is_left_out)
        continue;
      for(std::size_t a = 0; a != n.kind->accesses; ++a) {
        auto& s = t.slots[n.slots[a]];
        t.accesses_[s.first + s.count++] = {i, n.kind->modes[a]};
      }
    }
  }

  void make_events() {
    events_.resize(recorded_.size());
    for(std::uint32_t i = 0; i != recorded_.size(); ++i) {
      if(!is_left_out(i)) {
        events_[i].done = event_count_++;
        events_[i].folded = recorded_[i].kind->reducing != 0 ? event_count_++ : no_event;
      }
      for(std::uint32_t j = joins_behind(i); j != joins_behind(i + 1); ++j)
        joins_[j].done = event_count_++;
    }
  }

  /// Of those that are needed in this pass. The edges of the first pass are less than those of the others.
  [[nodiscard]] bool are_too_many() const {
    if(leaves_out_ && looked_at_ > most_candidates * recorded_.size())
      return true;
    return (shape_ == shape::plain || (leaves_out_ && is_last_pass())) &&
           edges_of_pass_ > most_edges * recorded_.size();
  }

  [[nodiscard]] bool is_left_out(std::uint32_t i) const {
    return leaves_out_ && recorded_[i].does_nothing;
  }
  [[nodiscard]] bool has_node(std::uint32_t i) const { return !is_closed_ || !is_left_out(i); }
  [[nodiscard]] bool is_last_pass() const { return pass_ + 1 == passes_; }
  /// The events of this pass begin there.
  [[nodiscard]] event first() const { return pass_ * event_count_; }

  /// With events as edges of that pass see them: of the pass before, or further back.
  [[nodiscard]] std::vector<region_state> as_seen_from(
    std::uint32_t pass, std::vector<region_state> regions) const {
    for(region_state& r : regions)
      for(std::vector<event>* const list : {&r.group, &r.before}) {
        for(event& e : *list)
          e = e % event_count_ + (e / event_count_ + 1 == pass ? event_count_ : 0);
        sort_out(*list);
      }
    return regions;
  }
  /// The latest first, each once.
  static void sort_out(std::vector<event>& events) {
    std::sort(events.begin(), events.end(), std::greater<>());
    events.erase(std::unique(events.begin(), events.end()), events.end());
  }

  void look_at(std::uint32_t i, std::vector<region_state>& regions, clocks& known) {
    const launch_kind& kind = *recorded_[i].kind;
    if(kind.accesses == 0)
      return;
    const std::uint32_t* const slots = slots_.data() + first_slot_[i];
    if(is_left_out(i)) {
      look_through(kind, slots, regions, known);
      return;
    }
    events& e = events_[i];
    const bool again = pass_ != 0;
    const event before = again ? first() - event_count_ : 0;
    // Its own last pass first: passes of one launch are in order. Mostly others say the same.
    begin_candidates(again ? before + e.done : no_event);
    if(again && is_closed_ && e.folded != no_event)
      candidates_.push_back(before + e.folded);
    begin_candidates_of_fold(again && e.folded != no_event ? before + e.folded : no_event);
    for(std::size_t a = 0; a != kind.accesses; ++a) {
      const access_mode m = kind.modes[a];
      region_state& r = regions[slots[a]];
      r.enter(m);
      if(m != access_mode::reduce) {
        candidates_.insert(candidates_.end(), r.before.begin(), r.before.end());
        r.group.push_back(first() + e.done);
        continue;
      }
      // Folds are done one after the other.
      if(r.group.empty())
        fold_candidates_.insert(fold_candidates_.end(), r.before.begin(), r.before.end());
      else
        fold_candidates_.push_back(r.group.back());
      r.group.assign(1, first() + e.folded);
    }
    known.begin(first() + e.done);
    e.before_done = reduce(candidates_, known);
    known.end(first() + e.done);
    if(e.folded == no_event)
      return;
    known.begin(first() + e.folded);
    known.come_after(first() + e.done); // the same launch sees to that
    e.before_folded = reduce(fold_candidates_, known);
    known.end(first() + e.folded);
  }
  /// Joins that come after groups that end with the launch, and take their places.
  void look_at_joins(std::uint32_t i, std::vector<region_state>& regions, clocks& known) {
    for(std::uint32_t j = joins_behind(i); j != joins_behind(i + 1); ++j) {
      join_event& self = joins_[j];
      std::vector<event>& group = regions[self.of.slot].group;
      begin_candidates(pass_ != 0 ? first() - event_count_ + self.done : no_event);
      candidates_.insert(candidates_.end(), group.begin(), group.end());
      known.begin(first() + self.done);
      self.before = reduce(candidates_, known);
      known.end(first() + self.done);
      group.assign(1, first() + self.done);
    }
  }
  /// One that is left out.
  void look_through(const launch_kind& kind, const std::uint32_t* slots,
    std::vector<region_state>& regions, clocks& known) {
    candidates_.clear();
    for(std::size_t a = 0; a != kind.accesses; ++a) {
      region_state& r = regions[slots[a]];
      r.enter(kind.modes[a]);
      candidates_.insert(candidates_.end(), r.before.begin(), r.before.end());
    }
    known.begin(passes_ * event_count_);
    looked_at_ += candidates_.size();
    keep_needed(candidates_, known);
    known.drop();
    for(std::size_t a = 0; a != kind.accesses; ++a) {
      std::vector<event>& group = regions[slots[a]].group;
      group.insert(group.end(), candidates_.begin(), candidates_.end());
    }
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

  /// Keeps events that none of the others comes after. All of them are known from then on.
  static void keep_needed(std::vector<event>& candidates, clocks& known) {
    sort_out(candidates); // no earlier one comes after a later one
    std::erase_if(candidates, [&known](event c) {
      const bool is_known = known.knows(c);
      if(!is_known)
        known.come_after(c);
      return is_known;
    });
  }
  range reduce(std::vector<event>& candidates, clocks& known) {
    looked_at_ += candidates.size();
    sort_out(candidates);
    const std::size_t all = candidates.size();
    keep_needed(candidates, known);
    edges_of_pass_ += candidates.size();
    if(!is_last_pass())
      return {};
    made_->removed_ += all - candidates.size();
    found_.insert(found_.end(), candidates.begin(), candidates.end());
    return {found_.size() - candidates.size(), candidates.size()};
  }

  void place_edges() {
    trace_template& t = *made_;
    t.events_ = std::make_unique<launch_event[]>(event_count_);
    t.event_count_ = event_count_;
    t.edges_.reserve(found_.size());
    for(const event e : found_)
      t.edges_.push_back(edge_from(e));
    template_node* next = t.nodes_.data();
    for(std::uint32_t i = 0; i != recorded_.size(); ++i) {
      if(!has_node(i))
        continue;
      template_node& n = *next++;
      const events& e = events_[i];
      if(n.kind->accesses == 0 || n.is_left_out)
        continue;
      place(n, e.done, e.before_done);
      if(e.folded != no_event) {
        n.fold_edges = t.edges_.data() + e.before_folded.first;
        n.fold_edge_count = static_cast<std::uint32_t>(e.before_folded.count);
        n.folded = &t.events_[e.folded];
      }
      for(std::uint32_t j = joins_behind(i); j != joins_behind(i + 1); ++j)
        place(*next++, joins_[j].done, joins_[j].before);
    }
  }
  void place(template_node& n, event done, const range& before) {
    n.edges = made_->edges_.data() + before.first;
    n.edge_count = static_cast<std::uint32_t>(before.count);
    n.done = &made_->events_[done];
  }

  /// For a launch after the last pass that was looked at, or in it.
  [[nodiscard]] edge edge_from(event e) const {
    return {made_->events_[e % event_count_], e < (passes_ - 1) * event_count_};
  }

  const recording& recorded_;
  const bool is_closed_;
  const shape shape_;
  const bool leaves_out_;
  const std::uint32_t passes_; ///< Looked at.
  std::unique_ptr<trace_template> made_;
  std::vector<std::uint32_t> slots_;    ///< Of the accesses of all that was recorded.
  std::vector<std::size_t> first_slot_; ///< Where those of each begin, and the last ones end.
  std::vector<events> events_;
  std::vector<join_event> joins_;         ///< In the order of the launches.
  std::vector<std::uint32_t> first_join_; ///< Behind each launch, if there are any joins.
  event event_count_ = 0;                 ///< Of one pass.
  std::uint32_t pass_ = 0;
  std::vector<event> candidates_, fold_candidates_;
  std::vector<event> found_;
  std::size_t edges_of_pass_ = 0;
  std::size_t looked_at_ = 0; ///< Candidates, in all passes.
};

std::unique_ptr<trace_template> trace_template::compile(
  const recording& r, bool is_closed, tried_shapes* tried) {
  std::size_t nothing = 0;
  for(std::size_t i = 0; i != r.size(); ++i)
    nothing += r[i].does_nothing ? 1 : 0;
  if(nothing != 0 && nothing != r.size()) {
    const tried_shapes::recorded this_one{r[0].where, r.size(), nothing};
    if(tried == nullptr || !tried->was_in_vain(this_one)) {
      // Each of so many that wait for as many others would be so many times as many edges.
      if(auto made = compiler(r, is_closed, compiler::shape::left_out).compile())
        return made;
      if(tried != nullptr)
        tried->note_in_vain(this_one);
    }
  }
  if(auto made = compiler(r, is_closed, compiler::shape::plain).compile())
    return made;
  return compiler(r, is_closed, compiler::shape::joined).compile();
}

} // namespace rondo::detail::inline tracing
