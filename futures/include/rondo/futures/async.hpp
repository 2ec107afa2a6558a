#pragma once

/// \file
/// `async`: tasks with results, and with arguments that may not be there yet.
///
/// \code
///   rondo::executor ex;
///   auto mesh = rondo::async(ex, load, "wing.msh");            // future<mesh_data>
///   auto rows = rondo::async(ex, [](const mesh_data& m) { return assemble(m); }, mesh);
///   auto norm = rondo::async(ex, {.name = "norm", .stop = stop}, norm_of, rows);
///   std::printf("%g\n", norm.get());
/// \endcode
///
/// A future among the arguments delays the start until it is ready; the task takes its value, as
/// `T const&` (nothing for void), or the ready future itself, as `future<T>`. If it failed, the task
/// does not run, and fails likewise. All other arguments are copied or moved in, and out again.
///
/// If the task returns a future, or is a coroutine that returns `coroutine<T>`, the result is a
/// future of the value in the end, however many of them lie in between.

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/running_task.hpp>
#include <rondo/futures/arguments.hpp>
#include <rondo/futures/coroutine.hpp>
#include <rondo/futures/future.hpp>
#include <rondo/futures/unwrap.hpp>

namespace rondo {

namespace detail::inline futures {

/// What most tasks do without.
struct no_extras {
  static constexpr bool runs_always = false;
  static constexpr bool is_plain = true; // all that `enqueue` does is executor::enqueue(j)
  static constexpr const char* name = "";
  static constexpr made_by maker = made_by::task;
  static bool skipped() { return false; }
  struct running {
    explicit running(const no_extras&) {}
  };
  static void enqueue(executor& home, job* j) { engine_of(home).enqueue(j); }
};

/// Of `then`.
struct of_then : no_extras {
  static constexpr made_by maker = made_by::then;
};

/// `then` with a body that wants to know how it ended.
struct run_always : of_then {
  static constexpr bool runs_always = true;
};

struct with_options {
  static constexpr bool runs_always = false;
  static constexpr bool is_plain = false;
  static constexpr made_by maker = made_by::task;
  const char* name;
  task_options options;
  explicit with_options(task_options o) : name(o.name), options(std::move(o)) {}
  [[nodiscard]] bool skipped() const { return options.stop.stop_requested(); }
  void enqueue(executor& home, job* j) const { engine_of(home).enqueue(j, options); }
  struct running : running_task {
    explicit running(const with_options& o) : running_task(&name_of, &o) {}
    static const char* name_of(const void* o) { return static_cast<const with_options*>(o)->name; }
  };
};

/// A task that has its value later returns one of these, without futures and coroutines in between.
template<class T>
future<unwrapped<T>> flattened(future<T> f) {
  if constexpr(is_future<T>) {
    const std::source_location where = access::checked(f).site().where;
    return flattened(T(std::move(f), where));
  }
  else
    return f;
}
template<class T>
coroutine<unwrapped<T>> flattened(coroutine<T> body);
template<class T>
coroutine<unwrapped<T>> flattened_later(coroutine<T> body) {
  auto inner = flattened(co_await std::move(body));
  co_return co_await std::move(inner);
}
template<class T>
coroutine<unwrapped<T>> flattened(coroutine<T> body) {
  if constexpr(is_future<T> || is_coroutine<T>)
    return flattened_later(std::move(body));
  else
    return body;
}

/// The state of a future that a task makes, and the task.
template<class R, class F, class Extras, argument_mask Mask, class... D>
class async_state final : public state<unwrapped<R>> {
public:
  template<class G, class... A>
  async_state(on where, Extras extras, G&& f, A&&... a)
      // A future's reference; the task has none, it ends the state if there is no future left.
      : state<unwrapped<R>>(&where.ex, where.where, state_base::one_handle + 1),
        extras_(std::move(extras)), body_(std::forward<G>(f), std::forward<A>(a)...) {
    this->run = &run_task;
  }
  ~async_state() {} // NOLINT: the body has ended before

