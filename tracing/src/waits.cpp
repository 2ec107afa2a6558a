// How the code that launches waits: for room in the window, for launches, for one region, for answers of loops.
// docs/protocols/flow.md

#include <rondo/tracing/flow.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <rondo/core/place.hpp>

#include "reported_wait.hpp"
#include "told_wait.hpp"

namespace rondo {

namespace {
/// So many windows may wait for what the code that launches makes later.
constexpr std::size_t most_windows = 64;
} // namespace

// ---- launches ----------------------------------------------------------------------------------

template<class Help>
auto flow::help_until_ended(std::uint64_t batch, Help&& help) {
  call_missing_crews();
  // seq_cst: see running::count.
  crews_.awaited.store(&batch_at(batch), std::memory_order_seq_cst);
  const auto done = [&](detail::wait_phase) { return ended(batch); };
  struct at_end {
    detail::crew_room& room;
    // A crew that has seen that we waited has spared the fence between its own two steps (crew::retire).
    // Of its read-modify-write of the word of its seat and ours one is first. If it is the crew's, then publish sees
    // from here on that the crew has gone; if it is ours, then the crew sees that we wait no more. An
    // exchange of `awaited` alone would do for processors on which it keeps later loads behind it: not
    // all do.
    ~at_end() {
      room.awaited.exchange(nullptr, std::memory_order_seq_cst);
      room.at_work.meet(room.crews.size());
    }
  } const end{crews_};
  return help(done);
}

void flow::wait_for_batch(std::uint64_t batch, const waiting_code& who) {
  if(!ended(batch))
    help_until_ended(batch, [&](detail::wait_condition done) {
      reported_wait(*this, who, "the launches of ", done).help();
    });
}

/// Returns false if nothing can run, so that it will not end.
bool flow::wait_for_batch_while_possible(std::uint64_t batch) {
  return ended(batch) || help_until_ended(batch, [this](detail::wait_condition done) {
    return engine_of(ex_).help_while_possible(done);
  });
}

/// The newest first: when that has ended, most others have.
void flow::wait_for_all(const waiting_code& who) {
  for(std::uint64_t i = batches_; i != first_batch_; --i)
    wait_for_batch(i - 1, who);
  retire();
  ended_of_current_ = in_batch_; // of the templates that go below
  if(pass_ == nullptr)
    std::erase_if(loops_, [](const auto& l) { return !l->is_in_use; });
  buried_.clear();
  drop_all_closed();
}

void flow::wait(std::source_location where) {
  check_caller();
  if constexpr(detail::is_checked)
    detail::note_returns(__builtin_frame_address(0));
  launch_gathered();
  open_for_wait();
  {
    const told_wait here(*this, wait_info::kind_type::launches, where);
    wait_for_all({where, "the end of the program"}); // a place is missing there only
  }
  rethrow();
}

// ---- a region, or answers ----------------------------------------------------------------------

namespace {

/// Waits for one thing after the other, and then raises a flag.
struct reached_wait : job, detail::turn_wait {
  std::vector<detail::trace_template::awaited> after;
  executor* home;
  std::atomic<bool> over{false};

  void begin() {
    run = [](job* j, worker&) { static_cast<reached_wait*>(j)->advance(); };
    go_on = [](detail::turn_wait& w, detail::crew*) { static_cast<reached_wait&>(w).advance(); };
  }
  void advance() {
    while(!after.empty()) {
      const auto a = after.back();
      after.pop_back();
      if(!a.what->reached(a.turn) && a.what->park(*this, a.turn))
        return;
    }
    engine_of(*home).raise_and_wake(over);
  }
};

} // namespace

void flow::help_until_reached(std::vector<detail::trace_template::awaited> after,
  const waiting_code& who, const char* what, const detail::region_base* of) {
  reached_wait me;
  me.after = std::move(after);
  me.home = &ex_;
  me.begin();
  call_missing_crews();
  // Where one worker is alone, nobody else touches what it counts.
  if(is_alone_)
    engine_of(ex_).enqueue(&me);
  else
    me.advance();
  const auto done = [&me](detail::wait_phase) { return me.over.load(std::memory_order_seq_cst); };
  reported_wait(*this, who, what, done, of).help();
}

bool flow::pass_runs() {
  check_caller();
  launch_gathered();
  if(pass_ == nullptr)
    return !has_failed();
  wait_for_answers(*pass_);
  return pass_->runs() && !has_failed();
}

void flow::wait_for_answers(detail::loop_pass& p) {
  launch_gathered();
  if(p.may_begin())
    return;
  const told_wait here(*this, wait_info::kind_type::launches, p.of->where);
  help_until_reached({{&p.answers(), p.turn()}}, {p.of->where}, "an answer of a loop of ");
}

void flow::wait(detail::region_base& r, std::source_location where) {
  check_caller();
  if constexpr(detail::is_checked)
    detail::note_returns(__builtin_frame_address(0));
  if(&r.home() != this)
    throw std::logic_error(
      "rondo::flow::wait: " + detail::quoted("region", r.name()) + " belongs to another flow");
  launch_gathered();
  open_for_wait();
  last_uses(r);
  if(!uses_.empty() || !r.running().reached(r.entered())) {
    const told_wait here(*this, wait_info::kind_type::region, where, r.name());
    std::vector<detail::trace_template::awaited> after = uses_;
    after.push_back({&r.running(), r.entered()});
    help_until_reached(std::move(after), {where}, "the last launch that uses ", &r);
  }
  if(!complaint_.empty() ||
     crews_.first_failed.load(std::memory_order_relaxed) != ~std::uint64_t{0})
    wait(where);
}

// ---- room in the window ------------------------------------------------------------------------

/// Waits until about half of the batches under way have ended; or goes beyond the window, if none of
/// them can before the code that launches goes on.
void flow::make_room() {
  const told_wait here(*this, wait_info::kind_type::window, launched_at_);
  const std::uint64_t first = first_batch_;
  const std::uint64_t middle = first + (batches_under_way() - 1) / 2;
  if(!(wait_for_batch_while_possible(middle) && wait_for_batch_while_possible(first)) &&
     !exceed_window()) {
    wait_for_batch(middle, {});
    wait_for_batch(first, {});
  }
  retire();
  if(batches_under_way() < window_)
    limit_ = window_;
}

bool flow::exceed_window() {
  // A loop has room for the passes of so many launches and no more. And so have lanes: launches go beside
  // them from here on, which takes that nothing shared is left to be claimed (choose_mode).
  if(pass_ != nullptr || limit_ >= most_windows * window_ ||
     (is_any(in_lanes) && crews_.is_anything_left())) {
    tell_of_window(
      "Nothing more is launched until that has come, from another thread. Keep promises before so "
      "much is launched that waits for them, or");
    return false;
  }
  tell_of_window(
    "The window grows. For less memory keep promises earlier; to be rid of this message");
  limit_ = std::min(2 * limit_, most_windows * window_);
  if(limit_ > ring_.size())
    ring_.grow(limit_, first_batch_, batches_);
  return true;
}

void flow::tell_of_window(const char* what_happens) {
  if(std::exchange(has_told_of_window_, true))
    return;
  const std::string oldest = describe_oldest_waiting(false);
  std::fprintf(stderr,
    "%s: %llu launches wait, directly or for each other, for values that no task makes%s%s. "
    "%s "
    "set flow_options::window\n",
    name_, static_cast<unsigned long long>(batches_under_way() * batch_size_),
    oldest.empty() ? "" : "; ", oldest.c_str(), what_happens);
}

} // namespace rondo
