#pragma once

/// \file
/// `flow`: tasks launched one after the other, run side by side, with the result of having been run
/// one after the other.
///
/// \code
///   #include <rondo/flow.hpp>
///   using namespace rondo;
///
///   executor ex;
///   flow flow(ex);
///   std::vector<double> u(1000, 1.0), v(1000);
///   double norm = 0;
///   region ru(flow, u, "u"), rv(flow, v, "v");
///   region rn(flow, norm, "norm");
///
///   for(int i = 0; i < 10; ++i) {
///     flow.submit(smooth, read(ru), write(rv));           // void smooth(const vector&, vector&)
///     flow.submit(smooth, read(rv), write(ru));
///   }
///   flow.submit([](const auto& x, double& n) { n = dot(x, x); }, read(ru), write(rn));
///   future<bool> small = flow.submit([](const double& n) { return n < 1e-9; }, read(rn));
///   flow.wait();
/// \endcode
///
/// *What may run together* follows from the accesses: a task that reads a region runs after the
/// last one launched before it that writes it; one that writes it also after those that read it.
/// Tasks whose accesses don't touch run at the same time.
///
/// *Arguments.* Accesses, futures, and values, in the order of the function's parameters. A future
/// delays the start until it is ready. A function with a result makes `submit` return its future. Where the accesses
/// turn out at run time, a vector of them is an argument as well: `region_access`.
///
/// *Hints.* Which launch goes first of those that may run, and on which worker: hints.hpp.
///
/// *Launching.* The code that made the flow launches, be it a thread or a task: nobody else. It never
/// waits, unless `window` launches have not ended: then it helps until half of them have. If none of them
/// can go on before this code does (they wait for a promise that it keeps later), the window grows. A task
/// may make a flow of its own and launch into that.
///
/// *Failing.* What a task throws ends the flow as it would have ended the loop: launches that come
/// after it in the program, and have not run already, are skipped; `wait()` throws the exception
/// of the first one in the program's order, and the flow begins anew. The future of a task that failed
/// throws the same; those of tasks that were skipped are cancelled.

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/core/asymmetric_fence.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/futures/future.hpp>
#include <rondo/tracing/automatic.hpp>
#include <rondo/tracing/batch.hpp>
#include <rondo/tracing/batch_ring.hpp>
#include <rondo/tracing/closed.hpp>
#include <rondo/tracing/gatherer.hpp>
#include <rondo/tracing/hints.hpp>
#include <rondo/tracing/launch.hpp>
#include <rondo/tracing/launch_promise.hpp>
#include <rondo/tracing/loop.hpp>
#include <rondo/tracing/pass_number.hpp>
#include <rondo/tracing/region.hpp>
#include <rondo/tracing/repeated_body.hpp>
#include <rondo/tracing/spare_loops.hpp>
#include <rondo/tracing/template.hpp>
#include <rondo/tracing/token.hpp>
#include <rondo/tracing/trace_report.hpp>

namespace rondo {

class trace;
namespace detail::inline tracing {
struct given_up_kind;
} // namespace detail::inline tracing

struct flow_options {
  /// So many launches may wait or run at the same time, at most about; rounded to whole batches.
  std::size_t window = 4096;
  /// Launches that repeat are found, and remembered as a `trace` would.
  bool find_repeats = true;
  /// Messages begin with this name.
  const char* name = "rondo::flow";
};

class flow {
public:
  explicit flow(executor& ex, flow_options options = {});
  /// Finishes everything first. A failure that no `wait` has thrown is printed.
  ~flow();
  flow(const flow&) = delete;
  flow& operator=(const flow&) = delete;

  /// Runs `f(args...)` some time; see above. Returns the future of its result, or nothing for void.
  template<class F, class... A>
  auto submit(F&& f, A&&... args);
  template<class F, class... A>
  void submit(launch_hints, F&&, A&&...) { // refused
    static_assert(detail::never<F, A...>,
      "rondo: hints go around the function: "
      "f.submit(hinted({.priority = priority::high}, factor), write(u))");
  }