  /// Waits for the arguments, then for a worker.
  void launch() {
    if constexpr(waits != 0)
      try {
        each_awaited([](state_base&) {}); // throws if one of them is a future of nothing
      }
      catch(...) {
        std::destroy_at(&body_);
        this->run = nullptr; // no task: the state ends with the future
        throw;
      }
    engine_of(*this->home()).begin_activity();
    if constexpr(waits == 0)
      extras_.enqueue(*this->home(), this);
    else if constexpr(links)
      each_awaited([this](state_base& s) {
        if(!s.add(*this))
          extras_.enqueue(*this->home(), this);
      });
    else {
      start_.open.store(waits + 1, std::memory_order_relaxed);
      std::size_t i = 0;
      std::uint32_t ready = 1;
      each_awaited([&](state_base& s) {
        wait& w = start_.of[i++];
        w.fire = &argument_ready;
        w.owner = this;
        if(!s.add(w))
          ++ready;
      });
      arrive(ready);
    }
  }

  [[nodiscard]] const char* name() const override { return extras_.name; }
  [[nodiscard]] made_by maker() const override { return Extras::maker; }

private:
  /// A coroutine waits by itself for the futures that it takes as futures.
  static constexpr bool awaits = is_coroutine<std::remove_cvref_t<R>>;
  static constexpr std::size_t waits = arguments<D...>::template awaited<Mask, awaits>();
  /// The state itself is in the list of the only one that it waits for.
  static constexpr bool links = waits == 1 && Extras::is_plain;
  struct wait : continuation {
    async_state* owner;
  };
  struct countdown_to_start {
    std::atomic<std::uint32_t> open{0};
    std::array<wait, waits> of;
  };
  struct body_and_arguments {
    template<class G, class... A>
    explicit body_and_arguments(G&& g, A&&... a)
        : f(std::forward<G>(g)), args(std::in_place, std::forward<A>(a)...) {}
    [[no_unique_address]] F f;
    [[no_unique_address]] arguments<D...> args;
  };

  template<class G>
  void each_awaited(G&& g) {
    body_.args.template each_awaited<Mask, awaits>(std::forward<G>(g));
  }

  static void argument_ready(continuation* c) { static_cast<wait*>(c)->owner->arrive(1); }

  /// acq_rel: the last one to arrive has what all arguments were made of.
  void arrive(std::uint32_t count) {
    if(start_.open.fetch_sub(count, std::memory_order_acq_rel) == count)
      extras_.enqueue(*this->home(), this);
  }

  static void run_task(job* j, worker& w) {
    auto* const self = static_cast<async_state*>(static_cast<state_base*>(j));
    w.begin_task();
    bool ended = true;
    w.observe(
      [&] {
        return task_info{task_info::kind_type::task, self->extras_.name, self->site().where};
      },
      [&] { ended = self->execute(); });
    if(ended) {
      std::destroy_at(&self->body_);
      worker_here().at_end_of_job([self] { self->complete(); });
    }
    // The body may have waited, and moved; and so may destructors of what it held.
    worker& last = worker_here();
    last.end_task();
    if(ended)
      last.finished.add_one();
  }

  /// Returns false if the value will come later.
  bool execute() {
    if(extras_.skipped()) {
      this->fail(std::make_exception_ptr(cancelled()), true);
      return true;
    }
    if constexpr(waits != 0 && !Extras::runs_always) {
      state_base* bad = nullptr;
      each_awaited([&bad](state_base& s) {
        if(bad == nullptr && s.failed())
          bad = &s;
      });
      if(bad != nullptr) {
        this->fail_like(*bad);
        return true;
      }
    }
    try {
      [[maybe_unused]] const typename Extras::running here(extras_);
      return call();
    }
    catch(const cancelled&) {
      this->fail(std::current_exception(), true);
    }
    catch(...) {
      this->fail(std::current_exception());
    }
    return true;
  }

  bool call() {
    if constexpr(is_future<std::remove_cvref_t<R>>) {
      inner_ = flattened(body_.args.template call<Mask>(body_.f));
      auto& s = access::checked(inner_);
      later_.fire = [](continuation* c) {
        auto* const self = static_cast<wait*>(c)->owner;
        hand_on(self->inner_, *self);
        self->end_later();
      };
      later_.owner = this;
      if(s.add(later_))
        return false;
      hand_on(inner_, *this);
      inner_ = {};
    }
    else if constexpr(is_coroutine<std::remove_cvref_t<R>>) {
      inner_ = flattened(body_.args.template call<Mask>(body_.f));
      inner_.start(this, [](void* root) {
        auto* const self = static_cast<async_state*>(root);
        self->inner_.deliver(*self);
        self->end_later();
      });
      return false;
    }
    else
      this->emplace_from(
        [this]() -> decltype(auto) { return body_.args.template call<Mask>(body_.f); });
    return true;
  }

