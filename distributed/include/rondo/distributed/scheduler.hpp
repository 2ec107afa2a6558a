#pragma once

/// \file
/// The scheduler: runs a program of tasks over fields on all ranks, as if they were run one after
/// another.
///
/// \code
///   #include <rondo/rondo.hpp>
///   using namespace rondo;
///   using grid = structured<2>;
///
///   void red(grid::view m, field<double>::accessor<rw, ro> u, field<double>::accessor<ro> f);
///   void black(grid::view m, field<double>::accessor<rw, ro> u, field<double>::accessor<ro> f);
///   double residual(grid::view m, field<double>::accessor<ro, ro> u, field<double>::accessor<ro> f);
///   void report(double r2) { std::printf("%g\n", std::sqrt(r2)); }
///
///   int main(int argc, char** argv) {
///     return rondo::run(argc, argv, [](scheduler& s) {
///       grid m{s, {.extents = {2048, 2048}}};
///       field<double> u{m, "u"}, f{m, "f"};
///       s.execute<init>(m, u, f);
///       s.iterate({.max = 1000}, [&] {
///         for(int i = 0; i < 10; ++i) {
///           s.execute<red>(m, u, f);
///           s.execute<black>(m, u, f);
///         }
///         future<double> r2 = s.reduce<residual, fold::sum>(m, u, f);
///         s.execute<report>(r2);                               // on rank 0
///         return r2.then([](double r) { return r < 1e-12; });  // stop?
///       });
///     });
///   }
/// \endcode
///
/// *Every rank runs the same program*, and launches the same tasks with the same arguments in the
/// same order. Each runs those of its own colors. All that the program decides on must be the same
/// on all ranks: arguments, results of reductions, the number of ranks, but not the time.
///
/// *What runs when* follows from what the tasks do with fields, which their parameters say. Ghosts
/// that a task reads are fetched if they are stale. Nothing waits that does not have to.
///
/// *Futures.* A task that takes a value may be given its future: it starts when that is there.
/// Results of reductions are the same on all ranks, bit for bit.

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/core/this_thread.hpp>
#include <rondo/distributed/broadcast.hpp>
#include <rondo/distributed/channel.hpp>
#include <rondo/distributed/collective.hpp>
#include <rondo/distributed/copy_plan.hpp>
#include <rondo/distributed/fetches_in_body.hpp>
#include <rondo/distributed/field.hpp>
#include <rondo/distributed/file_options.hpp>
#include <rondo/distributed/gathering.hpp>
#include <rondo/distributed/halo.hpp>
#include <rondo/distributed/history.hpp>
#include <rondo/distributed/launch_arguments.hpp>
#include <rondo/distributed/mistakes.hpp>
#include <rondo/distributed/mpi_task.hpp>
#include <rondo/distributed/refused_calls.hpp>
#include <rondo/distributed/task.hpp>
#include <rondo/distributed/transport.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/trace.hpp>

namespace rondo {

template<std::size_t D>
class structured;

namespace detail::inline distributed {
class divergence_check;
class field_copy;
class mpi_turns;
class output_desk;
class team;
struct field_use;
} // namespace detail::inline distributed

class scheduler : detail::refused_calls {
  template<auto F>
  using result_of_once = typename detail::promised<typename detail::signature_of<F>::result>::type;

public:
  /// The scheduler of this rank. The constructor returns when all ranks have made theirs. See `run` for programs.
  scheduler(executor& ex, transport& t, flow_options options = {});
  ~scheduler();
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  // Besides what follows: mistakes, told by the compiler.
  using refused_calls::execute;
  using refused_calls::iterate;
  using refused_calls::read;
  using refused_calls::reduce;
  using refused_calls::repeat;
  using refused_calls::when;
  using refused_calls::write;

