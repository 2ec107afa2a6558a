#pragma once

/// \file
/// What a launcher (mpirun, srun, ...) tells the processes that it starts, in their environments.

#include <optional>
#include <string>

#include <rondo/core/function_ref.hpp>

namespace rondo::detail::inline distributed {

/// A variable's value, or null if there is none.
using variables = function_ref<const char*(const char* name)>;

/// This process is one of some that were started together.
struct start_of_many {
  std::string sign;       ///< What says so: "PMI_SIZE=4".
  unsigned processes = 1; ///< So many at least.
};

/// Nothing if no launcher has left a sign. Launchers may have started each other, and a process sees the
/// variables of all of them: the innermost one that can be told from the others counts, and where none can, the
/// one that says the least. Variables that hold no number are no sign.
std::optional<start_of_many> find_launcher(variables environment);

/// The same, by the variables of this process.
std::optional<start_of_many> find_launcher();

} // namespace rondo::detail::inline distributed
