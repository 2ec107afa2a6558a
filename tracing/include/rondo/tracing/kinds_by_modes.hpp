#pragma once

/// \file
/// The kinds of launches with accesses as data.

#include <cstdint>
#include <memory>
#include <span>

#include <rondo/tracing/access.hpp>
#include <rondo/tracing/launch_kind.hpp>

namespace rondo::detail::inline tracing {

/// The modes of a list of accesses in one number, which is computed while the list is gone through for other reasons: lists
/// differ in length, so each time costs a branch that can't be foreseen. Short lists have numbers of their own.
class mode_signature {
public:
  void add(access_mode m) {
    const auto mode = static_cast<std::uint64_t>(m);
    value_ = value_ < is_long ? value_ << bits | mode : is_long | (value_ * odd + mode);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }
  /// Otherwise other lists may have the same.
  [[nodiscard]] bool is_exact() const { return value_ < is_long; }

private:
  static constexpr unsigned bits = 3;
  static constexpr std::uint64_t is_long = std::uint64_t{1} << (64 - bits);
  static constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;

  std::uint64_t value_ = 1; // so that lists of other lengths have other numbers
};

/// Launches of one function may have any list of accesses. As traces know launches by their kind, and what is to be known
/// of an access in advance is its mode, there is a kind for each list of modes that has come. They stay, as the
/// instructions of a function do: a program has few.
class kinds_by_modes {
public:
  /// `base` is that of launches without the list.
  explicit kinds_by_modes(const launch_kind& base);
  ~kinds_by_modes();
  kinds_by_modes(const kinds_by_modes&) = delete;
  kinds_by_modes& operator=(const kinds_by_modes&) = delete;

  /// Whether that is the one for these accesses. Null is none.
  [[nodiscard]] bool is(
    const launch_kind* kind, mode_signature signature, std::span<const region_access> list) const {
    return kind != nullptr && kind->like == &base_ && kind->signature == signature.value() &&
           (signature.is_exact() || has_modes_of(*kind, list));
  }

  /// Any thread. Throws std::length_error where there are too many.
  const launch_kind& find(mode_signature signature, std::span<const region_access> list);

private:
  struct table;

  [[nodiscard]] bool has_modes_of(
    const launch_kind& kind, std::span<const region_access> list) const;

  const launch_kind& base_;
  std::unique_ptr<table> known_;
};

} // namespace rondo::detail::inline tracing