  /// Launches a task for each color of a topology.
  template<auto F, class... A>
    requires detail::runs_over_colors<F>
  void execute(
    detail::located_reference<const typename detail::argument_of<detail::first_of<F>>::type> first,
    A&&... rest) {
    launch<F, priority::normal>(first.where, first.what, std::forward<A>(rest)...);
  }
  /// The same with a priority: of the tasks on this rank that may run, those of high priority go first, and those of low priority
  /// run when nothing else is left. Ghosts are fetched as ever. In the passes of `repeat` it does nothing: see hints.hpp.
  ///
  /// \code
  ///   s.execute<pivot, priority::high>(m, a);      // others wait for it
  ///   s.execute<update>(m, b);
  ///   s.execute<statistics, priority::low>(m, b);  // nobody does
  /// \endcode
  template<auto F, priority P, class... A>
    requires detail::runs_over_colors<F>
  void execute(
    detail::located_reference<const typename detail::argument_of<detail::first_of<F>>::type> first,
    A&&... rest) {
    launch<F, P>(first.where, first.what, std::forward<A>(rest)...);
  }

  /// Launches a task without any topology: it runs once, on rank 0. Such tasks run in the order of
  /// the program, since they print, or write files. All ranks get what it returns, as a future, and
  /// nobody waits.
  template<auto F, class... A>
    requires(detail::runs_once<F> && detail::signature_of<F>::count != 0)
  result_of_once<F> execute(detail::located_value<detail::first_of<F>> first, A&&... rest) {
    return launch_once<F>(first.where, std::move(first.what), std::forward<A>(rest)...);
  }
  template<auto F, class... A>
    requires(detail::runs_once<F> && detail::signature_of<F>::count != 0 &&
             !detail::is_future<detail::first_of<F>>)
  result_of_once<F> execute(
    detail::located_value<typename detail::future_for<detail::first_of<F>>::type> first,
    A&&... rest) {
    return launch_once<F>(first.where, std::move(first.what), std::forward<A>(rest)...);
  }
  template<auto F, class... A>
    requires(detail::runs_once<F> && detail::takes_pass_number<detail::first_of<F>>)
  result_of_once<F> execute(detail::located_value<pass_number> first, A&&... rest) {
    return launch_once<F>(first.where, first.what, std::forward<A>(rest)...);
  }
  template<auto F>
    requires(detail::signature_of<F>::count == 0)
  result_of_once<F> execute(std::source_location where = std::source_location::current()) {
    return launch_once<F>(where);
  }

  /// Launches a task for each color and folds what they return, always in the same order.
  template<auto F, auto Op, class... A>
    requires detail::runs_over_colors<F>
  [[nodiscard]] future<typename detail::signature_of<F>::result> reduce(
    detail::located_reference<const typename detail::argument_of<detail::first_of<F>>::type> first,
    A&&... rest) {
    return launch_reduction<F, std::remove_cvref_t<decltype(Op)>, priority::normal>(
      first.where, first.what, std::forward<A>(rest)...);
  }
  /// The same with a priority: s.reduce<residual, fold::sum, priority::high>(m, u). See `execute`.
  template<auto F, auto Op, priority P, class... A>
    requires detail::runs_over_colors<F>
  [[nodiscard]] future<typename detail::signature_of<F>::result> reduce(
    detail::located_reference<const typename detail::argument_of<detail::first_of<F>>::type> first,
    A&&... rest) {
    return launch_reduction<F, std::remove_cvref_t<decltype(Op)>, P>(
      first.where, first.what, std::forward<A>(rest)...);
  }

