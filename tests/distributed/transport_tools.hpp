#pragma once

/// \file
/// What the cases of the transport suite have in common.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <rondo/distributed/transport.hpp>
#include <sched.h>

namespace transport_suite {

using rondo::transport;
using message = std::unique_ptr<transport::message>;

// Catch2's assertions are not for several threads, and not for programs without it.
inline void require(
  bool holds, const char* what, std::source_location at = std::source_location::current()) {
  if(!holds)
    throw std::runtime_error(std::string(at.file_name()) + ":" + std::to_string(at.line()) + ": " +
                             what + " does not hold");
}

/// Counts completions.
struct counter {
  std::atomic<int> n{0};

  transport::completion done() {
    return {[](void* self) { static_cast<counter*>(self)->n.fetch_add(1); }, this};
  }
  /// Starts `m`, which counts when it is over.
  void start(const message& m) {
    if(m->start())
      n.fetch_add(1);
  }
};

template<class Condition>
void poll_until(
  transport& t, Condition condition, std::source_location at = std::source_location::current()) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(100);
  for(bool is_patient = false; !condition(); is_patient = !is_patient) {
    if(is_patient ? t.poll_patiently() : t.poll())
      continue;
    sched_yield();
    if(std::chrono::steady_clock::now() > limit)
      require(false, "something is completed in time", at);
  }
}

inline void poll_until(transport& t, const counter& c, int n,
  std::source_location at = std::source_location::current()) {
  poll_until(
    t, [&] { return c.n.load() == n; }, at);
}

template<class T>
auto bytes(T& x) {
  return std::as_writable_bytes(std::span(&x, 1));
}
template<class T>
auto bytes(std::vector<T>& x) {
  return std::as_writable_bytes(std::span(x));
}

inline unsigned next(const transport& t) { return (t.rank() + 1) % t.ranks(); }
inline unsigned previous(const transport& t) { return (t.rank() + t.ranks() - 1) % t.ranks(); }

/// Different for all.
inline int value(unsigned rank, int i) { return int(rank) * 1'000'000 + i; }

/// As many bytes and up to three more.
inline std::vector<std::uint32_t> pattern(std::size_t size, unsigned rank) {
  std::vector<std::uint32_t> words((size + 3) / 4);
  for(std::size_t i = 0; i != words.size(); ++i)
    words[i] = std::uint32_t(i * 2654435761U) + rank;
  return words;
}

// Cases with a file of their own: transport_in_place.cpp.
void sends_in_place(transport& t);
void looks_when_asked(transport& t);

} // namespace transport_suite
