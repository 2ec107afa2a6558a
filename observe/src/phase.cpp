#include <rondo/phase.hpp>

#include <algorithm>

#include <rondo/core/ticks.hpp>
#include <rondo/observe/phases.hpp>

namespace rondo {

using detail::phase_listener;

phase::phase(const char* name) : name_(name) {
  if(phase_listener::are_any())
    phase_listener::each([this](phase_listener& l) {
      begun_.push_back({l.number(), l.worked(), detail::ticks()});
    });
}

/// A listener that has come since knows nothing of it.
phase::~phase() {
  if(begun_.empty())
    return;
  const std::uint64_t now = detail::ticks();
  phase_listener::each([&](phase_listener& l) {
    const auto at = std::ranges::find(begun_, l.number(), &begun::listener);
    if(at != begun_.end())
      l.phase_ended(name_, at->at, now, at->worked);
  });
}

} // namespace rondo
