#pragma once

/// \file
/// A launch: a task's function, its arguments, its accesses, and how far it has come.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <rondo/core/borrowed.hpp>
#include <rondo/core/job.hpp>
#include <rondo/core/mistakes.hpp>
#include <rondo/core/two_numbers.hpp>
#include <rondo/futures/arguments.hpp>
#include <rondo/futures/future.hpp>
#include <rondo/tracing/access.hpp>
#include <rondo/tracing/hints.hpp>
#include <rondo/tracing/kinds_by_modes.hpp>
#include <rondo/tracing/launch_kind.hpp>
#include <rondo/tracing/region.hpp>
#include <rondo/tracing/same_bytes.hpp>
#include <rondo/tracing/standing_launches.hpp>

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
struct template_node;

executor* executor_of(const batch& b);
/// Makes a launch the executor's, as its hints say.
void enqueue_launch(launch& l);
/// Of launches with futures among their arguments.
struct future_wait : continuation {
  launch* who;
};
/// Of those: as `launch_kind::await`.
bool await_future(launch& l, unsigned i, launch& who);

#ifdef RONDO_CHECKS
struct borrowed_by_launch {
  borrowed_variables by_function, by_values;
};
struct borrows_nothing {};
/// Regions see to their objects themselves.
template<class D>
inline constexpr bool may_be_borrowed =
  may_borrow<D> && !is_access<D> && !is_access_list<D> && !is_future<D>;

/// Throws std::logic_error: `what` points to a variable of a function that has returned; unless tests overlook that.
void refuse_ended_variable(checked_mistake m, const char* what);
#endif

/// One access of a launch.
struct access_entry {
  region_base* to;
  std::uint64_t turn : 56;
  access_mode mode : 8;
};

static_assert(sizeof(access_entry) == 16);

/// What a launch waits for, or does, in this order: docs/protocols/flow.md. In each stage it is at some index.
enum class launch_stage : std::uint8_t {
  futures, ///< Futures among its arguments.
  answer,  ///< Whether its pass of `iterate` runs.
  turns,   ///< Of its accesses.
  edges,   ///< In a trace: other launches.
  locks,   ///< Of regions that it commutes on.
  body,    ///< The program's code, which may end later than it returns.
  folds,   ///< Of its reductions; in a trace only their turns.
  fold_edges,
  end,
};

/// As a job: goes on where it has stopped. The accesses lie right behind it.
struct launch : job, turn_wait {
  launch() : where() {} // the rest is set by those who launch
  const launch_kind* kind;
  batch* home;
  loop_pass* pass;           ///< Of a loop, or null.
  const template_node* node; ///< What it is in a trace; null: what it waits for are its turns.
  union {
    std::uint64_t round;        ///< In a trace: the pass.
    std::source_location where; ///< Else.
  };
  const char* name;
  std::uint32_t index = 0; ///< In its stage: of what it waits for next.
  bool is_simple = false;
  bool is_behind = false;           ///< Counted in `crew_room::behind`.
  std::uint8_t number_in_batch = 0; ///< From 1, where that is kept; 0: it is to be looked for.
  std::uint8_t skipped : 1 = 0;
  std::uint8_t enters : 1 =
    0; ///< In a trace: waits for its turns, too, since others have used a region.
  launch_stage stage : 4 = launch_stage::futures;
  std::uint8_t is_seen : 1 = 0; ///< Observers were told of it.
  /// It has hints: crews pass over it, and the executor has it. In the byte of the stage, so this is for those who have the
  /// launch.
  std::uint8_t is_own_job : 1 = 0;