  /// Returns when everything launched has ended, and helps until then. Throws what the first
  /// launch that failed has thrown.
  void wait(std::source_location where = std::source_location::current());

  /// The same for what has been launched with the region: afterwards its object may be looked at,
  /// until the next launch that writes it.
  void wait(detail::region_base& r, std::source_location where = std::source_location::current());

  /// Calls `body(pass)`, or `body()`, for pass 0, 1, ... It launches a pass and returns a
  /// future<bool>: stop? Passes are launched ahead, and run as soon as the one before has
  /// answered no; launches after the stop do not run, and their futures are cancelled. So the result
  /// is that of a loop that calls `get()` after each pass, but nobody waits for anything.
  ///
  /// \code
  ///   future<std::uint64_t> passes = flow.iterate([&] {
  ///     flow.submit(smooth, read(u), write(v));
  ///     flow.submit(smooth, read(v), write(u));
  ///     flow.submit(residual, read(u), write(r));
  ///     return flow.submit([](const double& r) { return r < 1e-9; }, read(r));
  ///   }, {.max = 10'000});
  /// \endcode
  ///
  /// A body that has waited for what tells it, by `get()`, may return a bool; then nothing is launched behind the stop. It returns nothing
  /// else but these and `leave_if`: of a future<double> r say `r.then([](double x) { return x < 1e-9; })`.
  ///
  /// Returns the number of passes that run, as a future; and what leaves the loop, if the body says `leave_if`. Launches after
  /// the loop come after it. Loops nest.
  template<detail::loop_body Body>
  auto iterate(Body&& body, iterate_options options = {}) ->
    typename detail::loop_result_of<Body>::type;

  /// The same with each pass in a guard of the trace.
  template<detail::loop_body Body>
  auto iterate(trace& t, Body&& body, iterate_options options = {}) ->
    typename detail::loop_result_of<Body>::type;

  // Refused, in a sentence each.
  template<class Body>
    requires(!detail::loop_body<Body>)
  future<std::uint64_t> iterate(Body&&, iterate_options = {}) {
    static_assert(detail::never<Body>,
      "rondo: the body of iterate takes nothing, or the number of the pass, a std::uint64_t, and "
      "returns whether "
      "the loop ends with that pass: a future<bool>, such as s.reduce<...>(...).then([](double r) "
      "{ return r < 1e-3; }), a bool, or "
      "leave_if(...). pass_number is for repeat");
    return {};
  }
  template<class Body>
    requires(!detail::loop_body<Body>)
  future<std::uint64_t> iterate(trace&, Body&& body, iterate_options = {}) {
    return iterate(body);
  }
  template<class Body>
  future<std::uint64_t> iterate(iterate_options, Body&&) {
    static_assert(detail::never<Body>,
      "rondo: the body of a flow's iterate comes before the options: "
      "f.iterate(body, {.max = 10}), f.iterate(t, body, {.max = 10})");
    return {};
  }
  template<class Body>
  future<std::uint64_t> iterate(trace&, iterate_options o, Body&& body) {
    return iterate(std::move(o), body);
  }

  /// Calls `body()`. Its launches run if the value, when it comes, is true; otherwise they are skipped, and their futures are
  /// cancelled. Nobody waits.
  template<class Body>
  void when(future<bool> condition, Body&& body,
    std::source_location where = std::source_location::current());

  /// The same with one body for either case.
  template<class Then, class Else>
  void either(future<bool> condition, Then&& then, Else&& otherwise,
    std::source_location where = std::source_location::current());