  /// Launches a task that calls MPI, or a library that does: it runs once on each rank, for all colors of that rank, and is given
  /// a communicator: mpi_task.hpp. A launch like any other, in loops of any kind, which waits for what it declares and for the
  /// one of this kind before it. The future is of what it returns on this rank. Where MPI does not let other threads
  /// call it meanwhile it waits for all that was launched before, and is refused in the bodies of loops.
  template<auto F, class... A>
    requires detail::is_mpi_task_of_fields<F>
  result_of_once<F> execute_mpi(
    detail::located_reference<const typename detail::argument_of<detail::second_of<F>>::type> first,
    A&&... rest) {
    return launch_mpi<F>(first.where, first.what, std::forward<A>(rest)...);
  }
  template<auto F, class... A>
    requires detail::is_mpi_task_of_values<F>
  result_of_once<F> execute_mpi(detail::located_value<detail::second_of<F>> first, A&&... rest) {
    return launch_mpi<F>(first.where, std::move(first.what), std::forward<A>(rest)...);
  }
  template<auto F, class... A>
    requires(detail::is_mpi_task_of_values<F> && !detail::is_future<detail::second_of<F>>)
  result_of_once<F> execute_mpi(
    detail::located_value<typename detail::future_for<detail::second_of<F>>::type> first,
    A&&... rest) {
    return launch_mpi<F>(first.where, std::move(first.what), std::forward<A>(rest)...);
  }
  template<auto F, class... A>
    requires(detail::is_mpi_task_of_values<F> && detail::takes_pass_number<detail::second_of<F>>)
  result_of_once<F> execute_mpi(detail::located_value<pass_number> first, A&&... rest) {
    return launch_mpi<F>(first.where, first.what, std::forward<A>(rest)...);
  }
  template<auto F>
    requires(detail::signature_of<F>::count < 2)
  result_of_once<F> execute_mpi(std::source_location where = std::source_location::current()) {
    return launch_mpi<F>(where);
  }

  /// n passes of the loop, of which only the first one is launched: see flow::repeat. All passes are launched, and the body is called for
  /// each, if it has a loop, a `when` or a `wait`, or takes a future made in it, by a launch or by `get()`; on all ranks alike. A body with a parameter is given what stands for the number of the pass, which tasks take as
  /// a std::size_t: s.repeat(n, [&](pass_number pass) { s.execute<step>(m, u, pass); }).
  template<detail::repeat_body Body>
  void repeat(
    std::uint64_t n, Body&& body, std::source_location where = std::source_location::current());
  /// A loop that ends when the future<bool> that `body` returns says so, on all ranks in the same
  /// pass, without anybody waiting for it: see flow::iterate. Loops nest. Here the body is the last argument, and the options are always
  /// there: {} for none. A body with a parameter is given the number of the pass, a std::uint64_t.
  template<detail::loop_body Body>
  auto iterate(iterate_options options, Body&& body,
    std::source_location where = std::source_location::current()) ->
    typename detail::loop_result_of<Body>::type;
  template<detail::loop_body Body>
  auto iterate(trace& t, iterate_options options, Body&& body,
    std::source_location where = std::source_location::current()) ->
    typename detail::loop_result_of<Body>::type;

  /// The launches of `body` run if the value, when it comes, is true; on all ranks, which must have the same value, such as
  /// that of a reduction. Nobody waits: see flow::when.
  ///
  /// \code
  ///   s.when(largest.then([](double x) { return x > 1e3; }), [&] { s.execute<limit>(m, u); });
  /// \endcode
  template<class Body>
  void when(future<bool> condition, Body&& body,
    std::source_location where = std::source_location::current());
  /// The same with one body for either case.
  template<class Then, class Else>
  void either(future<bool> condition, Then&& then, Else&& otherwise,
    std::source_location where = std::source_location::current());

