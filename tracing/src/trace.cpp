#include <rondo/tracing/trace.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include <rondo/core/fiber.hpp>
#include <rondo/core/place.hpp>
#include <rondo/tracing/flow.hpp>

#include "describe.hpp"
#include "launched.hpp"
#include "newest_flow.hpp"

namespace rondo {

using detail::trace_template;

namespace {
/// A trace that was recorded so often, and hardly ever replayed, is given up.
constexpr std::uint64_t most_recordings = 8;
constexpr std::uint64_t least_replays = 4;
/// So many passes in a row that are not as recorded are recorded anew, however little they differ.
constexpr std::uint64_t most_departed_in_a_row = 3;
/// One that departs all the time is not explained all the time.
constexpr std::uint64_t explained_each_time = 32;

/// Of two launches that read the same.
std::string what_differs(const detail::token& a, const detail::token& b) {
  if(a.kind != b.kind)
    return "; the functions are of different types";
  for(std::size_t i = 0; i != a.kind->accesses; ++i)
    if(a.regions[i] != b.regions[i])
      return "; the " + detail::quoted("region", a.regions[i]->name()) + " is another one";
  return "; one of them has nothing to do";
}

/// While no pass has had a launch: perhaps these go to another flow than the guards are of.
void note_nothing_launched(
  detail::trace_misses& misses, std::uint64_t pass, const std::source_location& where) noexcept {
  const detail::trace_difference nothing{
    .from = &misses, .got_file = where.file_name(), .got_line = where.line()};
  if(misses.note_again(nothing, pass))
    return;
  try {
    misses.note(
      {.why =
          "nothing was launched in the flow of the guard at " + detail::place(where) +
          "; if the launches go to another flow, its guard is made by make_guard(flow), that of a "
          "scheduler by make_guard(s.launches())",
        .pass = pass},
      nothing);
  }
  catch(const std::bad_alloc&) { // nothing but a message
  }
}

} // namespace

trace::trace(flow& f, const char* name) : name_(name) { belong_to(f); }

trace::~trace() { leave_flow(); }

void trace::belong_to(flow& f) {
  if(home_ == &f)
    return;
  f.check_caller();
  if(home_ != nullptr)
    leave_flow();
  home_ = &f;
  next_ = std::exchange(f.traces_, this);
}

void trace::leave_flow() {
  if(home_ == nullptr)
    return;
  home_->note_gone(report());
  reset();
  trace** place = &home_->traces_;
  while(*place != this)
    place = &(*place)->next_;
  *place = next_;
  if(home_->guarded_ == this)
    home_->end_guard();
  is_left_ = false;
  home_ = nullptr;
}

void trace::reset() {
  if(home_ != nullptr)
    for(variant& v : variants_)
      home_->bury(std::move(v.made));
  usual_ = nullptr;
  dropped_ = nullptr;
  variants_.clear();
  last_ = none;
  run_ = 0;
  departed_in_a_row_ = 0;
  turns_ = 0;
  are_left_ = false; // a pass that has begun so ends so
  may_leave_ = true;
  told_ = {};
  misses_.clear();
  record_.clear();
  for(const auto& part : parts_)
    part->reset();
}

void trace::forget(const detail::region_base& r) {
  if(std::none_of(
       variants_.begin(), variants_.end(), [&r](const variant& v) { return v.made->names(r); }))
    return;
  if(home_->guarded_ == this)
    home_->stop_using();
  usual_ = nullptr;
  dropped_ = nullptr;
  std::erase_if(variants_, [&r](const variant& v) { return v.made->names(r); });
  for(variant& v : variants_)
    v.then = none;
  last_ = none;
  record_.clear();
  misses_.note({.why = "before its launches: a region of the template has ended; one that is made "
                       "anew in each pass is another one each time",
    .pass = told_.passes});
}

trace::guard trace::make_guard(std::source_location where) {
  flow* f = home_;
  if(f == nullptr)
    f = static_cast<flow*>(detail::newest_flow(detail::fiber::here()));
  if(f == nullptr)
    throw std::logic_error("rondo::trace::make_guard: there is no flow that this code has made; "
                           "make the flow first, or name it: make_guard(flow)");
  return make_guard(*f, where);
}

trace::guard trace::make_guard(flow& f, std::source_location where) {
  return guard(*this, f, where);
}

void trace::refuse_own_guard(const flow& f, const std::source_location& where) const {
  const auto refuse = [&](const std::string& why) {
    throw std::logic_error("rondo::trace: the guard of " + detail::quoted("trace", name_) + " at " +
                           detail::place(where) + " was made " + why);
  };
  for(const trace* t = f.guarded_; t != nullptr; t = t->around_) {
    if(t->whole_ != nullptr)
      t = t->whole_;
    if(t == this)
      refuse("inside of another guard of it, at " + detail::place(where_) +
             "; a loop inside of a loop takes a trace of its own");
  }
  if(is_left_)
    refuse("inside of another guard of it, at " + detail::place(where_) +
           "; a loop inside of a loop takes a trace of its own");
  if(is_interrupted_)
    refuse("in a loop inside of another guard of it, at " + detail::place(where_) +
           "; that loop takes a trace of its own");
  if(home_ != nullptr && home_ != &f && home_->guarded_ == this)
    refuse(
      "while it has one in another flow, at " + detail::place(where_) + "; let that one end first");
}

void trace::begin(flow& f, const std::source_location& where) {
  f.check_caller();
  refuse_own_guard(f, where);
  f.open_closed();
  trace* around = f.guarded_;
  if(around != nullptr) {
    if(around->whole_ != nullptr)
      around = around->whole_;
    around->end_part();
  }
  part_begun_ = f.launched();
  begin_pass(f, where);
  around_ = around;
  if(around != nullptr)
    leave_short_way();
}

void trace::end() noexcept {
  flow* const f = home_;
  const bool may_be_elsewhere = f != nullptr && told_.recorded == 0 && part_ == 0;
  if(part_ != none)
    part().end_pass();
  trace* const around = std::exchange(around_, nullptr);
  part_ = 0;
  if(may_be_elsewhere && f->launched() == part_begun_)
    note_nothing_launched(misses_, told_.passes - 1, where_);
  if(around != nullptr && f != nullptr)
    around->begin_part();
}

/// A loop begins. The launches so far were a pass of its own.
void trace::end_part() {
  flow& f = *home_;
  f.launch_gathered();
  if(part_ == none)
    return;
  part().end_pass();
  if(part_ == 0 || f.launched() != part_begun_)
    ++part_;
  is_interrupted_ = true;
  usual_ = nullptr; // there is something to decide when the next guard is made
}

/// It has ended. Without memory for a part what comes is launched without the trace.
void trace::begin_part() noexcept {
  is_interrupted_ = false;
  if(home_ == nullptr)
    return; // the flow has ended
  flow& f = *home_;
  try {
    if(parts_.size() < part_) {
      parts_.push_back(std::make_unique<trace>(name_));
      parts_.back()->whole_ = this;
    }
    part_begun_ = f.launched();
    part().begin_pass(f, where_);
  }
  catch(const std::bad_alloc&) {
    part_ = none;
  }
}

void flow::guard_break::end_part() {
  if(guarded_->whole_ != nullptr)
    guarded_ = guarded_->whole_;
  guarded_->end_part();
}

void flow::guard_break::begin_part() { guarded_->begin_part(); }

void trace::begin_pass(flow& f, const std::source_location& where) {
  if(are_left_ && home_ == &f && are_passes_left(f)) {
    begin_left_pass(f, where);
    return;
  }
  if(f.gatherer_ != nullptr) { // those are launches before the pass
    f.launch_gathered();
    if(begin_quickly(f))
      return;
  }
  belong_to(f);
  f.begin_guard(*this);
  where_ = where;
  usual_ = nullptr;
  ++told_.passes;
  exceptions_ = std::uncaught_exceptions();
  waits_ = detail::fiber::here().waits;
  has_departed_ = false;
  differences_ = 0;
  is_skipped_ = skip_ || told_.is_off;
  skip_ = false;
  is_told_ = f.is_any(flow::observed);
  if(is_told_)
    tell_pass(f, &observer::pass_begun);
  if(is_skipped_)
    return;
  record_.clear();
  if(variants_.empty())
    f.recorded_ = &record_;
  else
    f.use(*variants_[predicted()].made);
}

/// Launches what was kept back of the pass.
void trace::launch_remaining(flow& f) noexcept {
  try {
    f.launch_gathered();
  }
  catch(const std::exception& e) {
    try {
      if(f.complaint_.empty())
        f.complaint_ = e.what(); // for the next `wait`
    }
    catch(...) {
      std::terminate(); // no memory for saying that launches are missing
    }
  }
}

void trace::end_pass() noexcept {
  if(home_ == nullptr)
    return; // the flow has ended first
  flow& f = *home_;
  if(is_left_) {
    end_left_pass(f);
    return;
  }
  if(f.gatherer_ != nullptr) {
    launch_remaining(f);
    if(end_quickly())
      return;
  }
  // If it began quickly: an exception that was under way before makes us forget a pass, no more.
  const bool is_broken = std::uncaught_exceptions() > (usual_ != nullptr ? 0 : exceptions_);
  usual_ = nullptr;
  const trace_template* const dropped = std::exchange(dropped_, nullptr);
  const trace_template* const used = f.in_use_ != nullptr ? f.in_use_ : dropped;
  const bool is_recorded = f.recorded_ == &record_;
  const bool is_at_begin = f.expected_ != nullptr && f.expected_->index == 0;
  const bool is_at_end = f.expected_ != nullptr && f.expected_->ends_pass;
  f.end_guard();
  if(is_told_)
    tell_pass(f, &observer::pass_ended);
  if(const auto& here = detail::fiber::here(); here.waits != waits_) [[unlikely]] {
    told_.blocked += here.waits - waits_;
    try {
      blocked_at_ = detail::place(here.waited_at);
    }
    catch(...) { // nothing but a message
    }
  }
  if(is_skipped_) {
    ++told_.skipped;
    return;
  }
  if(used != nullptr && !is_at_begin) {
    const std::size_t shorter = is_at_end || has_departed_ || is_broken ? none : prefix_of(*used);
    note_used(shorter != none ? shorter : index_of(*used));
    if(shorter != none) { // as far as it goes it is that one
      ++told_.replayed;
      departed_in_a_row_ = 0;
      return;
    }
  }
  if(is_broken) {
    told_.diverged += used != nullptr ? 1 : 0;
    return; // what would have come is not known
  }
  if(used != nullptr && is_at_end && !has_departed_) [[likely]] {
    ++told_.replayed;
    departed_in_a_row_ = 0;
    if(takes_turns(f))
      leave_passes(f);
    else if(!skip_ && !is_another_next() && !f.is_any(flow::observed)) {
      usual_ = variants_[last_].made.get();
      has_departed_ = false;
    }
    return;
  }
  try {
    if(used == nullptr) {
      if(is_recorded && record_.size() != 0)
        keep(f);
      return;
    }
    if(is_at_begin && !has_departed_)
      return; // nothing was launched at all
    if(!has_departed_) {
      depart(f, *used, used->next, used->launches_between(used->next, used->size()), {});
      f.recorded_ = nullptr; // the pass is over
    }
    ++told_.diverged;
    ++departed_in_a_row_;
    if(dropped != nullptr)
      differences_ = differences_from(*dropped);
    if(record_.size() != 0 &&
       (differences_ * 8 > used->launches() || departed_in_a_row_ >= most_departed_in_a_row))
      keep(f);
  }
  catch(...) { // no memory: it goes on as it is
  }
}

/// The recorded pass as a template.
void trace::keep(flow& f) {
  if(told_.recorded >= most_recordings && told_.replayed < least_replays * told_.recorded) {
    told_.is_off = true;
    std::fprintf(stderr,
      "rondo: %s is switched off: after %llu recordings only %llu passes were as recorded. %s\n",
      detail::quoted("trace", name_).c_str(), static_cast<unsigned long long>(told_.recorded),
      static_cast<unsigned long long>(told_.replayed),
      misses_.empty() ? "" : misses_.last().text().c_str());
    return;
  }
  variants_.reserve(most_variants);
  auto made = trace_template::compile(record_, false, &f.tried_shapes_);
  f.deal_out(*made);
  ++told_.recorded;
  departed_in_a_row_ = 0;
  if(variants_.size() < most_variants)
    variants_.emplace_back();
  // The variant without a template is the new one.
  auto oldest =
    std::min_element(variants_.begin(), variants_.end(), [](const variant& a, const variant& b) {
      return (a.made == nullptr ? 0 : a.used + 1) < (b.made == nullptr ? 0 : b.used + 1);
    });
  if(oldest->made != nullptr)
    f.bury(std::move(oldest->made));
  const auto which = static_cast<std::size_t>(oldest - variants_.begin());
  for(variant& v : variants_)
    if(v.then == which)
      v.then = none;
  *oldest = {};
  oldest->made = std::move(made);
  note_used(which);
}

/// The template of just the launches that have come.
std::size_t trace::prefix_of(const trace_template& longer) const {
  for(std::size_t i = 0; i != variants_.size(); ++i) {
    const trace_template& t = *variants_[i].made;
    if(longer.next != 0 && longer.place_in(t, longer.next) == t.size())
      return i;
  }
  return none;
}

std::size_t trace::index_of(const trace_template& t) const {
  std::size_t i = 0;
  while(variants_[i].made.get() != &t)
    ++i;
  return i;
}

std::size_t trace::predicted() const {
  if(last_ == none)
    return 0;
  return is_another_next() ? variants_[last_].then : last_;
}

void trace::note_used(std::size_t which) {
  variants_[which].used = told_.passes;
  ++variants_[which].passes;
  if(which == last_) {
    ++run_;
    turns_ = 0;
    return;
  }
  ++turns_;
  if(last_ != none) {
    variants_[last_].last_run = run_;
    variants_[last_].then = which;
  }
  last_ = which;
  run_ = 1;
}

/// Launches of the recorded pass that are others, and those that are missing. Of a template without joins.
std::uint64_t trace::differences_from(const trace_template& t) const {
  std::uint64_t found = 0;
  std::uint32_t at = 0;
  for(std::size_t i = 0; i != record_.size(); ++i) {
    const detail::token got = record_[i];
    if(at != t.size() && t[at].is(got)) {
      ++at;
      continue;
    }
    const detail::template_node* const later = flow::find_later(t, at, got);
    found += later != nullptr ? later->index - at : 1;
    if(later != nullptr)
      at = later->index + 1;
  }
  return found + t.size() - at;
}

/// Another template that begins like this pass and goes on with this launch.
trace::place_in_variant trace::find_variant(
  const trace_template& now, std::uint32_t at, const detail::token& t) {
  if(has_departed_)
    return {};
  const std::uint64_t hash = detail::hash_of(t);
  for(const variant& v : variants_) {
    const trace_template& other = *v.made;
    // Mostly there are no joins, and the places are the same.
    if(&other == &now ||
       (now.joins() + other.joins() == 0 && (other.size() <= at || other[at].hash != hash)))
      continue;
    const std::uint32_t there = now.place_in(other, at);
    if(there < other.size() && other[there].is(t))
      return {v.made.get(), there};
  }
  return {};
}

/// The pass is not as recorded: from now on it is recorded, too. `got` has no kind if it has ended.
void trace::depart(flow& f, const trace_template& from, std::uint32_t at, std::uint32_t left_out,
  const detail::token& got) {
  differences_ += left_out;
  if(has_departed_)
    return;
  has_departed_ = true;
  const std::uint64_t pass = told_.passes - 1;
  const detail::trace_difference what{.from = &from,
    .at = at,
    .got_file = got.kind == nullptr ? nullptr : got.where.file_name(),
    .got_line = got.kind == nullptr ? 0 : got.where.line()};
  if(!misses_.note_again(what, pass) &&
     (told_.diverged < explained_each_time || (told_.diverged & (told_.diverged - 1)) == 0)) {
    std::string why = "launch ";
    why += std::to_string(from.launches_between(0, at));
    why += ": expected ";
    const std::uint32_t next = from.next_launch(at);
    const detail::token expected = next == from.size() ? detail::token{} : from[next].as_token();
    // Where one has hints and the other has none the functions are of different types, and all else may read the same.
    const bool says_hints = expected.kind != nullptr && got.kind != nullptr &&
                            (expected.kind->hints == nullptr) != (got.kind->hints == nullptr);
    const auto words = [says_hints](const detail::token& t) -> std::string {
      if(t.kind == nullptr)
        return "the end";
      return says_hints ? detail::describe_with_hints(t) : detail::describe(t);
    };
    const std::string before = words(expected);
    const std::string now = words(got);
    why += before + ", got " + now;
    if(before == now)
      why += what_differs(expected, got);
    misses_.note({.why = std::move(why), .pass = pass}, what);
  }
  record_.clear();
  for(std::uint32_t i = 0; i < at; i = from.next_launch(i + 1))
    record_.add(from[i].as_token());
  f.recorded_ = &record_;
}

trace_statistics trace::statistics() const {
  trace_statistics s = told_;
  s.templates = variants_.size();
  if(last_ != none) {
    const trace_template& t = *variants_[last_].made;
    s.launches = detail::launched_in_pass(t);
    s.edges = t.edges_kept();
    s.redundant = t.edges_removed();
  }
  return s;
}

trace_report trace::report() const {
  const trace_statistics s = statistics();
  return {.name = name_,
    .passes = s.passes - s.left,
    .replayed = s.replayed,
    .diverged = s.diverged,
    .launches = s.replayed * s.launches,
    .is_off = s.is_off,
    .misses = misses_.all()};
}

namespace {

void add_to(std::vector<trace_report>& all, const trace_report& r) {
  constexpr std::size_t most = 32;
  auto same = std::ranges::find(all, r.name, &trace_report::name);
  if(same == all.end()) {
    if(all.size() < most) {
      all.push_back(r);
      return;
    }
    same = all.end() - 1;
  }
  same->passes += r.passes;
  same->replayed += r.replayed;
  same->diverged += r.diverged;
  same->launches += r.launches;
  same->is_off = same->is_off || r.is_off;
  detail::trace_misses all_misses;
  for(const std::vector<trace_miss>& some : {same->misses, r.misses})
    for(const trace_miss& m : some)
      all_misses.note(m);
  same->misses = all_misses.all();
}

} // namespace

/// A trace without passes, as the parts of a trace are at first, is not worth a word.
void flow::note_gone(const trace_report& r) {
  if(r.passes != 0)
    add_to(gone_traces_, r);
}

std::vector<trace_report> flow::trace_reports() const {
  std::vector<trace_report> all = gone_traces_;
  for(const trace* t = traces_; t != nullptr; t = t->next_)
    if(t->told_.passes != 0)
      add_to(all, t->report());
  return all;
}

std::string trace::text() const {
  const trace_statistics s = statistics();
  std::string all = detail::quoted("trace", name_);
  const auto add = [&all](const char* before, std::uint64_t n, const char* after) {
    all += before;
    all += std::to_string(n);
    all += after;
  };
  add(": ", s.passes, s.passes == 1 ? " pass, " : " passes, ");
  add("", s.replayed, " replayed, ");
  add("", s.recorded, " recorded, ");
  add("", s.diverged, " diverged, ");
  add("", s.skipped, " skipped");
  all += s.is_off ? "; switched off\n" : "\n";
  if(s.left != 0)
    add("  each pass was another one than the pass before: ", s.left,
      are_left_
        ? " passes were left to the flow, which finds the period by itself. A pass that is a "
          "whole period is replayed as one\n"
        : " passes were left to the flow, which has found no period; so no more are\n");
  for(const variant& v : variants_) {
    const std::uint32_t launches = v.made->launches();
    add("  a template of ", launches, launches == 1 ? " launch: " : " launches: ");
    add("", v.made->edges_kept(), v.made->edges_kept() == 1 ? " edge, " : " edges, ");
    add("", v.made->edges_removed(), " more left out as redundant; ");
    if(v.made->joins() != 0)
      add("", v.made->joins(), v.made->joins() == 1 ? " join; " : " joins; ");
    if(v.made->has_lanes())
      add("in ", v.made->lanes(), " lanes; ");
    all += "used in ";
    add("", v.passes, v.passes == 1 ? " pass\n" : " passes\n");
  }
  for(const trace_miss& m : misses_.all()) {
    all += "  ";
    all += m.text();
    if(m.count != 1)
      add(", in ", m.count, " passes");
    all += '\n';
  }
  for(const auto& part : parts_)
    all += "  behind a loop in it: " + part->text();
  if(s.blocked != 0) {
    add(
      "  the launching code has waited ", s.blocked, " times inside of guards, the last time at ");
    all += blocked_at_;
    all += ": the trace is none the worse, but nothing is launched meanwhile\n";
  }
  return all;
}

std::string trace::dot() const {
  if(last_ == none)
    return "digraph trace {\n}\n";
  return detail::dot(*variants_[last_].made);
}

} // namespace rondo
