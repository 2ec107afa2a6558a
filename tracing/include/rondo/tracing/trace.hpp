#pragma once

/// \file
/// `trace`: a sequence of launches that comes again and again, remembered.
///
/// \code
///   #include <rondo/flow.hpp>
///
///   rondo::trace t;
///   for(int pass = 0; pass != 1000; ++pass) {
///     auto guard = t.make_guard();
///     flow.submit(smooth, read(u), write(v));
///     flow.submit(smooth, read(v), write(u));
///   }
/// \endcode
///
/// The first pass is recorded; when the guard ends, it is compiled to a *template*, which knows what
/// each launch must wait for. From then on a launch that is the next one of the template is not
/// analysed any more. Passes overlap as far as their accesses allow.
///
/// *The same launch* has a function of the same type and the same regions. Arguments, captured
/// values and futures may differ from pass to pass.
///
/// *What a trace can't do:* change a result. A launch that is not the expected one is analysed as if
/// there were no trace, and so is what surrounds the guards. `text()` says how often that was, and why.
/// A pass that is quite another one gets a template of its own, up to `most_variants`; a trace whose
/// passes never repeat is switched off, with one warning. If each pass is another one than the pass before, since buffers change
/// places, say, they are left to the flow, which finds the period and replays that: `text()` says so.
///
/// *Loops in a pass*, with a trace or without, divide it: what comes before, between and behind them are parts of the
/// trace, each with templates of its own. So guards of different traces nest.
///
/// A trace may outlive the flow, and then be used with another one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/template.hpp>
#include <rondo/tracing/trace_misses.hpp>

namespace rondo {

/// What has become of the passes of a trace.
struct trace_statistics {
  std::uint64_t passes = 0;   ///< Guards so far.
  std::uint64_t recorded = 0; ///< Analysed, and compiled to a template.
  std::uint64_t replayed = 0; ///< Replayed from the first launch to the last one.
  std::uint64_t diverged = 0; ///< Partly replayed.
  std::uint64_t skipped = 0;  ///< Left alone: `skip()`, or switched off.
  std::uint64_t left =
    0; ///< To the flow, which finds loops itself: passes took turns between templates.
  std::uint64_t blocked = 0;   ///< Waits of the launching code inside of guards.
  std::uint64_t launches = 0;  ///< Of the template used last.
  std::uint64_t edges = 0;     ///< Of that, which are needed.
  std::uint64_t redundant = 0; ///< Of that, which others make superfluous.
  std::size_t templates = 0;
  bool is_off = false;
};

class trace {
public:
  static constexpr std::size_t most_variants = 4;

  /// For the flow that the guard is made for. The name is for messages, and is not copied.
  explicit trace(const char* name = "") : name_(name) {}
  explicit trace(flow& f, const char* name = "");
  ~trace();
  trace(const trace&) = delete;
  trace& operator=(const trace&) = delete;

  /// While it lives, what is launched is a pass.
  class guard {
  public:
    /// See `make_guard`.
    guard(trace& of, flow& in, std::source_location where = std::source_location::current())
        : of_(of) {
      if(!of.begin_quickly(in)) [[unlikely]]
        of.begin(in, where);
    }
    ~guard() {
      if(!of_.end_quickly()) [[unlikely]]
        of_.end();
    }
    guard(const guard&) = delete;
    guard& operator=(const guard&) = delete;

  private:
    trace& of_;
  };

  /// For the flow of the trace, or the last one that the calling code has made.
  [[nodiscard]] guard make_guard(std::source_location where = std::source_location::current());
  [[nodiscard]] guard make_guard(
    flow& f, std::source_location where = std::source_location::current());

  /// The next pass is neither recorded nor replayed. There is no need of it: a pass that differs
  /// because of what has run before the loop is no other pass.
  void skip() {
    skip_ = true;
    usual_ = nullptr;
  }

  /// Forgets everything.
  void reset();

  [[nodiscard]] trace_statistics statistics() const;
  /// What there is to know, for people.
  [[nodiscard]] std::string text() const;
  /// The template used last, for graphviz: tasks, and what each waits for; dashed, in the pass before.
  [[nodiscard]] std::string dot() const;

private:
  friend class flow;

  struct variant {
    std::unique_ptr<detail::trace_template> made;
    std::uint64_t passes = 0;   ///< Replayed.
    std::uint64_t used = 0;     ///< The pass.
    std::uint64_t last_run = 0; ///< So many passes in a row, the last time.
    std::size_t then = none;    ///< And this one came next.
  };
  static constexpr std::size_t none = ~std::size_t{0};

