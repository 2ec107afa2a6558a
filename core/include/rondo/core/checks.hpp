#pragma once

/// \file
/// Whether this is a checked build, RONDO_CHECKS, in which mistakes of users are looked for: docs/mistakes.md.
///
/// Types differ in the two kinds of builds, so the program and the library have to be of the same kind. CMake's
/// targets see to that. Otherwise the program can't be linked, and the linker names what is missing.

namespace rondo::detail::inline core {

#ifdef RONDO_CHECKS

inline constexpr bool is_checked = true;
extern const char the_library_was_built_with_RONDO_CHECKS;
[[gnu::used]] inline const char* const program_was_built_with_checks =
  &the_library_was_built_with_RONDO_CHECKS;

#else

inline constexpr bool is_checked = false;
extern const char the_library_was_built_without_RONDO_CHECKS;
[[gnu::used]] inline const char* const program_was_built_without_checks =
  &the_library_was_built_without_RONDO_CHECKS;

#endif

} // namespace rondo::detail::inline core
