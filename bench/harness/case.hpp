#pragma once

// What a benchmark registers: a case, the system that runs it, and a body that measures once.
//
//   namespace {
//   const bool added = bench::add({.test = "fib", .system = "TBB", .who = bench::role::peer, .run = measure_fib});
//   }
//
// The body runs alone in a fresh process: warm up, measure, check, return the figures.

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

enum class role {
  rondo, // what is being judged
  peer,  // another runtime, at its best
  serial, // the same algorithm without any runtime; has one worker and is the reference for all counts
  tuned // Rondo with options chosen by hand, which the defaults are judged by
};

struct context {
  unsigned workers;
  bool quick; // smaller problems: does it work, not how fast is it
};

struct measurement {
  std::string metric;
  std::string unit;
  double value; // smaller is better, for every metric
};

using figures = std::vector<measurement>;

struct entry {
  std::string test;
  std::string system;
  role who = role::peer;
  std::vector<unsigned> workers = {1, 2};
  std::function<figures(const context&)> run;
};

// Of this program; the build tells (name.cpp).
extern const char* const bench_name;

// Returns true, so that a namespace-scope constant can call it before main.
bool add(entry e);

const std::vector<entry>& entries();

class wrong_result : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(bool ok, const char* what) {
  if(!ok)
    throw wrong_result(what);
}

} // namespace bench
