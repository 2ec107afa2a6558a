#pragma once

/// \file
/// Why passes of a trace were not replayed: the last reasons, each once, and how often.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <rondo/tracing/trace_report.hpp>

namespace rondo::detail::inline tracing {

/// Tells one difference from others without a text, which takes longer than a launch: two with the same places of the program are
/// the same, though their launches may have other regions.
struct trace_difference {
  const void* from = nullptr; ///< The template; null: it is told by its text alone.
  std::uint32_t at = 0;
  const char* got_file = nullptr;
  std::uint32_t got_line = 0;
  friend bool operator==(const trace_difference&, const trace_difference&) = default;
};

class trace_misses {
public:
  static constexpr std::size_t most = 8;

  /// Returns false, and does nothing, if there was none like it.
  bool note_again(const trace_difference& d, std::uint64_t pass) {
    return note_known([&d](const kept& k) { return k.is == d; }, pass, 1);
  }
  void note(trace_miss miss, const trace_difference& d = {}) {
    const auto same = [&miss](const kept& k) { return k.told.why == miss.why; };
    if(note_known(same, miss.pass, miss.count)) {
      kept_.back().is = d;
      return;
    }
    if(kept_.size() == most)
      kept_.erase(kept_.begin());
    kept_.push_back({std::move(miss), d});
  }
  void clear() { kept_.clear(); }

  [[nodiscard]] bool empty() const { return kept_.empty(); }
  [[nodiscard]] const trace_miss& last() const { return kept_.back().told; }
  [[nodiscard]] std::vector<trace_miss> all() const {
    std::vector<trace_miss> told;
    for(const kept& k : kept_)
      told.push_back(k.told);
    return told;
  }

private:
  struct kept {
    trace_miss told;
    trace_difference is;
  };
  /// It is the newest one now. Returns false if there is none.
  template<class Is>
  bool note_known(const Is& is, std::uint64_t pass, std::uint64_t count) {
    for(auto known = kept_.begin(); known != kept_.end(); ++known) {
      if(!is(*known))
        continue;
      kept newest = std::move(*known);
      newest.told.pass = pass;
      newest.told.count += count;
      kept_.erase(known);
      kept_.push_back(std::move(newest));
      return true;
    }
    return false;
  }

  std::vector<kept> kept_;
};

} // namespace rondo::detail::inline tracing