  bool begin_quickly(flow& f);
  bool end_quickly();
  void leave_short_way() {
    if(usual_ == nullptr)
      return;
    usual_ = nullptr;
    exceptions_ = 0; // of the pass that has begun quickly, if there is one
  }
  void begin(flow& f, const std::source_location& where);
  void begin_pass(flow& f, const std::source_location& where);
  void end_pass() noexcept;
  /// Of the pass under way: a loop begins, or has ended.
  void end_part();
  void begin_part() noexcept;
  void refuse_own_guard(const flow& f, const std::source_location& where) const;
  [[nodiscard]] trace& part() { return part_ == 0 ? *this : *parts_[part_ - 1]; }
  void tell_pass(flow& f, void (observer::*what)(const pass_info&));
  void end() noexcept;
  static void launch_remaining(flow& f) noexcept;
  void belong_to(flow& f);
  void leave_flow();
  void forget(const detail::region_base& r);
  struct place_in_variant {
    detail::trace_template* made = nullptr;
    std::uint32_t at = 0;
  };
  place_in_variant find_variant(
    const detail::trace_template& now, std::uint32_t at, const detail::token& t);
  void depart(flow& f, const detail::trace_template& from, std::uint32_t at, std::uint32_t left_out,
    const detail::token& got);
  void keep(flow& f);
  // Where passes take turns: turns.cpp.
  [[nodiscard]] bool takes_turns(const flow& f) const;
  void leave_passes(flow& f);
  [[nodiscard]] bool are_passes_left(flow& f);
  void begin_left_pass(flow& f, const std::source_location& where);
  void end_left_pass(flow& f);
  [[nodiscard]] std::size_t predicted() const;
  /// Passes that come once in a while, like every tenth one that prints, come after so many others.
  [[nodiscard]] bool is_another_next() const {
    return variants_[last_].then != none && run_ == variants_[last_].last_run;
  }
  void note_used(std::size_t which);
  [[nodiscard]] std::uint64_t differences_from(const detail::trace_template& t) const;
  [[nodiscard]] trace_report report() const;
  [[nodiscard]] std::size_t prefix_of(const detail::trace_template& longer) const;
  [[nodiscard]] std::size_t index_of(const detail::trace_template& t) const;

  const char* name_;
  flow* home_ = nullptr;
  detail::trace_template* usual_ = nullptr; ///< The last one, if that is expected next.
  trace* next_ = nullptr;                   ///< Of the flow's.
  std::vector<variant> variants_;
  detail::recording record_; ///< The pass, if it is no replay.
  std::size_t last_ = none;  ///< Used last.
  std::uint64_t run_ = 0;    ///< So many passes in a row.
  std::uint64_t turns_ =
    0; ///< So many, one after the other, used another template than the one before.

  // Passes that are left to the flow.
  bool are_left_ = false;
  bool is_left_ = false;  ///< This one.
  bool may_leave_ = true; ///< It was not in vain before.
  struct {
    std::uint64_t pass, launched, found;
  } left_since_{}; ///< The pass, and what the flow had launched, and replayed by itself.

  // This pass.
  bool skip_ = false;
  bool is_skipped_ = false;
  bool is_told_ = false; ///< Observers know that it has begun.
  bool has_departed_ = false;
  std::uint64_t differences_ = 0;
  const detail::trace_template* dropped_ = nullptr; ///< In use until something cost too much.
  int exceptions_ = 0; ///< Under way when it began; not known if it began quickly.
  std::uint64_t waits_ = 0;
  std::source_location where_{};
  trace* around_ = nullptr;                   ///< Its guard was interrupted for this one.
  std::size_t part_ = 0;                      ///< Behind so many loops.
  std::uint64_t part_begun_ = 0;              ///< When so many had been launched.
  bool is_interrupted_ = false;               ///< By a loop, which has not ended.
  trace* whole_ = nullptr;                    ///< This is a part of that one.
  std::vector<std::unique_ptr<trace>> parts_; ///< But the first one, which is the trace itself.

  std::uint64_t departed_in_a_row_ = 0;
  trace_statistics told_;
  detail::trace_misses misses_;
  std::string blocked_at_;
};

// ------------------------------------------------------------------------------------------

template<detail::loop_body Body>
auto flow::iterate(trace& t, Body&& body, iterate_options options) ->
  typename detail::loop_result_of<Body>::type {
  return iterate(
    [&](std::uint64_t pass) {
      const trace::guard guard(t, *this, options.where);
      return detail::call_pass(body, pass);
    },
    options);
}

/// The same as `begin` where there is nothing to decide. The owner of the flow is checked first: other
/// code may not look at the rest, not even to be refused.
inline bool trace::begin_quickly(flow& f) {
  if(detail::current_fiber() != f.owner_ || usual_ == nullptr || home_ != &f ||
     f.gatherer_ != nullptr || f.guarded_ != nullptr || f.in_use_ != nullptr ||
     f.recorded_ != nullptr || f.closing_ != nullptr) [[unlikely]]
    return false;
  f.guarded_ = this;
  f.set(flow::looking, false);
  f.use(*usual_);
  ++told_.passes;
  waits_ = f.owner_->waits;
  return true;
}

/// The same as `end` after a pass like all the others.
inline bool trace::end_quickly() {
  if(usual_ == nullptr || home_->gatherer_ != nullptr || home_->in_use_ != usual_ ||
     !home_->expected_->ends_pass || home_->recorded_ != nullptr || has_departed_ ||
     home_->owner_->waits != waits_) [[unlikely]]
    return false;
  flow& f = *home_;
  f.in_use_ = nullptr;
  f.expected_ = nullptr;
  f.is_careful_ = false;
  f.guarded_ = nullptr;
  f.ways_ |= f.finds_repeats_;
  ++told_.replayed;
  ++run_;
  turns_ = 0;
  variant& v = variants_[last_];
  ++v.passes;
  v.used = told_.passes;
  if(is_another_next())
    usual_ = nullptr;
  return true;
}

} // namespace rondo