  /// Runs the launches of `body()` n times. The body is called once, and what it launches is kept;
  /// nothing is launched again. It may compute and look at what it likes, but only this one time.
  ///
  /// \code
  ///   flow.repeat(1000, [&] {
  ///     flow.submit(smooth, read(u), write(v));
  ///     flow.submit(smooth, read(v), write(u));
  ///   });
  /// \endcode
  ///
  /// Functions and arguments serve all passes: functions are called again, values are copied. The
  /// future of a launch is that of the last pass. Nobody waits here; launches after the loop come after it.
  ///
  /// If there is a loop in the body, or a `when`, a `get()` or a `wait`, or a launch that takes a future which was made in it, the body is
  /// called for each pass, and its launches are analysed, or replayed, as those of a plain loop. If launches take futures that were made
  /// before it, it is called twice, to see whether these are variables to which it assigns: then it is called for each pass as well.
  ///
  /// A body with a parameter is given what stands for the number of the pass: `pass_number`.
  template<detail::repeat_body Body>
  void repeat(
    std::uint64_t n, Body&& body, std::source_location where = std::source_location::current());
  template<class Body>
    requires(!detail::repeat_body<Body>)
  void repeat(std::uint64_t, Body&&) { // refused
    static_assert(detail::never<Body>,
      "rondo: the body of repeat takes nothing, or a pass_number, which stands for the number: it "
      "is called once, for all passes. "
      "A task that is given it takes a std::size_t. A body that needs the number itself is one of "
      "iterate, which gives it a std::uint64_t");
  }
  template<class Body>
    requires(!std::is_convertible_v<Body, std::uint64_t>)
  void repeat(Body&&) { // refused
    static_assert(detail::never<Body>, "rondo: repeat takes the number of passes, and then the "
                                       "body: f.repeat(10, body). A loop that "
                                       "ends when its body says so is one of iterate");
  }

  /// In the body of a loop: waits until it is known whether the pass that is being launched runs, and of a `when`, whether its
  /// condition is so. For what is to be made only then.
  [[nodiscard]] bool pass_runs();

  [[nodiscard]] executor& home() const { return ex_; }
  /// A launch has failed, and no `wait` has thrown that yet. Any thread.
  [[nodiscard]] bool has_failed() const {
    return crews_.first_failed.load(std::memory_order_relaxed) != ~std::uint64_t{0};
  }
  /// What it has thrown, or null.
  [[nodiscard]] std::exception_ptr failure() const;
  /// Which one it is, for messages: "task 'relax', color 3, launched at main.cpp:20". Empty if there is none.
  [[nodiscard]] std::string failed_launch() const;
  /// The same of the one whose failure `wait` has thrown last.
  [[nodiscard]] const std::string& last_failed_launch() const { return last_failed_launch_; }
  /// What the flow has found out about repeating launches by itself, without any `trace`.
  [[nodiscard]] const repeat_statistics& repeats() const { return automatic_.told; }
  /// So many calls of `repeat` had a body that launched what an earlier call's had, and began with what was found out there.
  [[nodiscard]] std::uint64_t repeats_again() const { return spare_loops_.taken(); }
  /// Of the traces used here, also of those that have gone: the ones of the same name together.
  [[nodiscard]] std::vector<trace_report> trace_reports() const;
  /// All launches are run by one worker.
  [[nodiscard]] bool is_alone() const { return is_alone_; }
  /// Launched so far, by the program.
  [[nodiscard]] std::uint64_t launched() const { return next_id_ - internal_; }
  /// Of these, by bodies of `repeat` and `iterate`: each pass for which the body was called.
  [[nodiscard]] std::uint64_t launched_in_loops() const { return launched_in_loops_; }
  /// Flows are counted from 1 as the process makes them.
  [[nodiscard]] std::uint32_t number() const { return number_; }

  /// If one of the arguments is a future that has another value in each pass of the `repeat` whose body is being called, or may have, its passes are
  /// launched one by one from here on. `submit` does that by itself. Where only some ranks submit, the others have to call it, too: all open the loop at the same launch.
  template<class... A>
  void open_for(const A&... arguments) {
    if constexpr((detail::is_future<A> || ...))
      if(repeated_ != nullptr && (repeated_->takes_argument(arguments) || ...)) [[unlikely]]
        open_closed();
  }
  /// While the body of `repeat` is called: so many of its launches are kept. Nothing elsewhere, nor if passes are launched one by one.
  [[nodiscard]] std::optional<std::size_t> kept() const {
    if(closing_ == nullptr)
      return std::nullopt;
    return closing_->prototypes.size();
  }
  /// These launches of the body are launched now, once, and are in no pass: because what they do is the same in each, and nothing that is
  /// kept comes before them. Ranges of kept ones, ascending.
  void launch_before_loop(std::span<const detail::kept_launches> which);

