// Traces without a guard. A loop that the finder reports is recorded for one more pass and then
// replayed. Launches in between don't end it: it goes on when the launch comes that was expected.

#include <rondo/tracing/flow.hpp>

#include "launched.hpp"

namespace rondo {

using detail::trace_template;

namespace {
/// A loop that is interrupted more often than this is worth looking for a longer one.
constexpr std::uint64_t launches_per_miss = 64;
/// After so many other launches, and more for long loops, a loop has ended.
constexpr std::uint64_t most_in_a_row = 32;
/// Launches that don't repeat are looked at for a small part only.
constexpr std::uint64_t launches_of_pause = std::uint64_t{1} << 18;
/// Templates have as many launches, if need be of several passes.
constexpr std::size_t least_launches = 64;
/// A loop with less passes than misses was none.
constexpr std::uint64_t least_misses = 8;
} // namespace

/// A launch that was analysed. Its memory may be in use for others by now.
void flow::note_launch(const detail::launch_kind& kind, detail::region_base* const* regions,
  std::source_location where, const char* name, bool does_nothing, bool is_time_to_look) noexcept {
  try {
    if(is_time_to_look)
      look_for_repeats();
    if(recorded_ != nullptr) {
      recorded_->add({&kind, regions, where, name, does_nothing});
      if(recorded_ == &automatic_.record)
        note_recorded();
    }
  }
  catch(...) { // no memory for that
    set(looking, false);
    if(recorded_ == &automatic_.record)
      end_automatic_recording();
  }
}

void flow::end_pause() {
  if(guarded_ != nullptr)
    return;
  set(looking, true);
  automatic_.seen.begin_anew();
}

/// Time to look at what was launched.
void flow::look_for_repeats() {
  detail::automatic& a = automatic_;
  const std::size_t period = a.seen.look();
  if(period == 0 && in_use_ == nullptr && a.seen.is_tired()) {
    a.seen.pause();
    a.pause = launches_of_pause / batch_size_;
    set(looking, false);
    return;
  }
  if(period == 0 || recorded_ != nullptr || guarded_ != nullptr)
    return;
  if(in_use_ != nullptr) {
    // The loop in use is good enough, or is the one that was found.
    const std::uint64_t launches = a.passes * in_use_->size();
    if(period <= a.told.period || a.misses * launches_per_miss <= launches)
      return;
    stop_using();
  }
  a.recording_of = period;
  a.record.clear();
  recorded_ = &a.record;
}

/// A launch has been recorded, since it seems to belong to a loop.
void flow::note_recorded() {
  detail::automatic& a = automatic_;
  if(!a.seen.repeats(a.recording_of)) {
    end_automatic_recording();
    return;
  }
  if(a.record.size() != a.recording_of)
    return;
  // Short loops several times over: a pass has its price, too.
  const std::size_t period = a.recording_of;
  a.record.repeat((least_launches + period - 1) / period);
  auto made = trace_template::compile(a.record, false, &tried_shapes_);
  end_automatic_recording();
  deal_out(*made);
  if(a.found != nullptr)
    bury(std::move(a.found));
  a.found = std::move(made);
  a.passes = a.misses = a.in_a_row = a.since_miss = 0;
  ++a.told.found;
  a.told.period = period;
  a.told.lanes = a.found->lanes();
  use(*a.found);
}

void flow::end_automatic_recording() {
  automatic_.recording_of = 0;
  automatic_.record.clear();
  recorded_ = nullptr;
}

/// The launch is not the expected one of the loop. A null pointer says that the launch is not replayed.
const detail::template_node* flow::find_in_loop(const detail::token& t) {
  detail::automatic& a = automatic_;
  trace_template& now = *in_use_;
  const std::uint32_t at = expected_->index;
  ++a.misses;
  ++a.told.diverged;
  const bool had_passes = a.since_miss != 0;
  a.since_miss = 0;
  if(!is_any(looking)) {
    set(looking, true);
    a.seen.begin_anew();
  }
  if(a.misses >= least_misses && a.passes < a.misses) {
    give_up_loop(true);
    return nullptr;
  }
  if(had_passes)
    a.in_a_row = 0;
  if(at != 0 && now[0].is(t)) {
    a.in_a_row = 0;
    expected_ = &now[0]; // the rest of the pass is left out
    return expected_;
  }
  if(const auto* const later = find_later(now, at, t); later != nullptr) {
    leave_out(now, at, later->index);
    return later;
  }
  if(now.costs_too_much()) {
    give_up_loop(true);
    return nullptr;
  }
  if(++a.in_a_row > most_in_a_row + now.size())
    give_up_loop(false);
  return nullptr;
}

/// It has ended, or has never been one.
void flow::give_up_loop(bool was_none) {
  detail::automatic& a = automatic_;
  ++a.told.given_up;
  a.told.period = 0;
  a.told.lanes = 0;
  bury(std::move(a.found));
  if(was_none)
    a.seen.doubt();
  a.seen.begin_anew();
}

/// A pass of the loop has come to its end.
void flow::note_pass_of_loop() {
  detail::automatic& a = automatic_;
  ++a.passes;
  ++a.since_miss;
  a.told.passes += in_use_->launches() / a.told.period;
  a.told.launches += detail::launched_in_pass(*in_use_);
  // No longer one is looked for.
  if(a.since_miss * in_use_->size() > 4 * launches_per_miss)
    set(looking, false);
}

} // namespace rondo
