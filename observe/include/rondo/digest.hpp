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

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rondo {

class executor;

/// A part of the program, by its name in digests: how often, how long, and how much of that time workers had tasks.
///
/// \code
///   {
///     rondo::phase here("assembly");
///     s.execute<assemble>(m, a);
///     s.wait();                       // else it is the time of launching, and no more
///   }
/// \endcode
///
/// Where nothing makes a digest it costs a look at a number. Phases may be in phases, and each counts for itself. The name is for a
/// few letters, and is copied.
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