  /// `g` keeps launches back, until it is told to launch them: see gatherer.hpp. Null if that is over.
  void gather(detail::gatherer* g) { gatherer_ = g; }

  /// What is launched from here on works on this one of so many parts, of a mesh say, that are worked on again and again. Unless launches are
  /// replayed, those of a part are run by the same worker, so that the part stays in the cache of its core. Of 0 parts: on none.
  void work_on(std::size_t part, std::size_t of) {
    works_on_part_ = of != 0;
    if(works_on_part_ && !lanes_.empty())
      last_lane_ = static_cast<std::uint32_t>(part * lanes_.size() / of);
  }

private:
  friend class trace;
  friend struct detail::closed_loop;
  friend class detail::repeated_body;

  enum way : std::uint8_t {
    in_lanes = 1, ///< The launches of the current batch go to lanes.
    observed = 2, ///< Somebody is to be told.
    looking = 4,  ///< Launches are told to the finder.
  };
  [[nodiscard]] bool is_any(unsigned ways) const { return (ways_ & ways) != 0; }
  void set(way which, bool is_so) {
    ways_ = static_cast<std::uint8_t>(is_so ? ways_ | which : ways_ & ~which);
  }
  friend struct detail::running;
  friend class detail::region_base;
  friend executor* detail::executor_of(const detail::batch& b);

  void launch_gathered() {
    if(gatherer_ != nullptr) [[unlikely]]
      gatherer_->launch_gathered();
  }
  void check_caller() const {
    if(detail::current_fiber() != owner_) [[unlikely]]
      foreign_caller();
  }
  [[noreturn]] void foreign_caller() const;
  [[noreturn]] void refuse(detail::launch& l, const detail::access_entry& a);
  /// Makes room for one more launch.
  void begin_launch() {
    if(in_batch_ == batch_size_) [[unlikely]]
      next_batch();
  }
  void next_batch();
  void publish(detail::launch& l) {
    current_->launches[in_batch_++] = &l;
    ++next_id_;
    if(is_any(in_lanes | observed)) {
      publish_specially(l);
      return;
    }
    publish_for_all();
  }
  void publish_hinted(detail::launch& l);
  void publish_for_all() {
    // Release: the launch. Either a crew that ends now sees it, or we see that it has ended.
    crews_.launched.store(next_id_, std::memory_order_release);
    detail::light_fence();
    if(crews_.at_work.first() != first_crews_ || has_more_crews_)
      call_crew();
  }
  void call_crew();
  void call_crew(unsigned i);
  void call_missing_crews();
  void choose_mode();
  void notice_observers();
  void tell_launched(detail::launch& l);
  void tell_left_out(const detail::template_node& n);
  void tell_closed(const detail::closed_loop& loop);
  void tell_begin(const detail::iterated_loop& loop, std::uint64_t pass);
  class told_wait;
  std::uint32_t new_region() { return ++regions_made_; }
  void publish_specially(detail::launch& l);
  void publish_in_lane(detail::launch& l);
  void note_lane(const detail::template_node* n);
  void call_crew_of_lane();
  [[nodiscard]] unsigned lanes_wanted() const;
  void deal_out(detail::trace_template& t) const { t.deal_out(lanes_wanted()); }

  // One launch: flow_launch.hpp. Work for each access is inlined, since their number is known there.
  template<bool MayBeTraced, class F, class... A>
  auto launch(F&& f, A&&... args);
  template<class Made, class F, class... A>
  auto launch_closed(
    const detail::launch_kind& kind, detail::region_base* const* regions, F&& f, A&&... args);
  template<class Made, class... A>
  auto list_regions(detail::mode_signature& signature, const A&... args);
  template<class Regions, class F, class... A>
  const detail::template_node* match(const detail::launch_kind& kind, const Regions& regions,
    std::size_t count, bool does_nothing, const F& f, const A&... args);
  bool passes_over(const detail::template_node& n);
  template<class Made, class F, class... A>
  Made* make_launch(const detail::launch_kind& kind, const detail::template_node* node,
    detail::launch_promise<typename Made::result>& promise, F&& f, A&&... args);
  void analyse(detail::launch& l, const detail::launch_kind& kind, std::size_t count);
  template<class Made>
  void replay(Made& l, const detail::launch_kind& kind, detail::region_base* const* regions);
  template<class Regions, class F, class... A>
  void remember(const detail::launch_kind& kind, const detail::template_node* node,
    const Regions& regions, std::size_t count, bool does_nothing, const F& f, const A&... args);

