#pragma once

/// \file
/// Which element of a color has an id.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace rondo::detail::inline meshes {

/// An order of the elements by their ids, made when a task first looks for one; several tasks of a color may look at the same time. A mesh in which no
/// task looks pays for a pointer. The first ids may be in order already, as those of a matrix's own rows are: only the elements behind them take memory here, four
/// bytes each.
class elements_by_id {
public:
  /// `ids` are the same in each call.
  [[nodiscard]] std::optional<std::int64_t> find(
    const std::vector<std::int64_t>& ids, std::int64_t id) const {
    const order* its = made_.load(std::memory_order_acquire);
    if(its == nullptr) [[unlikely]]
      its = &make(ids);
    const auto first = ids.begin();
    const auto end_in_order = first + its->in_order;
    if(const auto at = std::lower_bound(first, end_in_order, id); at != end_in_order && *at == id)
      return at - first;
    const auto id_of = [&](std::int32_t e) { return first[e]; };
    if(const auto at = std::ranges::lower_bound(its->others, id, {}, id_of);
       at != its->others.end() && id_of(*at) == id)
      return *at;
    return std::nullopt;
  }

  elements_by_id() = default;
  elements_by_id(elements_by_id&& from) noexcept
      : made_(from.made_.exchange(nullptr, std::memory_order_relaxed)) {}
  elements_by_id& operator=(elements_by_id&& from) noexcept {
    if(this != &from)
      std::unique_ptr<const order>(made_.exchange(
        from.made_.exchange(nullptr, std::memory_order_relaxed), std::memory_order_relaxed));
    return *this;
  }
  elements_by_id(const elements_by_id&) = delete;
  elements_by_id& operator=(const elements_by_id&) = delete;
  ~elements_by_id() { delete made_.load(std::memory_order_relaxed); }

private:
  struct order {
    std::ptrdiff_t in_order;          ///< So many elements from the first one on have growing ids.
    std::vector<std::int32_t> others; ///< By their ids.
  };
  const order& make(const std::vector<std::int64_t>& ids) const;

  mutable std::atomic<const order*> made_ = nullptr;
};

} // namespace rondo::detail::inline meshes
