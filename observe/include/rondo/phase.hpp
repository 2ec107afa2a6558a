#pragma once

/// \file
/// Parts of a program by their names, for digests and timelines (docs/observing.md).

#include <cstdint>
#include <vector>

namespace rondo {

/// A part of the program, by its name: how often, how long, and how much of that time workers had tasks.
///
/// \code
///   {
///     rondo::phase here("assembly");
///     s.execute<assemble>(m, a);
///     s.wait();                       // else it is the time of launching, and no more
///   }
/// \endcode
///
/// Where nothing makes a digest or a timeline it costs a look at a number. Phases may be in phases, and each counts for itself.
/// The name is a few letters, and is copied.
class phase {
public:
  explicit phase(const char* name);
  ~phase();
  phase(const phase&) = delete;
  phase& operator=(const phase&) = delete;

private:
  struct begun {
    std::uint64_t listener; ///< Its number.
    std::uint64_t worked;
    std::uint64_t at;
  };
  const char* name_;
  std::vector<begun> begun_; ///< With those that listened then.
};

} // namespace rondo
