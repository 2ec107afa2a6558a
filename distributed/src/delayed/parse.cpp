// The text of RONDO_DELAY.

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include <rondo/core/nearest.hpp>
#include <rondo/distributed/transports.hpp>

namespace rondo {

namespace {

struct unit {
  std::string_view name;
  double factor;
};

constexpr std::array<std::string_view, 4> keys{"latency", "bandwidth", "jitter", "seed"};
constexpr std::array<unit, 4> times{{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
constexpr std::array<unit, 7> rates{{{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9},
  {"KiB/s", 1024}, {"MiB/s", 1048576}, {"GiB/s", 1073741824}}};

[[noreturn]] void fail(std::string_view item, std::string_view problem) {
  throw std::invalid_argument(
    "rondo: RONDO_DELAY: " + std::string(item) + ": " + std::string(problem));
}

/// "5us" with the units of time is 5000.
double read_with_unit(std::string_view item, std::string_view text, std::span<const unit> units) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if(error != std::errc{} || !(number >= 0) || !std::isfinite(number))
    fail(item, "expected a number that is not negative");
  const std::string_view given(end, std::size_t(text.data() + text.size() - end));
  std::string known;
  for(const unit& u : units) {
    if(given == u.name)
      return number * u.factor;
    known.append(known.empty() ? "" : ", ").append(u.name);
  }
  fail(item, "expected one of these units behind the number: " + known);
}

std::chrono::nanoseconds read_time(std::string_view item, std::string_view text) {
  const double ns = read_with_unit(item, text, times);
  constexpr double most = 3600e9;
  if(ns > most)
    fail(item, "expected an hour at the most");
  return std::chrono::nanoseconds(std::llround(ns));
}

} // namespace

delay_options parse_delay(std::string_view text) {
  delay_options options;
  while(!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(item.size());
    if(!text.empty())
      text.remove_prefix(1);
    const std::size_t equals = item.find('=');
    if(equals == item.npos)
      fail(item.empty() ? "an empty item" : item, "expected name=value, separated by commas");
    const std::string_view key = item.substr(0, equals);
    const std::string_view value = item.substr(equals + 1);
    if(key == "latency")
      options.latency = read_time(item, value);
    else if(key == "jitter")
      options.jitter = read_time(item, value);
    else if(key == "bandwidth") {
      options.bandwidth = read_with_unit(item, value, rates);
      if(options.bandwidth == 0)
        fail(item, "expected more than 0; leave it out for no limit");
    }
    else if(key == "seed") {
      const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), options.seed);
      if(error != std::errc{} || end != value.data() + value.size())
        fail(item, "expected a whole number");
    }
    else
      fail(item, "there is no such name, but " + detail::list_and_guess(key, keys));
  }
  return options;
}

} // namespace rondo
