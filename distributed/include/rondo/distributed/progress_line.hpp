#pragma once

/// \file
/// How far a loop is: a line with its residual or time, its rate, and how long it will still take.
///
/// \code
///   progress_line line{s, {.below = 1e-12, .points = 1024 * 1024}};
///   s.iterate({.max = 100'000}, [&] {
///     ...
///     future<double> r = s.reduce<residual, fold::sum>(m, u, f);
///     line.show(r);
///     return r.then([](double x) { return x < 1e-12; });
///   });
/// \endcode
///
///     12400 passes, residual 3.2e-07, 812 passes/s, 851 M points/s, 0:23 left
///
/// In a terminal it is one line that changes some times a second; elsewhere there is one every ten seconds, and one at the end. It goes to
/// stderr, from rank 0; RONDO_PROGRESS_LINE=0 leaves it out. `show` is a launch like any other, in loops of any kind, of rank 0 only,
/// and looks at the clock; nothing waits for it. Passes of `iterate` that are not run don't count.
///
/// How long it will take follows from how fast the value has moved to where it ends, or from the number of passes. In an inner loop the
/// value begins anew; so does the estimate.

#include <cstdint>
#include <limits>
#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

#include <rondo/distributed/scheduler.hpp>

namespace rondo {

struct progress_options {
  std::string what = {}; ///< The value's name; if it has none "residual", "time" or "value".
  double below = 0;      ///< The loop ends when the value is below ...
  double until = std::numeric_limits<double>::quiet_NaN(); ///< ... or has got there ...
  std::uint64_t passes = 0; ///< ... or after so many passes. If 0, they don't matter.
  std::uint64_t points = 0; ///< The points that a pass works on, for points per second.
};

namespace detail::inline distributed {
class shown_progress;
}

class progress_line {
public:
  /// Not in the body of `repeat` or `iterate`.
  explicit progress_line(scheduler& s, progress_options options = {},
    std::source_location where = std::source_location::current());
  /// Waits for what was launched, and prints how it has ended.
  ~progress_line();
  progress_line(progress_line&&) = delete;
  progress_line& operator=(progress_line&&) = delete;

  /// A pass has got so far that it knows this value.
  void show(
    const future<double>& value, std::source_location where = std::source_location::current());
  template<class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, double>)
  void show(const future<T>& value, std::source_location where = std::source_location::current()) {
    show(value.then([](T x) { return static_cast<double>(x); }), where);
  }
  /// A pass has written that field. The line shows the value of a global one. This function is for the body of `repeat`: for a future
  /// that was made there its passes would be launched one by one.
  template<class T>
  void show(const field<T>& written, std::source_location where = std::source_location::current()) {
    double (*read)(const std::byte*) = nullptr;
    if constexpr(std::is_arithmetic_v<T>)
      if(written.state().of().is_replicated())
        read = [](const std::byte* at) {
          return static_cast<double>(*reinterpret_cast<const T*>(at));
        };
    show_field(written.state(), read, where);
  }

private:
  void show_field(
    detail::field_state& f, double (*read)(const std::byte*), const std::source_location& where);

  scheduler& s_;
  std::unique_ptr<detail::shown_progress>
    shown_; ///< Null on other ranks, and where nothing is to be shown.
};

} // namespace rondo