  /// Writes fields to a file, and reads them from one: output.hpp. The kind of file follows from how its name ends.
  template<std::size_t D, detail::in_files... F>
  file_written write(
    detail::located_value<std::string> path, const structured<D>& m, const F&... fields);
  template<std::size_t D, detail::in_files... F>
  file_written write(detail::located_value<std::string> path, const file_options& options,
    const structured<D>& m, const F&... fields);
  template<std::size_t D, detail::in_files... F>
  file_read read(detail::located_value<std::string> path, const structured<D>& m, F&... fields);
  /// The same of an unstructured mesh: fields of its cells, and of its vertices.
  template<detail::has_cells_in_files M, detail::in_files... F>
  file_written write(detail::located_value<std::string> path, const M& m, const F&... fields);
  template<detail::has_cells_in_files M, detail::in_files... F>
  file_written write(detail::located_value<std::string> path, const file_options& options,
    const M& m, const F&... fields);
  template<detail::has_cells_in_files M, detail::in_files... F>
  file_read read(detail::located_value<std::string> path, const M& m, F&... fields);
  /// Writes what lies in rows, such as particles, to be looked at: cloud.hpp.
  template<auto Where, auto... Shown, detail::has_files M, detail::in_rows P>
  file_written write_cloud(detail::located_value<std::string> path, const M& m, const P& rows);
  template<auto Where, auto... Shown, detail::has_files M, detail::in_rows P>
  file_written write_cloud(detail::located_value<std::string> path, const file_options& options,
    const M& m, const P& rows);
  /// Copies values from one field to another, at the same coordinates: those of all points that both meshes have. These are
  /// structured ones of as many dimensions, which may have other extents, other colors and be on other ranks. A launch like any other: it
  /// reads the one field and writes the other one; one message for each rank that has what another one gets.
  template<class T>
  void copy(const field<T>& from, const field<T>& to,
    std::source_location where = std::source_location::current()) {
    static_assert(
      !detail::is_ragged<T>, "rondo::scheduler::copy: ragged fields are copied by a task");
    launch_copy({&from.state(), &to.state(), 0, {}}, where);
  }
  /// Only these points of `from`. Point p gets to p + shift.
  template<class T, std::size_t D>
  void copy(const field<T>& from, const field<T>& to, const box<D>& points,
    const point<D>& shift = {}, std::source_location where = std::source_location::current()) {
    detail::copied_points<3> what{};
    for(std::size_t a = 0; a != D; ++a) {
      what.points.lo[a] = points.lo[a];
      what.points.hi[a] = points.hi[a];
      what.shift[a] = shift[a];
    }
    static_assert(
      !detail::is_ragged<T>, "rondo::scheduler::copy: ragged fields are copied by a task");
    launch_copy({&from.state(), &to.state(), D, what}, where);
  }

  /// The value of one color of a field over topo::index, or that at one point of a mesh, on all ranks: from.hpp.
  template<class T>
  [[nodiscard]] future<T> from(color_id color, const field<T>& f,
    std::source_location where = std::source_location::current());
  template<class T>
  [[nodiscard]] future<T> from(const future<color_id>& color, const field<T>& f,
    std::source_location where = std::source_location::current());
  template<class T, std::size_t D>
  [[nodiscard]] future<T> from(const std::array<std::int64_t, D>& p, const field<T>& f,
    std::source_location where = std::source_location::current());
  /// The same in braces: `s.from({17, 4}, u)`.
  template<class T, std::size_t D>
    requires(D > 1)
  [[nodiscard]] future<T> from(const std::int64_t (&p)[D], const field<T>& f,
    std::source_location where = std::source_location::current()) {
    return from(std::to_array(p), f, where);
  }

  /// Returns when everything launched has ended on this rank, and helps until then. Throws what the
  /// first task that failed has thrown.
  void wait(std::source_location where = std::source_location::current());

  /// A task has failed, and no `wait` has thrown that yet.
  [[nodiscard]] bool has_failed() const { return failure_ != nullptr || flow_.has_failed(); }
  /// The task that `thrown` is of, for messages; empty if the last `wait` has thrown something else.
  [[nodiscard]] std::string failed_task(const std::exception_ptr& thrown) const;

  /// Nothing is launched after this: said to other ranks, so that they don't wait in vain. At the
  /// latest by the destructor.
  void end_program();

  [[nodiscard]] unsigned rank() const { return transport_.rank(); }
  [[nodiscard]] unsigned ranks() const { return transport_.ranks(); }
  /// The number of workers that every rank has, at least: the same on all ranks.
  [[nodiscard]] unsigned workers() const { return workers_; }
  [[nodiscard]] executor& home() const { return executor_; }

  // ---- for topologies and fields -------------------------------------------------------------