  /// On whatever thread has made the inner value.
  void end_later() {
    inner_ = {};
    std::destroy_at(&body_);
    executor& home = *this->home();
    this->complete();
    engine_of(home).end_activity();
  }

  [[no_unique_address]] Extras extras_;
  struct unused {};
  struct starts_at_once {};
  [[no_unique_address]] std::conditional_t<waits == 0 || links, starts_at_once, countdown_to_start>
    start_;
  static constexpr bool is_late =
    is_future<std::remove_cvref_t<R>> || is_coroutine<std::remove_cvref_t<R>>;
  using late_value = std::conditional_t<is_future<std::remove_cvref_t<R>>, future<unwrapped<R>>,
    coroutine<unwrapped<R>>>;
  [[no_unique_address]] std::conditional_t<is_late, late_value, unused> inner_;
  [[no_unique_address]] std::conditional_t<is_late, wait, unused> later_;
  union {
    body_and_arguments body_;
  };

  void destroy() noexcept override { end_state(this); }
};

template<class Extras, class F, class... A>
auto launch_task(on where, Extras extras, F&& f, A&&... a) {
  using body = std::decay_t<F>;
  using kept = arguments<std::decay_t<A>...>;
  constexpr argument_mask mask = kept::template choose<body>();
  static_assert(mask != kept::none,
    "rondo::async: the task cannot be called with these arguments. A future<T> is handed over as "
    "T const& (nothing for void), or as future<T>; all others as rvalues");
  using result = typename kept::template result<body, mask>::type;
  using made = async_state<result, body, Extras, mask, std::decay_t<A>...>;
  // Before anything has begun. A coroutine awaits its arguments by itself.
  argument_mask argument = is_coroutine<std::remove_cvref_t<result>> ? mask : 0;
  (((argument & 1U) != 0 ? void() : require_valid(a), argument >>= 1U), ...);
  auto* const s =
    make_state<made>(where, std::move(extras), std::forward<F>(f), std::forward<A>(a)...);
  auto made_future = access::adopt<unwrapped<result>>(s);
  s->launch();
  return made_future;
}

} // namespace detail::inline futures

/// Runs `f(args...)` as a task and returns the future of what it returns.
template<class F, class... A>
  requires(!std::is_same_v<std::remove_cvref_t<F>, task_options>)
[[nodiscard]] auto async(on where, F&& f, A&&... args) {
  return detail::launch_task(
    where, detail::no_extras{}, std::forward<F>(f), std::forward<A>(args)...);
}

/// The same with a name, a priority, a worker, a stop token.
template<class F, class... A>
[[nodiscard]] auto async(on where, task_options options, F&& f, A&&... args) {
  return detail::launch_task(
    where, detail::with_options(std::move(options)), std::forward<F>(f), std::forward<A>(args)...);
}

/// Starts a coroutine.
template<class T>
[[nodiscard]] future<T> async(on where, coroutine<T> body) {
  detail::access::checked(body);
  return detail::launch_task(
    where, detail::no_extras{}, [](coroutine<T>&& t) { return std::move(t); }, std::move(body));
}

// ---- then ------------------------------------------------------------------------------------

namespace detail::inline futures {
inline executor& executor_for(const state_base& s) {
  if(s.home() != nullptr)
    return *s.home();
  worker* const w = this_worker();
  return w != nullptr ? w->home() : default_executor();
}
} // namespace detail::inline futures

template<class T>
template<class F>
auto future<T>::launch_then(F&& f, const std::source_location& where) && {
  const on there(detail::executor_for(checked()), where);
  return std::move(*this).launch_then(there, std::forward<F>(f));
}

template<class T>
template<class F>
auto future<T>::launch_then(on where, F&& f) && {
  checked();
  if constexpr(detail::takes_value<std::decay_t<F>, T>)
    return detail::launch_task(where, detail::of_then{}, std::forward<F>(f), std::move(*this));
  else
    return detail::launch_task(where, detail::run_always{}, std::forward<F>(f), std::move(*this));
}

} // namespace rondo
