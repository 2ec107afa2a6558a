#pragma once

/// \file
/// Topologies of more colors than a rank can have.

#include <cstdint>
#include <new>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>

#include <rondo/core/place.hpp>

namespace rondo::detail::inline distributed {

/// Says which topology it was. As a lack of memory, which it is, or would be soon: each color takes some hundred bytes, and a task of each launch.
class no_memory_for_colors : public std::bad_alloc {
public:
  no_memory_for_colors(
    const char* kind, std::uint64_t colors, unsigned ranks, const std::source_location& where)
      : text_(std::string(kind) + ", made at " + place(where) + ": no memory for its " +
              std::to_string(colors) + " colors, about " + std::to_string(colors / ranks) +
              " on each rank; take fewer, or more ranks: a launch makes a task for each") {}
  const char* what() const noexcept override { return text_.c_str(); }

private:
  std::string text_;
};

/// Not even tried with more on a rank: that would take hundreds of gigabytes, or sums would overflow.
inline constexpr std::uint64_t most_colors_of_rank = std::uint64_t{1} << 31U;

/// What `make()` returns, of so many colors.
template<class F>
auto if_there_is_memory(const char* kind, std::uint64_t colors, unsigned ranks,
  const std::source_location& where, F&& make) {
  const auto lack = [&] { return no_memory_for_colors(kind, colors, ranks, where); };
  if(colors / ranks > most_colors_of_rank)
    throw lack();
  try {
    return std::forward<F>(make)();
  }
  catch(const std::bad_alloc&) {
    throw lack();
  }
  catch(const std::length_error&) { // of a container that does not even ask for so much
    throw lack();
  }
}

} // namespace rondo::detail::inline distributed
