#pragma once

/// \file
/// The timeline of one executor of one process, and the file that it gets.

#include <memory>
#include <span>
#include <string>

#include <rondo/observe/c_file.hpp>
#include <rondo/observe/timeline/recorder.hpp>

namespace rondo::detail::inline observe {

class timeline_in_file {
public:
  /// The file is opened at once: a program that has run for hours should not learn at its end that it can't be written. Throws
  /// std::runtime_error.
  timeline_in_file(executor& ex, std::string name, std::size_t most_memory);

  /// Stops, and writes, with the digest of the run if there is one; only the first call does. Throws std::runtime_error. Without it nothing
  /// is written.
  void write(const std::string& digest = {});

private:
  [[noreturn]] void fail() const;
  [[nodiscard]] bool write(std::span<const std::byte> bytes) const;

  const std::string name_;
  c_file file_;
  std::unique_ptr<timeline_recorder> recorder_; ///< Null once it is written.
};

} // namespace rondo::detail::inline observe
