#pragma once

/// \file
/// What happened in a run, event by event, in a file that `rondo-report` makes pictures and tables of.
///
/// A program that begins with `rondo::run` needs no more than a variable, RONDO_OBSERVE=timeline=run.rondo, and gets the timeline of
/// all ranks at its end. So does one without ranks when an executor ends, of that. To have it in the program, or of a part of it:
///
/// \code
///   #include <rondo/flow.hpp>
///   #include <rondo/timeline.hpp>
///
///   int main() {
///     rondo::executor ex;
///     rondo::timeline seen(ex, "run.rondo");
///     double x = 1;
///     {
///       rondo::flow flow(ex);
///       rondo::region r(flow, x, "x");
///       for(int i = 0; i != 1000; ++i)
///         flow.submit([](double& to) { to *= 1.01; }, write(r));
///       flow.wait();
///     }
///   } // the file is written here
/// \endcode
///
/// How to read it: docs/observing.md.

#include <cstddef>
#include <memory>
#include <string>

namespace rondo {

class executor;

class timeline {
public:
  static constexpr std::size_t usual_memory = std::size_t{128} << 20U;

  /// Of what the executor does from here on. It has to outlive the timeline. So many bytes are kept at the most; then the oldest events are
  /// dropped, and the file says how many. Throws std::runtime_error if the file can't be written.
  timeline(executor& ex, std::string file, std::size_t most_memory = usual_memory);
  /// Writes it, unless that was done. If that fails a line on stderr says so.
  ~timeline();
  timeline(const timeline&) = delete;
  timeline& operator=(const timeline&) = delete;

  /// Writes it now; what comes later is not seen. Throws std::runtime_error.
  void write();

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

} // namespace rondo
