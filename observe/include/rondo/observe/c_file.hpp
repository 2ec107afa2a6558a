#pragma once

/// \file
/// A file of the C library that is closed when nobody has it any more. Code that has written to it, and wants to know whether all of it is there,
/// closes it itself: `std::fclose(f.release())`.

#include <cstdio>
#include <memory>

namespace rondo::detail::inline observe {

struct closes_file {
  void operator()(std::FILE* f) const noexcept { static_cast<void>(std::fclose(f)); }
};

using c_file = std::unique_ptr<std::FILE, closes_file>;

} // namespace rondo::detail::inline observe