  [[nodiscard]] flow& launches() { return flow_; }
  /// The launches that the flow keeps, from `first` on, fetch ghosts of the field.
  void note_fetch(detail::field_state& of, std::size_t first) {
    if(const auto kept = flow_.kept())
      fetches_.note(of, {first, *kept});
  }
  [[nodiscard]] detail::message_poller& messages() { return messages_; }
  /// A number that no other channel has, and one that is not used any more. Both are called in the same
  /// order on all ranks. Throws std::runtime_error if the transport has no more: docs/protocols/channel.md.
  std::uint32_t new_channel() {
    if(channels_ <= transport_.most_channel()) [[likely]]
      return static_cast<std::uint32_t>(channels_++);
    return used_channel();
  }
  void give_back_channel(std::uint32_t c) { given_back_.push_back(c); }
  /// A number for a new way of cutting something into colors, for a topology: refused where that is, before it is counted.
  std::uint64_t new_cut(const std::source_location& where = {}) {
    refuse_in_body("a topology", where);
    return ++cuts_;
  }
  /// Throws std::logic_error in a task, and in the body of a loop, where `what` can't be made: not all ranks call
  /// that equally often. `where` it would have been made, if that is known.
  void refuse_in_body(const std::string& what, const std::source_location& where = {}) const;
  /// Variables swap their fields: in such a body nothing is launched after that.
  void note_swap() { has_swapped_ = has_swapped_ || bodies_ != 0; }
  /// Something that launches use is about to be destroyed: they end first. A failure is kept for
  /// the next `wait`.
  void let_go(const std::source_location& where = {}) noexcept;
  void add(detail::field_state& f) { fields_.push_back(&f); }
  void remove(detail::field_state& f);
  void begin_use_of(detail::topology_state& t) { topologies_.push_back(&t); }
  /// Nothing is reduced over it any more, nor written.
  void end_use_of(const detail::topology_state& over);
  /// See balance.hpp: for topology.
  balance_result balance(const detail::topology_state& of, const balance_options& options,
    const std::source_location& where);
  void measure_costs(const detail::topology_state& of, const std::source_location& where);
  /// The number of a topology or a field: counted as they are made, the same on all ranks.
  std::uint32_t new_number() { return ++made_; }
  /// For the check that all ranks launch the same: see history.hpp.
  void note(detail::step_kind kind, const std::source_location& where,
    const detail::launch_subject& on = {}) {
    if(history_ != nullptr)
      history_->note(kind, where, on);
  }
  /// The name is for messages.
  void note_made(detail::step_kind kind, const std::source_location& where, std::uint32_t number,
    std::uint64_t properties, std::string name);

private:
  friend class detail::output_desk;

  struct launch_site {
    const char* task;
    const std::source_location& where;
  };
  void end_collectives_of(const detail::topology_state& over);
  /// What stands against it.
  void refuse_to_move(const detail::topology_state& of, const launch_site& l) const;
  /// The costs of the colors of this rank, in their order: the program is asked, or they were measured.
  std::vector<double> costs_of(const detail::topology_state& of, const balance_options& options);
  void restart_costs(const detail::partition& cut);
  /// Returns how many colors have moved, of all.
  std::uint64_t move_colors(
    detail::team& all, const detail::partition& from, const detail::partition& to);
  void launch_copy(const detail::copy_request& what, const std::source_location& where);
  template<auto F, priority P, class... A>
  void launch(const std::source_location& where, A&&... arguments);
  template<auto F, class Op, priority P, class... A>
  future<typename detail::signature_of<F>::result> launch_reduction(
    const std::source_location& where, A&&... arguments);
  template<auto F, class Op, priority P = priority::normal, class... O>
  future<typename detail::signature_of<F>::result> launch_reduction_over(
    const std::source_location& where, O&... objects);
  template<auto F, class... A>
  result_of_once<F> launch_mpi(const std::source_location& where, A&&... arguments);
  template<auto F, class... A>
  result_of_once<F> launch_once(const std::source_location& where, A&&... arguments);

