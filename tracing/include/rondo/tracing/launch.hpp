#pragma once

/// \file
/// A launch: a task's function, its arguments, its accesses, and how far it has come.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <source_location>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <rondo/core/job.hpp>
#include <rondo/futures/arguments.hpp>
#include <rondo/futures/future.hpp>
#include <rondo/tracing/access.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo {

class flow;

/// A task's function with a name for messages: `flow.submit(named("relax", relax), write(u))`. Also
/// tells where the launch is, for those without any access.
template<class F>
struct named {
  named(const char* n, F f, std::source_location w = std::source_location::current())
      : name(n), body(std::move(f)), where(w) {}
  const char* name;
  F body;
  std::source_location where;
};

namespace detail::inline tracing {

struct batch;
struct launch;
struct loop_pass;
class later_state;
struct template_node;

executor* executor_of(const batch& b);

/// One access of a launch.
struct access_entry {
  region_base* to;
  std::uint64_t turn : 56;
  access_mode mode : 8;
};

static_assert(sizeof(access_entry) == 16);

/// What all launches of one type have in common.
struct launch_kind {
  void (*run)(launch& l) = nullptr; ///< Null: nothing is run.
  /// Instead of `run`, after an earlier launch has failed.
  void (*skip)(launch& l, const std::exception_ptr& why) = nullptr;
  void (*fold)(launch& l, unsigned access) = nullptr;
  void (*end)(launch& l) noexcept = nullptr;
  /// False: `who`, mostly the launch, is told when its i-th future is ready.
  bool (*await)(launch& l, unsigned i, launch& who) = nullptr;
  /// `run` as often as one likes: keeps the arguments, and the result only the last time. Null if
  /// an argument can't be copied.
  void (*run_again)(launch& l, bool is_last_time) = nullptr;
  /// Null, or gives what says that the launch has ended: later.hpp.
  later_state* (*later)(launch& l) = nullptr;
  /// Null, or: where that is true `run_now`, like `run_again`, does all of it, and it ends at once.
  bool (*is_ready)(launch& l) = nullptr;
  void (*run_now)(launch& l, bool is_last_time) = nullptr;
  /// Null, or: where that is true it would only wait, and what comes after it may do so itself.
  bool (*does_nothing)(const launch& l) = nullptr;
  /// Null, or what the function says of the launch, such as the color it is for: for messages.
  std::string (*details)(const launch& l) = nullptr;
  const access_mode* modes = nullptr; ///< Of the accesses.
  std::uint16_t futures = 0;
  std::uint16_t accesses = 0;
  std::uint16_t commuting = 0;
  std::uint16_t reducing = 0;
  bool is_plain = false;       ///< All that it waits for is its turns.
  bool ends_by_itself = false; ///< `end` would do nothing.
  bool has_result = false;
  /// Null, or another one whose launches do the same: an instance of a closed loop does what its prototype does.
  const launch_kind* like = nullptr;

  /// What its launches are known by, where some are remembered.
  [[nodiscard]] const launch_kind* identity() const { return like != nullptr ? like : this; }
  /// Of a launch without anything special, that is all there is to do: wait, run, tell.
  [[nodiscard]] constexpr bool is_simple() const { return is_plain && ends_by_itself; }
};

/// As a job: goes on where it has stopped. The accesses lie right behind it.
struct launch : job, turn_wait {
  launch() : where() {} // the rest is set by those who launch
  const launch_kind* kind;
  batch* home;
  const loop_pass* pass;     ///< Of a loop, or null.
  const template_node* node; ///< What it is in a trace; null: what it waits for are its turns.
  union {
    std::uint64_t round;        ///< In a trace: the pass.
    std::source_location where; ///< Else.
  };
  const char* name;
  std::uint32_t stage = 0; ///< What it has been through: docs/protocols/flow.md.
  bool is_simple = false;
  bool skipped = false;
  bool is_behind = false; ///< Counted in `crew_room::behind`.
  bool enters = false; ///< In a trace: waits for its turns, too, since others have used a region.

