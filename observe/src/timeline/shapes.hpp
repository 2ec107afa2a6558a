#pragma once

/// \file
/// The launches that one thread has seen, with numbers for those that differ in nothing but the time.
///
/// Programs launch the same again and again, in the same order: the one that has come after the last one before is looked at first.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <rondo/core/observed.hpp>
#include <rondo/observe/timeline/timeline.hpp>

#include "sites.hpp"

namespace rondo::detail::inline observe {

class shape_table {
public:
  static constexpr std::uint32_t most = 1U << 16U;

  /// Its number. Shapes that there is no room for have one that says nothing of their accesses.
  std::uint32_t number_of(const launch_info& info, site_table& sites) noexcept;

  struct shape {
    launch_shape what;
    std::uint32_t step = 0;
  };
  [[nodiscard]] const std::vector<shape>& all() const { return shapes_; }

private:
  struct entry {
    site_key key;
    std::uint32_t next = 0; ///< The number of the entry that has come after it.
  };
  [[nodiscard]] bool is(std::uint32_t number, const site_key& key, const launch_info& info) const;
  std::uint32_t find(const site_key& key, const launch_info& info, site_table& sites);
  std::uint32_t add(
    const site_key& key, const launch_info& info, site_table& sites, bool has_accesses);

  std::vector<shape> shapes_;
  std::vector<entry> entries_; ///< Of `shapes_`.
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
  std::uint32_t last_ = 0;
};

} // namespace rondo::detail::inline observe