  template<auto F, class Submit, class... A>
  void launch_colors(detail::topology_state& over, std::span<const detail::launch_argument> uses,
    const std::source_location& where, Submit submit, A&... arguments);
  template<auto F, class Rest, class... A>
  result_of_once<F> launch_mpi_with(
    std::type_identity<Rest>, const launch_site& site, A&&... arguments);
  template<class P, class O>
  static void check_mpi_argument(const launch_site& site, O& object);
  static void check_replicated(const launch_site& l, const detail::topology_state& t);
  /// Nothing is launched by tasks, nor while one calls MPI, nor when nobody knows what is launched.
  void refuse_in_task(const launch_site& l) const {
    if(occupied_ != occupation::none || has_swapped_ || detail::current_fiber() != maker_)
      [[unlikely]]
      refuse_launch(l);
  }
  [[noreturn]] void refuse_launch(const launch_site& l) const;
  /// The turns of tasks that call MPI.
  detail::mpi_turns& mpi_turns();
  /// Where MPI does not let other threads call it meanwhile.
  void check_may_wait_for_mpi(const launch_site& l) const;
  /// Notes the launch, and launches what it needs of ghosts.
  void launch_before_mpi(const launch_site& l, std::uint64_t hash_of_name,
    std::span<const detail::launch_argument> uses);
  void begin_mpi();
  void end_mpi();
  struct in_mpi {
    scheduler& s;
    explicit in_mpi(scheduler& of) : s(of) { s.begin_mpi(); }
    ~in_mpi() { s.end_mpi(); }
    in_mpi(const in_mpi&) = delete;
    in_mpi& operator=(const in_mpi&) = delete;
  };
  static void check(
    const launch_site& l, const detail::topology_state& over, const detail::launch_argument& a);
  /// Checks the arguments before anything is launched, and notes the launch. Returns whose colors
  /// the task runs over: those of the first view, or else of the first field, and global ones have
  /// no say.
  detail::topology_state& begin_launch(detail::step_kind kind, const launch_site& l,
    std::uint64_t hash_of_name, std::span<const detail::launch_argument> uses);
  /// Checks a task that contributes to elements of neighbours, before the launches around it are made.
  static void check_contributions(
    const launch_site& l, std::span<const detail::launch_argument> uses);
  template<class P, class A, class Function>
  static void with_contributions(A& argument, const Function& f);
  void launch_before_contributions(
    detail::field_state& f, const detail::folding& how, const std::source_location& where);
  static void launch_after_contributions(
    detail::field_state& f, const detail::folding& how, const std::source_location& where);
  /// What the launch needs of ghosts beforehand: for how many fields something is to be done, and what. Noted as done.
  std::size_t ghosts_before(std::span<const detail::launch_argument> uses,
    const std::source_location& where, detail::ghost_actions* actions, bool some_ask_for_less,
    bool may_name_neighbours);
  detail::ghost_actions ghosts_before(const detail::field_use& u, short depth,
    const std::source_location& where, bool may_name_neighbours);
  detail::halo* near_halo(detail::field_state& f, short depth);
  static void launch_ghosts(const detail::ghost_actions& h, const std::source_location& where);
  static void note_written(std::span<const detail::launch_argument> uses) {
    for(const detail::launch_argument& u : uses)
      if(u.field != nullptr && u.is_written()) {
        u.field->ghosts_are = detail::after_launch(u.field->ghosts_are, {.writes_owned = true});
        u.field->is_written_in_body = true;
      }
  }
  /// All of it for a task that then runs at once.
  void launch_ghosts(
    std::span<const detail::launch_argument> uses, const std::source_location& where);

  /// For what ranks have to make in the same order. Returns false in a pass that was launched in vain,
  /// which others may never launch. Waits for the answer.
  bool pass_runs();

  /// The collective that `what` stands for, found or made, with these arguments, on all ranks. `over` is the number of a topology, or
  /// 0 for one of all ranks. Returns null if there is none yet and none can be made: in a pass that doesn't run.
  template<class Collective, class... A>
  [[nodiscard]] Collective* collective_of(const void* what, std::uint32_t over, A&&... arguments) {
    for(const collective_entry& e : collectives_)
      if(e.what == what && e.over == over)
        return static_cast<Collective*>(e.made.get());
    if(!pass_runs())
      return nullptr;
    auto made = std::make_unique<Collective>(*this, std::forward<A>(arguments)...);
    Collective* const added = made.get();
    collectives_.push_back({what, over, std::move(made)});
    return added;
  }

