#pragma once

/// \file
/// What a run was like, in words: how well workers were used, what took the time, and the one thing to do next.
///
/// A program that begins with `rondo::run` needs no more than a variable, RONDO_OBSERVE=digest, and gets the digest of all ranks
/// at its end. So does one without ranks when an executor ends, of that. To have it in the program, or of a part of it:
///
/// \code
///   #include <rondo/digest.hpp>
///   #include <rondo/flow.hpp>
///
///   int main() {
///     rondo::executor ex;
///     rondo::digest seen(ex);
///     double x = 1;
///     {
///       rondo::flow flow(ex);
///       rondo::region r(flow, x, "x");
///       for(int i = 0; i != 1000; ++i)
///         flow.submit([](double& to) { to *= 1.01; }, write(r));
///       flow.wait();
///     }
///     std::puts(seen.text().c_str());
///   }
/// \endcode
///
/// How to read it: docs/observing.md.

#include <memory>
#include <string>

#include <rondo/phase.hpp>

namespace rondo {

class executor;

class digest {
public:
  /// Of what the executor does from here on. It has to outlive the digest.
  explicit digest(executor& ex);
  ~digest();
  digest(const digest&) = delete;
  digest& operator=(const digest&) = delete;

  /// Begins anew. Not while tasks run.
  void clear();

  /// So far: lines for people, two kilobytes at the most.
  [[nodiscard]] std::string text() const;
  /// The same as JSON.
  [[nodiscard]] std::string json() const;
  /// What is wrong, in a few words, such as "tasks too small"; "healthy" if nothing is.
  [[nodiscard]] std::string verdict() const;

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

} // namespace rondo
