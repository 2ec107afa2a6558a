#pragma once

/// \file
/// What a part above lets each executor of the process have, whatever the program says: made before its first task, ended
/// after its last one. Parts that are not linked have no say, and then it costs a look at a pointer.

#include <atomic>
#include <memory>

namespace rondo {
class executor;
}

namespace rondo::detail::inline core {

class attendant {
public:
  attendant() = default;
  virtual ~attendant() = default;
  attendant(const attendant&) = delete;
  attendant& operator=(const attendant&) = delete;
};

/// Called for each executor by the thread that makes it, while it has no workers yet. It returns null for those that need none. What it
/// throws, the executor's constructor throws.
using attendant_maker = std::unique_ptr<attendant> (*)(executor&);

/// Null if no such part is linked. It is set before `main`, and before the constructors of static executors.
inline constinit std::atomic<attendant_maker> make_attendant{nullptr};

} // namespace rondo::detail::inline core