  void begin(launch_stage s) {
    stage = s;
    index = 0;
  }
  /// One that stands, and is nobody else's now: it is launched so.
  void begin_anew(batch& in, const standing_use& use) {
    home = &in;
    round = use.round;
    pass = use.pass;
    is_simple = use.pass == nullptr;
    begin(launch_stage::futures);
    is_behind = false;
    skipped = false;
  }
  /// Of the program's: it has begun to wait, and not been seen to go on.
  [[nodiscard]] bool is_waiting() const;
  /// So many were launched before it.
  [[nodiscard]] std::uint64_t id() const;
  access_entry* accesses() { return reinterpret_cast<access_entry*>(this + 1); }
  [[nodiscard]] const access_entry* accesses() const {
    return reinterpret_cast<const access_entry*>(this + 1);
  }
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
struct plain_body<hinted<F>> {
  using type = hinted<typename plain_body<F>::type>;
};

/// Hints that are in the name, or an argument.
template<class F, class... A>
inline constexpr bool has_misplaced_hints = (std::is_same_v<A, launch_hints> || ...);
template<class F, class... A>
inline constexpr bool has_misplaced_hints<named<hinted<F>>, A...> = true;

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
decltype(auto) body_of(hinted<F>&& f) {
  return body_of(std::move(f.body));
}
template<class F>
decltype(auto) body_of(hinted<F>& f) {
  return body_of(f.body);
}
template<class F>
decltype(auto) body_of(const hinted<F>& f) {
  return body_of(f.body);
}

template<class F>
const char* name_of(const F&) {
  return "";
}
template<class F>
const char* name_of(const named<F>& f) {
  return f.name;
}
template<class F>
const char* name_of(const hinted<F>& f) {
  return name_of(f.body);
}

/// Where a launch is: where its accesses were made.
template<class F, class... A>
std::source_location place_of(const F&, const A&... a) {
  std::source_location found{};
  [[maybe_unused]] const auto look = [&found](const auto& x) {
    using type = std::remove_cvref_t<decltype(x)>;
    if constexpr(is_access<type>)
      found = x.where;
    else if constexpr(is_access_list<type>)
      if(const std::span<const region_access> all = x; !all.empty())
        found = all.front().where();
    return is_access<type> || found.line() != 0;
  };
  static_cast<void>((look(a) || ...));
  return found;
}
template<class F, class... A>
std::source_location place_of(const named<F>& f, const A&...) {
  return f.where;
}
template<class F, class... A>
std::source_location place_of(const hinted<F>& f, const A&... a) {
  return place_of(f.body, a...);
}

/// The region of an argument that is an access.
template<class A>
void note_region(const A& a, region_base** regions, std::size_t& n) {
  if constexpr(is_access<A>)
    regions[n++] = a.of;
}

/// The argument that is a list of accesses, if there is one.
inline std::span<const region_access> access_list_of() { return {}; }
template<class A, class... More>
std::span<const region_access> access_list_of(const A& a, const More&... more) {
  if constexpr(is_access_list<A>)
    return a;
  else
    return access_list_of(more...);
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
template<class F>
bool does_nothing(const hinted<F>& f) {
  return does_nothing(f.body);
}

/// The function of a launch, as it is kept, without its hints.
template<class F>
struct unhinted {
  using type = F;
};
template<class F>
struct unhinted<hinted<F>> {
  using type = F;
};

/// Whether the function can say more about its launch than its name.
template<class F>
concept has_details = requires(const F& f) {
  { f.details() } -> std::same_as<std::string>;
};

/// The launches of a function with arguments that are kept as these. Behind the launch are its accesses, those that are
/// arguments first, and behind these the function and what else is kept. With a list of accesses, of which there may be
/// any number, the place of that is known at run time only.
template<class Given, class... D>
class launch_of final : public launch {
  using kept = rondo::detail::arguments<D...>;
  using F = typename unhinted<Given>::type;

public:
  static constexpr argument_mask mask = kept::template choose<F>();
  static_assert(mask != kept::none,
    "rondo::flow::submit: the function cannot be called with these arguments. read(r) is handed "
    "over as const T&, all other accesses as T&, a future<T> as const T& (nothing for void) or as "
    "future<T>; all else as rvalues");
  using result = std::decay_t<typename kept::template result<F, mask>::type>;
  static constexpr bool has_result = !std::is_void_v<result>;
  static constexpr bool may_be_left_out = may_do_nothing<F>;
  static constexpr bool has_hints = !std::is_same_v<F, Given>;
  /// Not counting those of a list.
  static constexpr std::size_t access_count = (std::size_t{is_access<D>} + ... + 0);
  static constexpr bool has_list = (is_access_list<D> || ...);
  /// In checked builds: variables of the launching code are looked for.
#ifdef RONDO_CHECKS
  static constexpr bool borrows = may_borrow<F> || (may_be_borrowed<D> || ...);
#else
  static constexpr bool borrows = false;
#endif
  static constexpr std::size_t future_count = kept::template awaited<mask, false>();

  /// Of a launch with so many accesses.
  static constexpr std::size_t size(std::size_t accesses) {
    return has_list ? place_of_content(accesses) + sizeof(content) : sizeof(launch_of);
  }
  static constexpr std::size_t alignment() {
    return has_list ? larger_of(alignof(launch_of), alignof(content)) : alignof(launch_of);
  }

  /// The kind of a launch with these accesses, besides those that are arguments. `expected` is likely to be it.
  static const launch_kind& kind_of([[maybe_unused]] const launch_kind* expected,
    [[maybe_unused]] mode_signature signature,
    [[maybe_unused]] std::span<const region_access> list) {
    if constexpr(has_list) {
      static kinds_by_modes all(the_kind); // as long as the program: launches are known by them
      return all.is(expected, signature, list) ? *expected : all.find(signature, list);
    }
    else
      return the_kind;
  }

  /// In as much memory as `size` says.
  template<class G, class... A>
  static launch_of* make(
    void* memory, const launch_kind& kind, state<result>* to, G&& f, A&&... a) {
    auto* const l = ::new(memory) launch_of;
    l->kind = &kind;
    if constexpr(has_list)
      ::new(static_cast<std::byte*>(memory) + place_of_content(kind.accesses))
        content(to, std::forward<G>(f), std::forward<A>(a)...);
    else
      ::new(static_cast<void*>(&l->fixed_.behind))
        content(to, std::forward<G>(f), std::forward<A>(a)...);
    return l;
  }

  void keep_hints(const launch_hints& h)
    requires has_hints
  {
    here().hints = h;
  }

  /// Needs its turns: those of the regions, in the order of the accesses.
  void list_accesses([[maybe_unused]] region_base* const* regions) {
    unsigned i = 0;
    here().args.each([&](auto& x) {
      if constexpr(is_access<std::remove_cvref_t<decltype(x)>>)
        accesses()[i++] = {x.of, 0, x.mode};
    });
    if constexpr(has_list)
      for(; i != kind->accesses; ++i)
        accesses()[i] = {regions[i], 0, kind->modes[i]};
  }

private:
  template<class D0>
  static constexpr access_mode mode_of() {
    if constexpr(is_access<D0>)
      return D0::mode;
    else
      return access_mode::none;
  }
  /// Of the accesses; one more, since an array of none is none.
  static constexpr auto the_modes = [] {
    std::array<access_mode, access_count + 1> all{};
    [[maybe_unused]] std::size_t n = 0;
    ((is_access<D> ? void(all[n++] = mode_of<D>()) : void()), ...);
    return all;
  }();

  void check_futures() {
    if constexpr(future_count != 0) {
      state_base* bad = nullptr;
      here().args.template each_awaited<mask, true>([&bad](state_base& s) {
        if(bad == nullptr && s.failed())
          bad = &s;
      });
      if(bad != nullptr)
        bad->throw_if_failed();
    }
  }

  /// In checked builds.
  void check_borrowed() {
#ifdef RONDO_CHECKS
    if constexpr(borrows) {
      if(here().borrowed.by_function.have_ended())
        refuse_ended_variable(checked_mistake::captured_variable, "its function");
      if(here().borrowed.by_values.have_ended())
        refuse_ended_variable(checked_mistake::handed_variable, "a value that it is launched with");
    }
#endif
  }

  static void run_body(launch& l) {
    auto& self = static_cast<launch_of&>(l).here();
    static_cast<launch_of&>(l).check_futures();
    static_cast<launch_of&>(l).check_borrowed();
    if constexpr(has_result) {
      self.to->emplace_from(
        [&self]() -> result { return self.args.template call<mask>(self.body); });
      self.to->complete();
      self.to->drop_ref();
      self.to = nullptr;
    }
    else if constexpr(may_stand) {
      F body = self.body; // it may change itself, and the next pass begins with what was launched
      self.args.template call_again<mask>(body);
    }
    else
      self.args.template call<mask>(self.body);
  }

  static void run_body_again(launch& l, [[maybe_unused]] bool is_last_time) {
    if constexpr(kept::is_copyable) {
      auto& self = static_cast<launch_of&>(l).here();
      static_cast<launch_of&>(l).check_futures();
      static_cast<launch_of&>(l).check_borrowed();
      if constexpr(has_result) {
        if(is_last_time) {
          self.to->emplace_from(
            [&self]() -> result { return self.args.template call_again<mask>(self.body); });
          self.to->complete();
          self.to->drop_ref();
          self.to = nullptr;
          return;
        }
      }
      static_cast<void>(self.args.template call_again<mask>(self.body));
    }
  }

  static void fail(launch& l, const std::exception_ptr& why) {
    auto& self = static_cast<launch_of&>(l).here();
    if constexpr(has_result)
      if(self.to != nullptr) {
        self.to->fail(why, true); // the flow tells of the failure; here it is only not to come
        self.to->complete();
        self.to->drop_ref();
        self.to = nullptr;
      }
  }

  static void fold_access(launch& l, unsigned i) {
    auto& self = static_cast<launch_of&>(l).here();
    unsigned at = 0;
    self.args.each([&](auto& x) {
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
      return &static_cast<launch_of&>(l).here().body;
    else
      return nullptr;
  }

  static bool is_body_ready([[maybe_unused]] launch& l) {
    if constexpr(may_be_ready<F>) {
      auto& self = static_cast<launch_of&>(l).here();
      auto ask = [&self](auto&&... a) -> bool {
        return self.body.body.is_ready(std::forward<decltype(a)>(a)...);
      };
      return self.args.template call_again<mask>(ask);
    }
    else
      return true;
  }
  static void run_body_now([[maybe_unused]] launch& l, bool) {
    if constexpr(may_be_ready<F>) {
      auto& self = static_cast<launch_of&>(l).here();
      auto run_it = [&self](auto&&... a) { self.body.body.now(std::forward<decltype(a)>(a)...); };
      self.args.template call_again<mask>(run_it);
    }
  }

  static bool does_body_nothing([[maybe_unused]] const launch& l) {
    return detail::does_nothing(static_cast<const launch_of&>(l).here().body);
  }

  static std::string details_of([[maybe_unused]] const launch& l) {
    if constexpr(has_details<F>)
      return static_cast<const launch_of&>(l).here().body.details();
    else
      return {};
  }

  static launch_hints hints_of([[maybe_unused]] const launch& l) {
    if constexpr(has_hints)
      return static_cast<const launch_of&>(l).here().hints;
    else
      return {};
  }

  static void end_launch(launch& l) noexcept {
    auto& self = static_cast<launch_of&>(l);
    self.here().~content();
    self.~launch_of();
  }

  static awaited_future future_of([[maybe_unused]] launch& l, [[maybe_unused]] unsigned i) {
    if constexpr(future_count != 0) {
      auto& self = static_cast<launch_of&>(l).here();
      state_base* awaited = nullptr;
      unsigned at = 0;
      self.args.template each_awaited<mask, false>([&](state_base& s) {
        if(at++ == i)
          awaited = &s;
      });
      return {awaited, &self.wait};
    }
    else
      return {};
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
    .await = future_count != 0 ? &await_future : nullptr,
    .future = future_count != 0 ? &future_of : nullptr,
    .run_again = kept::is_copyable ? &run_body_again : nullptr,
    .later = is_later<F> ? &later_of : nullptr,
    .is_ready = may_be_ready<F> ? &is_body_ready : nullptr,
    .run_now = may_be_ready<F> ? &run_body_now : nullptr,
    .does_nothing = may_do_nothing<F> ? &does_body_nothing : nullptr,
    .details = has_details<F> ? &details_of : nullptr,
    .hints = has_hints ? &hints_of : nullptr,
    .modes = the_modes.data(),
    .futures = future_count,
    .accesses = access_count,
    .commuting = count(access_mode::commute),
    .reducing = count(access_mode::reduce),
    .is_plain =
      !is_later<F> && future_count + count(access_mode::commute) + count(access_mode::reduce) == 0,
    .ends_by_itself = !borrows && std::is_trivially_destructible_v<F> &&
                      (std::is_trivially_destructible_v<D> && ...),
    .has_result = has_result,
  };
  /// Where the launch of the next pass has the same values, one object may serve both: standing_launches.hpp. With a list of
  /// accesses its own kind has to be simple as well.
  static constexpr bool may_stand = the_kind.is_simple() && !has_hints && !has_result &&
                                    !may_be_left_out && is_small_and_plain<F> &&
                                    (is_small_and_plain<D> && ...);
  /// It would be made of the same bytes; regions are not looked at.
  template<class... A>
  [[nodiscard]] bool has_same_values(const F& f, const A&... a) const
    requires may_stand
  {
    const auto is_same = []<class X>(const X& own, const auto& given) {
      if constexpr(is_access<X>)
        return true;
      else
        return are_same_bytes<X>(own, given);
    };
    return are_same_bytes(here().body, f) && here().args.are_all(is_same, a...);
  }

private:
  struct no_wait {};
  struct no_result {};
  struct no_hints {};
  /// The function and what else is kept.
  struct content {
    template<class G, class... A>
    content([[maybe_unused]] state<result>* s, G&& f, A&&... a)
        : body(std::forward<G>(f)), args(std::in_place, std::forward<A>(a)...) {
      static_assert(!is_later<F> || count(access_mode::write) != 0,
        "rondo::flow::submit: a task that ends later needs a region that it writes");
      static_assert(!is_later<F> || count(access_mode::reduce) == 0,
        "rondo::flow::submit: a task that ends later can't reduce");
      static_assert(!may_be_ready<F> || future_count + count(access_mode::commute) == 0);
      static_assert(
        !may_be_left_out || (!has_result && count(access_mode::read) + count(access_mode::write) +
                                                count(access_mode::write_part) + has_list ==
                                              sizeof...(D)));
      if constexpr(has_result)
        to = s;
#ifdef RONDO_CHECKS
      if constexpr(borrows) {
        borrowed.by_function.look_at(body);
        args.each([this](const auto& x) {
          if constexpr(may_be_borrowed<std::remove_cvref_t<decltype(x)>>)
            borrowed.by_values.look_at(x);
        });
      }
#endif
    }

    [[no_unique_address]] std::conditional_t<future_count != 0, future_wait, no_wait> wait;
    [[no_unique_address]] std::conditional_t<has_result, state<result>*, no_result> to;
    [[no_unique_address]] std::conditional_t<has_hints, launch_hints, no_hints> hints;
    [[no_unique_address]] F body;
    [[no_unique_address]] kept args;
#ifdef RONDO_CHECKS
    [[no_unique_address]] std::conditional_t<borrows, borrowed_by_launch, borrows_nothing> borrowed;
#endif
  };

  /// Without a list: all of it.
  struct fixed_behind {
    fixed_behind() {
    } // NOLINT(modernize-use-equals-default): `make` and `end_launch` see to the content
    ~fixed_behind() {}
    std::array<access_entry, access_count> accesses; // first: launch::accesses()
    union {
      content behind;
    };
  };
  struct nothing_behind {};

  launch_of() = default;

  static constexpr std::size_t place_of_content(std::size_t accesses) {
    const std::size_t end = sizeof(launch) + accesses * sizeof(access_entry);
    return (end + alignof(content) - 1) / alignof(content) * alignof(content);
  }
  content& here() {
    if constexpr(has_list)
      return *std::launder(reinterpret_cast<content*>(
        reinterpret_cast<std::byte*>(this) + place_of_content(kind->accesses)));
    else
      return fixed_.behind;
  }
  [[nodiscard]] const content& here() const { return const_cast<launch_of*>(this)->here(); }

  [[no_unique_address]] std::conditional_t<has_list, nothing_behind, fixed_behind> fixed_;
};

} // namespace detail::inline tracing
} // namespace rondo