  /// All ghosts are fetched before they are read.
  void forget_ghosts();
  /// The end of moves of fields that were separated in the body of a loop, in passes that perhaps don't run.
  void end_moves() noexcept;
  /// Once more: where all has been moved that does nothing.
  void launch_moves(const std::vector<detail::field_state*>& of) noexcept;
  // Bodies of loops: scheduler_loops.hpp.
  struct in_body;
  struct kept_body;
  struct first_call_told;
  struct maybe_run;
  struct loop_ahead;
  template<class Body>
  auto counting_passes(const loop_ahead& loop, Body& body);
  template<class Body>
  auto gathered(Body& body);

  void note_launch(detail::step_kind kind, const launch_site& l, std::uint64_t hash_of_name,
    const detail::launch_subject& on = {}) {
    if(history_ != nullptr)
      history_->note(kind, l.task, hash_of_name, l.where, on);
  }

  std::uint32_t used_channel();

  executor& executor_;
  const detail::fiber* const
    maker_; ///< The program runs on the stack that this was made on; tasks have others.
  transport& transport_;
  const transport::sole_use channels_are_ours_;
  const unsigned workers_;
  flow flow_;
  detail::outside_world world_;
  region<detail::outside_world> outside_{flow_, world_, "tasks without a topology"};
  std::uint64_t channels_ = 1;            ///< The first one is that of agree.hpp.
  std::vector<std::uint32_t> given_back_; ///< Other ranks may still use these.
  std::vector<std::uint32_t> free_channels_;
  std::uint64_t cuts_ = 0;
  struct called_loop {
    const char* what = ""; ///< "iterate()".
    std::source_location where;
  };
  called_loop innermost_;    ///< Of the bodies that are being called.
  unsigned bodies_ = 0;      ///< So many are being called,
  unsigned uncertain_ = 0;   ///< and in so many of them not all that is launched runs.
  unsigned loops_ahead_ = 0; ///< The number of these that are `iterate`.
  /// Code of the program is called that must not launch.
  enum class occupation : unsigned char { none, calls_mpi, says_costs };
  occupation occupied_ = occupation::none;
  bool has_swapped_ = false;
  std::uint32_t made_ = 0;
  std::vector<detail::topology_state*> topologies_; ///< As they were made; so are
  std::vector<detail::field_state*> fields_;
  std::vector<detail::field_state*> moved_; ///< In the body of a loop.
  detail::fetches_in_body fetches_; ///< The fetches of the `repeat` whose body is being called.
  std::vector<detail::field_state*>
    separated_; ///< Since the last wait: not yet really, if a task fails.
  std::exception_ptr failure_;
  std::exception_ptr thrown_; ///< By the last `wait` that has thrown something,
  std::string failed_task_;   ///< and of which task that was.
  detail::gathering gathering_{flow_};
  std::unique_ptr<detail::launch_history> kept_history_; ///< Null if there is one rank.
  detail::launch_history* history_; ///< `kept_history_`, where launches are noted.
  std::unique_ptr<detail::divergence_check> check_;
  const int exceptions_; ///< Under way when this was made.
  bool has_ended_ = false;
  detail::message_poller messages_; ///< Looks at the flow.
  struct collective_entry {
    const void* what;
    std::uint32_t over;
    std::unique_ptr<detail::collective> made;
  };
  std::vector<collective_entry>
    collectives_; ///< Reductions, and results of tasks on rank 0. They go first: they send.
  std::vector<std::unique_ptr<detail::field_copy>> copies_; ///< Go with their fields.
  std::unique_ptr<detail::output_desk> output_; ///< Null until something is written or read.
  std::unique_ptr<detail::mpi_turns> mpi_;      ///< Null until a task calls MPI.
};

} // namespace rondo

#include <rondo/distributed/scheduler_launches.hpp>
#include <rondo/distributed/scheduler_loops.hpp>
