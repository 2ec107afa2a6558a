#include <rondo/tracing/kinds_by_modes.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace rondo::detail::inline tracing {

struct known_kind {
  launch_kind kind;
  std::vector<access_mode> modes;
};

namespace {

std::unique_ptr<known_kind> make(
  const launch_kind& base, mode_signature signature, std::span<const region_access> list) {
  auto made = std::make_unique<known_kind>(known_kind{base, {}});
  launch_kind& k = made->kind;
  made->modes.assign(base.modes, base.modes + base.accesses);
  for(const region_access& a : list) {
    made->modes.push_back(a.mode());
    k.commuting += a.mode() == access_mode::commute ? 1 : 0;
  }
  k.accesses = static_cast<std::uint16_t>(made->modes.size());
  made->modes.push_back(access_mode::none);
  k.modes = made->modes.data();
  k.is_plain = base.is_plain && k.commuting == 0;
  k.like = &base;
  k.signature = signature.value();
  return made;
}

} // namespace

struct kinds_by_modes::table {
  /// Some of them, so that most calls need no lock. Release and acquire: all of the kind.
  std::array<std::atomic<const launch_kind*>, 64> seen{};
  std::mutex mutex;
  std::unordered_multimap<std::uint64_t, std::unique_ptr<known_kind>> all; ///< By signatures.

  std::atomic<const launch_kind*>& place_of(mode_signature signature) {
    const std::uint64_t mixed = signature.value() * 0x9e3779b97f4a7c15U;
    return seen[mixed >> (64U - 6U)];
  }
};

kinds_by_modes::kinds_by_modes(const launch_kind& base)
    : base_(base), known_(std::make_unique<table>()) {}
kinds_by_modes::~kinds_by_modes() = default;

bool kinds_by_modes::has_modes_of(
  const launch_kind& kind, std::span<const region_access> list) const {
  return kind.accesses == base_.accesses + list.size() &&
         std::equal(list.begin(), list.end(), kind.modes + base_.accesses,
           [](const region_access& a, access_mode m) { return a.mode() == m; });
}

const launch_kind& kinds_by_modes::find(
  mode_signature signature, std::span<const region_access> list) {
  std::atomic<const launch_kind*>& seen = known_->place_of(signature);
  if(const launch_kind* const kind = seen.load(std::memory_order_acquire);
     is(kind, signature, list))
    return *kind;
  constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
  if(list.size() > most - base_.accesses)
    throw std::length_error("rondo::flow::submit: a launch with " + std::to_string(list.size()) +
                            " accesses as data; there can be " +
                            std::to_string(most - base_.accesses) +
                            ". One region may stand for many objects");
  const std::lock_guard lock(known_->mutex);
  const auto [begin, end] = known_->all.equal_range(signature.value());
  const auto found = std::find_if(
    begin, end, [&](const auto& entry) { return is(&entry.second->kind, signature, list); });
  const launch_kind& kind =
    found != end
      ? found->second->kind
      : known_->all.emplace(signature.value(), make(base_, signature, list))->second->kind;
  seen.store(&kind, std::memory_order_release);
  return kind;
}

} // namespace rondo::detail::inline tracing