  /// So many were launched before it.
  [[nodiscard]] std::uint64_t id() const;
  access_entry* accesses() { return reinterpret_cast<access_entry*>(this + 1); }
  [[nodiscard]] std::string describe();
  /// The same with more: "task 'relax', color 3, launched at main.cpp:20".
  [[nodiscard]] std::string describe_fully() const;
};

template<class F>
struct plain_body {
  using type = F;
};
template<class F>
struct plain_body<named<F>> {
  using type = F;
};

template<class F>
F&& body_of(F&& f) {
  return std::forward<F>(f);
}
template<class F>
F&& body_of(named<F>&& f) {
  return std::move(f.body);
}
template<class F>
F& body_of(named<F>& f) {
  return f.body;
}
template<class F>
const F& body_of(const named<F>& f) {
  return f.body;
}

template<class F>
const char* name_of(const F&) {
  return "";
}
template<class F>
const char* name_of(const named<F>& f) {
  return f.name;
}

/// Where a launch is: where its accesses were made.
template<class F, class... A>
std::source_location place_of(const F&, const A&... a) {
  std::source_location found{};
  [[maybe_unused]] const auto look = [&found](const auto& x) {
    if constexpr(is_access<std::remove_cvref_t<decltype(x)>>)
      found = x.where;
    return is_access<std::remove_cvref_t<decltype(x)>>;
  };
  static_cast<void>((look(a) || ...));
  return found;
}
template<class F, class... A>
std::source_location place_of(const named<F>& f, const A&...) {
  return f.where;
}

/// The region of an argument that is an access.
template<class A>
void note_region(const A& a, region_base** regions, std::size_t& n) {
  if constexpr(is_access<A>)
    regions[n++] = a.of;
}

/// Whether the function is one of later.hpp.
template<class F>
inline constexpr bool is_later = false;
/// And one that may be run at once where it says so.
template<class F>
inline constexpr bool may_be_ready = false;
/// Whether the function says that it would do nothing: its launch is there for the order only.
template<class F>
concept may_do_nothing = requires(const F& f) {
  { f.does_nothing() } -> std::same_as<bool>;
};
template<class F>
bool does_nothing(const F& f) {
  if constexpr(may_do_nothing<F>)
    return f.does_nothing();
  else
    return false;
}
template<class F>
bool does_nothing(const named<F>& f) {
  return does_nothing(f.body);
}

/// Whether the function can say more about its launch than its name.
template<class F>
concept has_details = requires(const F& f) {
  { f.details() } -> std::same_as<std::string>;
};

template<class F, class... D>
class launch_of final : public launch {
  using kept = rondo::detail::arguments<D...>;

public:
  static constexpr argument_mask mask = kept::template choose<F>();
  static_assert(mask != kept::none,
    "rondo::flow::submit: the function cannot be called with these arguments. read(r) is handed "
    "over as const T&, all other accesses as T&, a future<T> as const T& (nothing for void) or as "
    "future<T>; all else as rvalues");
  using result =
    std::decay_t<typename applies<F, typename kept::template list<mask>>::result::type>;
  static constexpr bool has_result = !std::is_void_v<result>;
  static constexpr bool may_be_left_out = may_do_nothing<F>;
  static constexpr std::size_t access_count = (std::size_t{is_access<D>} + ... + 0);
  static constexpr std::size_t future_count = kept::template awaited<mask, false>();

  template<class G, class... A>
  launch_of([[maybe_unused]] state<result>* to, G&& f, A&&... a)
      : body_(std::forward<G>(f)), args_(std::in_place, std::forward<A>(a)...) {
    static_assert(!is_later<F> || count(access_mode::write) != 0,
      "rondo::flow::submit: a task that ends later needs a region that it writes");
    static_assert(!is_later<F> || count(access_mode::reduce) == 0,
      "rondo::flow::submit: a task that ends later can't reduce");
    static_assert(!may_be_ready<F> || future_count + count(access_mode::commute) == 0);
    static_assert(
      !may_be_left_out ||
      (!has_result && count(access_mode::read) + count(access_mode::write) == sizeof...(D)));
    if constexpr(has_result)
      to_ = to;
    kind = &the_kind;
  }

  /// Needs its turns: those of the arguments that are accesses.
  void list_accesses() {
    unsigned i = 0;
    args_.each([&](auto& x) {
      if constexpr(is_access<std::remove_cvref_t<decltype(x)>>)
        accesses_[i++] = {x.of, 0, x.mode};
    });
  }

private:
  template<access_mode... M>
  struct mode_list {
    static constexpr access_mode values[] = {M..., access_mode::none};
  };
  template<class... Modes>
  static constexpr auto modes_of(std::tuple<Modes...>) -> mode_list<Modes::value...>;
  template<class D0>
  static constexpr auto mode_of() {
    if constexpr(is_access<D0>)
      return std::tuple<std::integral_constant<access_mode, D0::mode>>();
    else
      return std::tuple<>();
  }
  using the_modes = decltype(modes_of(std::tuple_cat(mode_of<D>()...)));

  void check_futures() {
    if constexpr(future_count != 0) {
      state_base* bad = nullptr;
      args_.template each_awaited<mask, true>([&bad](state_base& s) {
        if(bad == nullptr && s.failed())
          bad = &s;
      });
      if(bad != nullptr)
        bad->throw_if_failed();
    }
  }

  static void run_body(launch& l) {
    auto& self = static_cast<launch_of&>(l);
    self.check_futures();
    if constexpr(has_result) {
      self.to_->emplace_from(
        [&self]() -> result { return self.args_.template call<mask>(self.body_); });
      self.to_->complete();
      self.to_->drop_ref();
      self.to_ = nullptr;
    }
    else
      self.args_.template call<mask>(self.body_);
  }

  static void run_body_again(launch& l, [[maybe_unused]] bool is_last_time) {
    if constexpr(kept::is_copyable) {
      auto& self = static_cast<launch_of&>(l);
      self.check_futures();
      if constexpr(has_result) {
        if(is_last_time) {
          self.to_->emplace_from(
            [&self]() -> result { return self.args_.template call_again<mask>(self.body_); });
          self.to_->complete();
          self.to_->drop_ref();
          self.to_ = nullptr;
          return;
        }
      }
      static_cast<void>(self.args_.template call_again<mask>(self.body_));
    }
  }

