#include <rondo/digest.hpp>

#include <algorithm>

#include <rondo/observe/recorder.hpp>

namespace rondo {

using detail::recorder;

phase::phase(const char* name) : name_(name) {
  if(recorder::are_any())
    recorder::each([this](recorder& r) {
      begun_.push_back({r.number(), r.worked(), recorder::now()});
    });
}

/// A recorder that has come since, or was told to forget, knows nothing of it.
phase::~phase() {
  if(begun_.empty())
    return;
  const std::uint64_t now = recorder::now();
  recorder::each([&](recorder& r) {
    const auto at = std::ranges::find(begun_, r.number(), &begun::recorder);
    if(at == begun_.end())
      return;
    if(const std::uint64_t worked = r.worked(); worked >= at->worked)
      r.add_phase(name_, now - at->at, worked - at->worked);
  });
}

} // namespace rondo