  // Launches of a trace that stand: flow_standing.hpp, standing.cpp.
  /// As far as that does not depend on the launch.
  [[nodiscard]] bool stands_now() const {
    const detail::standing_launches* const all = in_use_->standing.get();
    return all != nullptr && all->has_pass() && !is_any(observed) && !is_careful_;
  }
  template<class Made, class F, class... A>
  bool launch_standing(const detail::template_node& node, const F& f, const A&... args);
  template<class Made, class F, class... A>
  bool is_as_before(const detail::template_node& node, const F& f, const A&... args);
  template<class Made, class F, class... A>
  detail::launch* make_standing(
    const detail::template_node& node, bool has_changed, const F& f, const A&... args);
  void begin_standing(const detail::template_node& n) {
    if(in_batch_ == batch_size_) [[unlikely]]
      next_batch_before(n);
  }
  void next_batch_before(const detail::template_node& n);
  void publish_standing(detail::launch& l, const detail::template_node& n);
  void begin_standing_pass(detail::trace_template& t);

  // Traces: replay.cpp.
  const detail::template_node* find_expected(const detail::launch_kind& kind,
    detail::region_base* const* regions, std::source_location where, const char* name,
    bool does_nothing);
  const detail::template_node* find_in_guard(const detail::token& t);
  const detail::template_node* find_in_loop(const detail::token& t);
  static const detail::template_node* find_later(
    const detail::trace_template& in, std::uint32_t at, const detail::token& t);
  void leave_out(detail::trace_template& t, std::uint32_t at, std::uint32_t until);
  void begin_replayed(const detail::template_node& n);
  void begin_pass(detail::trace_template& t);
  void finish_pass(detail::trace_template& t, std::uint32_t until);
  void launch_joins();
  void launch_without_code(const detail::template_node& n, std::uint64_t round);
  void end_pass();
  void take_turns(detail::launch& l);
  void use(detail::trace_template& t) {
    in_use_ = &t;
    expected_ = &t[0];
    is_careful_ = false; // until the pass begins
  }
  void stop_using();
  void note_position();
  void begin_guard(trace& t);
  void end_guard();
  void pass_over(const detail::template_node& n);
  [[gnu::noinline]] void note_left_out(const detail::template_node& n);
  void own_regions(const detail::template_node& n);
  void own_all_regions(detail::trace_template& t);
  void wait_for_others(const detail::trace_template& t);
  void disown(detail::region_base& r, detail::region_base* before = nullptr);
  void disown_all(detail::trace_template& t);
  void last_uses(const detail::region_base& r);
  void last_uses_of_all(const detail::trace_template& t);
  void forget_reached();
  void forget(const detail::region_base& r);
  void bury(std::unique_ptr<detail::trace_template> t);
  void dig_up();
  void publish_internal(detail::launch& l);
  detail::gate& make_gate(std::size_t awaited);
  void publish_gate(detail::gate& g, const detail::launch_kind& kind);
  void publish_gate(detail::gate& g, detail::region_base& r);

  // Traces without a guard: automatic.cpp.
  void note_launch(const detail::launch_kind& kind, detail::region_base* const* regions,
    std::source_location where, const char* name, bool does_nothing, bool is_time_to_look) noexcept;
  void note_gone(const trace_report& r);
  void look_for_repeats();
  void end_pause();
  void note_recorded();
  void end_automatic_recording();
  void note_pass_of_loop();
  void give_up_loop(bool was_none);

  /// A launch that is not the expected one: so many after that may have been left out.
  static constexpr std::uint32_t most_left_out = 64;