  static void fail(launch& l, const std::exception_ptr& why) {
    auto& self = static_cast<launch_of&>(l);
    if constexpr(has_result)
      if(self.to_ != nullptr) {
        self.to_->fail(why, true); // the flow tells of the failure; here it is only not to come
        self.to_->complete();
        self.to_->drop_ref();
        self.to_ = nullptr;
      }
  }

  static void fold_access(launch& l, unsigned i) {
    auto& self = static_cast<launch_of&>(l);
    unsigned at = 0;
    self.args_.each([&](auto& x) {
      using type = std::remove_cvref_t<decltype(x)>;
      if constexpr(is_access<type>) {
        if constexpr(type::mode == access_mode::reduce)
          if(at == i)
            x.fold();
        ++at;
      }
    });
  }

  static later_state* later_of([[maybe_unused]] launch& l) {
    if constexpr(is_later<F>)
      return &static_cast<launch_of&>(l).body_;
    else
      return nullptr;
  }

  static bool is_body_ready([[maybe_unused]] launch& l) {
    if constexpr(may_be_ready<F>) {
      auto& self = static_cast<launch_of&>(l);
      auto ask = [&self](auto&&... a) -> bool {
        return self.body_.body.is_ready(std::forward<decltype(a)>(a)...);
      };
      return self.args_.template call_again<mask>(ask);
    }
    else
      return true;
  }
  static void run_body_now([[maybe_unused]] launch& l, bool) {
    if constexpr(may_be_ready<F>) {
      auto& self = static_cast<launch_of&>(l);
      auto run_it = [&self](auto&&... a) { self.body_.body.now(std::forward<decltype(a)>(a)...); };
      self.args_.template call_again<mask>(run_it);
    }
  }

  static bool does_body_nothing([[maybe_unused]] const launch& l) {
    return detail::does_nothing(static_cast<const launch_of&>(l).body_);
  }

  static std::string details_of([[maybe_unused]] const launch& l) {
    if constexpr(has_details<F>)
      return static_cast<const launch_of&>(l).body_.details();
    else
      return {};
  }

  static void end_launch(launch& l) noexcept { static_cast<launch_of&>(l).~launch_of(); }

  static bool await_future(launch& l, [[maybe_unused]] unsigned i, [[maybe_unused]] launch& who) {
    [[maybe_unused]] auto& self = static_cast<launch_of&>(l);
    if constexpr(future_count != 0) {
      state_base* awaited = nullptr;
      unsigned at = 0;
      self.args_.template each_awaited<mask, false>([&](state_base& s) {
        if(at++ == i)
          awaited = &s;
      });
      self.wait_.fire = [](continuation* c) {
        auto* const w = static_cast<future_wait*>(c);
        executor_of(*w->who->home)->enqueue(w->who);
      };
      self.wait_.who = &who;
      return !awaited->add(self.wait_); // from here on the launch may be anywhere
    }
    else
      return true;
  }

  static constexpr std::uint16_t count(access_mode m) {
    std::uint16_t n = 0;
    [[maybe_unused]] const auto one = [&]<class X>(std::type_identity<X>) {
      if constexpr(is_access<X>)
        n += X::mode == m ? 1 : 0;
    };
    (one(std::type_identity<D>{}), ...);
    return n;
  }

public:
  static constexpr launch_kind the_kind = {
    .run = &run_body,
    .skip = &fail,
    .fold = &fold_access,
    .end = &end_launch,
    .await = &await_future,
    .run_again = kept::is_copyable ? &run_body_again : nullptr,
    .later = is_later<F> ? &later_of : nullptr,
    .is_ready = may_be_ready<F> ? &is_body_ready : nullptr,
    .run_now = may_be_ready<F> ? &run_body_now : nullptr,
    .does_nothing = may_do_nothing<F> ? &does_body_nothing : nullptr,
    .details = has_details<F> ? &details_of : nullptr,
    .modes = the_modes::values,
    .futures = future_count,
    .accesses = access_count,
    .commuting = count(access_mode::commute),
    .reducing = count(access_mode::reduce),
    .is_plain =
      !is_later<F> && future_count + count(access_mode::commute) + count(access_mode::reduce) == 0,
    .ends_by_itself =
      std::is_trivially_destructible_v<F> && (std::is_trivially_destructible_v<D> && ...),
    .has_result = has_result,
  };

private:
  struct no_wait {};
  struct no_result {};
  struct future_wait : continuation {
    launch* who;
  };

  std::array<access_entry, access_count> accesses_; // first: launch::accesses()
  [[no_unique_address]] std::conditional_t<future_count != 0, future_wait, no_wait> wait_;
  [[no_unique_address]] std::conditional_t<has_result, state<result>*, no_result> to_;
  [[no_unique_address]] F body_;
  [[no_unique_address]] kept args_;
};

} // namespace detail::inline tracing
} // namespace rondo
