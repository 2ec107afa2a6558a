#pragma once

/// \file
/// Points in a ring, each of which is made anew from its neighbours, again and again: what lanes are for.

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <rondo/flow.hpp>
#include <rondo/futures.hpp>
#include <rondo/tracing/trace.hpp>

#include "random_programs.hpp"

namespace rondo::ring_program {

/// Points in a ring, and a pass in which each is made from its neighbours, twice.
class ring {
public:
  explicit ring(std::size_t width, unsigned workers = 2)
      : ex_(executor_options{.workers = workers, .shares_cores = false}), f_(ex_) {
    for(auto* const values : {&now_, &then_}) {
      values->resize(width);
      for(std::uint64_t i = 0; i != width; ++i)
        (*values)[i] = i;
    }
    for(std::size_t i = 0; i != width; ++i) {
      from_.emplace_back(f_, now_[i]);
      to_.emplace_back(f_, then_[i]);
    }
  }

  template<class Task>
  void launch_pass(const Task& task) {
    launch_half(from_, to_, task);
    launch_half(to_, from_, task);
  }
  template<class Task>
  std::vector<std::uint64_t> repeat(std::uint64_t passes, const Task& task) {
    f_.repeat(passes, [&] { launch_pass(task); });
    f_.wait();
    return now_;
  }
  /// `between(pass)` after each pass, outside of the guard.
  template<class Task, class Between>
  std::vector<std::uint64_t> replay(std::uint64_t passes, const Task& task, Between between) {
    for(std::uint64_t p = 0; p != passes; ++p) {
      {
        const auto guard = t_.make_guard(f_);
        launch_pass(task);
      }
      between(p);
    }
    f_.wait();
    return now_;
  }
  template<class Task>
  std::vector<std::uint64_t> replay(std::uint64_t passes, const Task& task) {
    return replay(passes, task, [](std::uint64_t) {});
  }
  template<class Task>
  std::vector<std::uint64_t> launch(std::uint64_t passes, const Task& task) {
    for(std::uint64_t p = 0; p != passes; ++p)
      launch_pass(task);
    f_.wait();
    return now_;
  }
  executor& home() { return ex_; }
  rondo::flow& flow() { return f_; }
  region<std::uint64_t>& point(std::size_t i) { return from_[i]; }
  [[nodiscard]] std::string trace_text() const { return t_.text(); }

  /// What `launch_half` launches, as it is remembered.
  void record(detail::recording& r, std::size_t points) {
    static constexpr detail::access_mode modes[] = {
      detail::access_mode::read, detail::access_mode::read, detail::access_mode::write};
    static constexpr detail::launch_kind kind = {
      .modes = modes, .accesses = 3, .is_plain = true, .ends_by_itself = true};
    for(auto [a, b] : {std::pair(&from_, &to_), std::pair(&to_, &from_)})
      for(std::size_t i = 0; i != points; ++i) {
        detail::region_base* const used[] = {&(*a)[i], &(*a)[(i + 1) % a->size()], &(*b)[i]};
        r.add({&kind, used, {}, "point"});
      }
  }

  /// Two launches for a point each, and so many more for one of the two, in any order.
  void record_one_busy_point(detail::recording& r, std::size_t more) {
    static constexpr detail::access_mode modes[] = {
      detail::access_mode::write, detail::access_mode::commute};
    static constexpr detail::launch_kind one = {
      .modes = &modes[0], .accesses = 1, .is_plain = true, .ends_by_itself = true};
    static constexpr detail::launch_kind any_order = {
      .modes = &modes[1], .accesses = 1, .commuting = 1, .ends_by_itself = true};
    for(std::size_t i = 0; i != 2; ++i) {
      detail::region_base* const used[] = {&from_[i]};
      r.add({&one, used, {}, "point"});
    }
    for(std::size_t i = 0; i != more; ++i) {
      detail::region_base* const used[] = {&from_[0]};
      r.add({&any_order, used, {}, "busy point"});
    }
  }

private:
  using regions = std::deque<region<std::uint64_t>>;

  template<class Task>
  void launch_half(regions& a, regions& b, const Task& task) {
    const std::size_t n = a.size();
    for(std::size_t i = 0; i != n; ++i)
      f_.submit(task, read(a[i]), read(a[(i + 1) % n]), read(a[(i + n - 1) % n]), write(b[i]));
  }

  executor ex_;
  std::vector<std::uint64_t> now_, then_;
  rondo::flow f_;
  regions from_, to_;
  trace t_{"ring"};
};

inline std::uint64_t mixed(std::uint64_t own, std::uint64_t right, std::uint64_t left) {
  return random_programs::mix(own, 3 * right + 5 * left);
}

/// Tasks that do the same, and now and then sleep for longer than anybody has patience.
inline auto sleeping(std::uint64_t one_in) {
  return
    [one_in](std::uint64_t own, std::uint64_t right, std::uint64_t left, std::uint64_t& result) {
      result = mixed(own, right, left);
      if(result % one_in == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(result / one_in % 300));
    };
}
/// And that now and then leave their stack.
inline auto waiting(executor& ex) {
  return [&ex](std::uint64_t own, std::uint64_t right, std::uint64_t left, std::uint64_t& result) {
    result = mixed(own, right, left);
    if(result % 16 == 0)
      async(ex, [] {}).get();
  };
}

inline std::vector<std::uint64_t> by_hand(std::size_t width, std::uint64_t passes) {
  std::vector<std::uint64_t> now(width), then(width);
  for(std::uint64_t i = 0; i != width; ++i)
    now[i] = i;
  for(std::uint64_t half = 0; half != 2 * passes; ++half) {
    for(std::size_t i = 0; i != width; ++i)
      then[i] = mixed(now[i], now[(i + 1) % width], now[(i + width - 1) % width]);
    now.swap(then);
  }
  return now;
}

} // namespace rondo::ring_program