  // Closed loops: closed.cpp.
  detail::closed_loop& begin_closed(std::uint64_t passes, const std::source_location& where);
  void open_closed();
  void open_for_wait();
  void abandon_closed(detail::closed_loop& loop);
  void launch_kept(detail::closed_loop& loop, const std::vector<detail::launch*>& which);
  void keep_closed(detail::launch& l);
  void end_closed();
  void drop_closed();
  void drop_all_closed();
  template<class IsOver>
  void drop_closed_if(const IsOver& is_over);

  [[nodiscard]] std::uint32_t size_of(std::uint64_t batch) const;
  [[nodiscard]] bool ended(std::uint64_t batch) const;
  [[nodiscard]] bool has_nothing_under_way() const;
  void retire();
  /// The code that waits, for the report of a deadlock: its place, or what is said of it where that isn't known.
  struct waiting_code {
    std::source_location where{};
    const char* subject = "the code that launches";
  };
  class reported_wait;
  /// "the oldest is task 'relax', launched at main.cpp:20, which waits for a future that it was launched with": of all launches that are
  /// seen to wait. `is_still`: nothing can go on meanwhile. Empty if there is none.
  [[nodiscard]] std::string describe_oldest_waiting(bool is_still) const;
  template<class F>
  void each_waiting(F&& f) const;
  void wait_for_batch(std::uint64_t batch, const waiting_code& who);
  bool wait_for_batch_while_possible(std::uint64_t batch);
  template<class Help>
  auto help_until_ended(std::uint64_t batch, Help&& help);
  void wait_for_all(const waiting_code& who);
  void let_go(detail::region_base& r, std::uint64_t last_launch, const std::source_location& where);
  /// Launches of the body that is being called may have accesses to it.
  void note_gone(const detail::region_base& r) {
    if(closing_ != nullptr) [[unlikely]]
      closing_->note_gone(r);
  }
  void failed(const detail::launch& l, std::exception_ptr why);
  /// After such a failure.
  [[nodiscard]] std::string why_skipped() const;
  void rethrow();

  // Loops whose passes are launched ahead: loops.cpp.
  detail::iterated_loop& begin_loop(const iterate_options& options);
  void end_loop(detail::iterated_loop& loop);
  void help_until_reached(std::vector<detail::trace_template::awaited> after,
    const waiting_code& who, const char* what, const detail::region_base* of = nullptr);
  void stay_close(detail::iterated_loop& loop, std::uint64_t pass);
  template<class Body>
  void repeat_body(std::uint64_t n, Body& body, const std::source_location& where);
  template<class Body>
  decltype(auto) launch_pass(detail::loop_pass* p, Body&& body);
  template<class Body>
  bool launch_unless_in_vain(
    detail::iterated_loop& loop, std::uint64_t pass, bool is_first_call, Body&& body);
  /// Helps until it is known whether the pass runs.
  void wait_for_answers(detail::loop_pass& p);
  template<class... T>
  void launch_answer(detail::iterated_loop& loop, std::uint64_t pass, leaving<T...> of_pass,
    const std::shared_ptr<std::tuple<std::optional<T>...>>& last);
  template<class Body>
  void when_it_is(
    bool expected, future<bool> condition, Body& body, const std::source_location& where);
  class guard_break;
  struct begun_loop;
  class counted_loop;
  class loop_launches;

  [[nodiscard]] detail::batch& batch_at(std::uint64_t i) const { return ring_[i]; }
  [[nodiscard]] std::uint64_t batches_under_way() const { return batches_ - first_batch_; }
  void make_room();
  bool exceed_window();
  void tell_of_window(const char* what_happens);

  // What crews look at, too, all the time. It is written when a batch is made, so that it stays in their caches.
  alignas(cache_line) executor& ex_;
  detail::fiber* const owner_;
  const std::uint32_t batch_size_;
  const std::uint32_t number_;
  const std::size_t window_; ///< So many batches may be under way.
  detail::batch_ring ring_;
  detail::lane_queues lanes_;
  const char* const name_;           ///< For messages.
  const bool is_alone_;              ///< The executor has one worker, and keeps it to that.
  const std::uint8_t finds_repeats_; ///< `looking`, or 0.

