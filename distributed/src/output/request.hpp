#pragma once

/// \file
/// What a program wants to be written or read, next to what files can have, and what a file has.

#include <string>
#include <vector>

#include <rondo/distributed/output.hpp>

#include "format.hpp"

namespace rondo::detail::inline distributed {

/// Finds out what the fields have values for. Throws std::invalid_argument if files don't have such ones.
void sort_out(file_request& r);

/// The contents that the file will have, or should have. Nothing is known of where that is, nor of how many values rows have.
[[nodiscard]] file_contents contents_of(const file_request& r);

/// The arrays of a file that has `c`, in the order of the fields. Throws std::runtime_error if it doesn't have what is to be read.
[[nodiscard]] std::vector<file_contents::values> arrays_in(
  const file_contents& c, const file_request& r, const std::string& path);

} // namespace rondo::detail::inline distributed
