#pragma once

/// \file
/// The names that one thread has seen, with numbers. Names with the same pointers are the same; they are copied when they are seen
/// first.

#include <cstdint>
#include <source_location>
#include <vector>

#include <rondo/core/observed.hpp>
#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::detail::inline observe {

struct site_key {
  const char* name;
  const char* file;
  std::uint32_t line;
  std::uint32_t flow;
  std::uint32_t step; ///< In `repeat`.
  task_info::kind_type kind;

  static site_key of(const task_info& t, const task_id& id) {
    return {t.name, t.where.file_name(), t.where.line(), id.flow, id.step, t.kind};
  }
  /// Of a launch, a loop or a wait.
  static site_key of(const char* name, const std::source_location& where, std::uint32_t flow = 0,
    std::uint32_t step = 0) {
    return {name, where.file_name(), where.line(), flow, step, task_info::kind_type::task};
  }
  friend bool operator==(const site_key&, const site_key&) = default;
};

class site_table {
public:
  static constexpr std::uint32_t most = 1U << 20U;

  site_table();

  /// Its number. 0 is for all those that there is no room for.
  std::uint32_t number_of(const site_key& key, const std::source_location& where) noexcept {
    std::uint32_t& recent = recent_[place_of(key)];
    if(keys_[recent] == key) [[likely]]
      return recent;
    return recent = find(key, where);
  }
  std::uint32_t number_of(const task_info& t, const task_id& id) noexcept {
    return number_of(site_key::of(t, id), t.where);
  }

  struct site {
    timeline_site what;
    std::uint32_t step = 0;
  };
  /// What another thread has as well: as its table knows it.
  struct known_site {
    site_key key;
    site what;
  };
  [[nodiscard]] known_site known(std::uint32_t number) const {
    return {keys_[number], sites_[number]};
  }
  std::uint32_t number_of(const known_site& k) noexcept;

  [[nodiscard]] const std::vector<site>& all() const { return sites_; }

private:
  std::uint32_t find(const site_key& key, const std::source_location& where) noexcept;
  /// Returns 0 if it is not there.
  std::uint32_t look_up(const site_key& key) noexcept;
  std::uint32_t add(const site_key& key, site what);
  void grow();

  /// A place where most of those that come one after the other have one of their own.
  static std::size_t place_of(const site_key& k) {
    return (k.step + k.line + (reinterpret_cast<std::uintptr_t>(k.name) >> 4U)) &
           (recent_places - 1);
  }

  static constexpr std::size_t recent_places = 64;
  std::uint32_t recent_[recent_places] = {}; ///< Numbers that were asked for lately.
  std::vector<site_key> keys_;               ///< Of `sites_`.
  std::vector<site> sites_;
  std::vector<std::uint32_t> places_; ///< A table of numbers, open addressing; 0: empty.
};

} // namespace rondo::detail::inline observe