  // The launching side: written at each launch, or pass.
  alignas(cache_line) detail::batch* current_ = nullptr;
  std::uint64_t next_id_ = 0;
  /// Of these no program has launched so many: joins, gates and the like.
  std::uint64_t internal_ = 0;
  std::uint64_t launched_in_loops_ = 0; ///< By loops that have ended.
  unsigned loops_open_ = 0;             ///< One within the other.
  std::uint32_t in_batch_ = 0;          ///< Launches in the current one.
  unsigned crews_called_ = 0;           ///< So many crews are to be at work: one for each worker.
  std::uint64_t first_crews_ = 0;       ///< A bit for each of the first 64 of them.
  bool has_more_crews_ = false;
  std::size_t limit_; ///< More than the window, where none of those can go on: see make_room.
  bool has_told_of_window_ = false;
  std::uint64_t first_batch_ = 0; ///< The oldest that has not ended.
  std::uint64_t batches_ = 0;     ///< Begun so far.
  std::uint32_t ended_of_current_ =
    0; ///< Its first launches, that have ended and are no more, perhaps.
  detail::loop_pass* pass_ = nullptr;           ///< Being launched.
  std::uint64_t last_loop_ = ~std::uint64_t{0}; ///< The number of the last one; none yet.
  std::vector<std::unique_ptr<detail::iterated_loop>>
    loops_;                                           ///< Loops that are over are used again.
  std::array<detail::loop_lengths, 16> loop_lengths_; ///< By their places.
  detail::tried_shapes tried_shapes_;
  std::vector<std::unique_ptr<detail::pass_counter>>
    pass_counters_;          ///< Of loops in loops that count, from the outermost one on.
  std::size_t counting_ = 0; ///< So many are counting.
  std::string last_failed_launch_;
  std::string complaint_; ///< Wrong use that a destructor has found.
  std::vector<trace_report> gone_traces_;
  flow* made_before_;                    ///< By the same code.
  detail::gatherer* gatherer_ = nullptr; ///< Keeps launches back.

  detail::closed_loop* closing_ = nullptr;    ///< The loop whose body is being called.
  detail::repeated_body* repeated_ = nullptr; ///< The call knows which futures that body takes.
  std::vector<std::unique_ptr<detail::closed_loop>> closed_;
  detail::spare_loops spare_loops_;

  // Traces.
  const detail::template_node* expected_ = nullptr; ///< Of the template in use; may be its end.
  detail::trace_template* in_use_ = nullptr;
  detail::recording* recorded_ = nullptr; ///< Gets the launches that are not replayed.
  bool is_careful_ = false;               ///< The template is, or its launches are recorded, too.
  /// What makes a launch more than the shortest way. In one byte, so that a look at some of it is a look at one place.
  /// Only the owner of the flow writes it.
  std::uint8_t ways_ = 0;
  std::source_location launched_at_{}; ///< The place of the last launch, where somebody observes.
  bool has_noticed_ = false;           ///< Observers.
  detail::automatic automatic_;
  trace* guarded_ = nullptr; ///< There is a guard of this one.
  trace* traces_ = nullptr;  ///< All that have templates of this flow.
  std::vector<std::unique_ptr<detail::trace_template>> buried_; ///< Launches may look at them.
  std::vector<detail::trace_template::awaited> uses_;           ///< For use in one call.

  std::uint32_t last_lane_ = 0;
  bool works_on_part_ = false; ///< What is launched now.

  std::vector<detail::region_base*>
    regions_; ///< Of the launch that is being made, if it has a list.

  std::uint32_t regions_made_ = 0;
  std::vector<std::unique_ptr<const detail::given_up_kind>> given_up_; ///< After a deadlock.
  detail::event_source events_; ///< Observers are told of launches.

  detail::crew_room crews_;
};

} // namespace rondo

// What is made for each type of task.
#include <rondo/tracing/flow_launch.hpp>
#include <rondo/tracing/flow_loops.hpp>
#include <rondo/tracing/flow_standing.hpp>
