#pragma once

/// \file
/// For which recordings it was in vain to look for a template without launches that do nothing.

#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>

#include <rondo/core/place.hpp>
#include <rondo/core/two_numbers.hpp>

namespace rondo::detail::inline tracing {

/// To look takes several times as long as to make the template that is made instead, and a loop that is recorded again and again, between
/// whose passes colors move, say, would pay for it each time. So it is remembered for some places, and about so many launches: a hint, which says
/// which template is made, and not what it means.
class tried_shapes {
public:
  struct recorded {
    std::source_location first; ///< Where its first launch is in the program.
    std::size_t launches;
    std::size_t do_nothing;
  };
  [[nodiscard]] bool was_in_vain(const recorded& r) const {
    for(const recorded& other : in_vain_)
      if(is_same_place(r.first, other.first) && is_about(r.launches, other.launches) &&
         is_about(r.do_nothing, other.do_nothing))
        return true;
    return false;
  }
  /// The oldest one is forgotten.
  void note_in_vain(const recorded& r) { in_vain_[next_++ % in_vain_.size()] = r; }

private:
  static bool is_about(std::size_t a, std::size_t b) {
    return larger_of(a, b) - smaller_of(a, b) <= smaller_of(a, b) / 4;
  }

  std::array<recorded, 8> in_vain_{};
  std::size_t next_ = 0;
};

} // namespace rondo::detail::inline tracing
