#pragma once

/// \file
/// Finds that launches repeat, without being told. See finder.cpp.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo::detail::inline tracing {

/// A bounded history of launches as short hashes. To make it longer costs a store; what it
/// says is looked at now and then.
class finder {
public:
  /// A launch. Returns true if it is time to `look`.
  bool see(std::uint64_t hash) {
    history_[seen_ & mask_] = static_cast<std::uint32_t>(hash);
    return ++seen_ == look_at_;
  }
  /// The same for one that is replayed: nobody looks.
  void see_replayed(std::uint64_t hash) {
    history_[seen_ & mask_] = static_cast<std::uint32_t>(hash);
    if(++seen_ == look_at_)
      look_at_ = seen_ + 1;
  }

  /// Looks at what is new. So many launches are the same as as many before; or 0.
  std::size_t look();
  /// The launch that was seen last is the same as the one so many before.
  [[nodiscard]] bool repeats(std::size_t period) const {
    return history_[(seen_ - 1) & mask_] == history_[(seen_ - 1 - period) & mask_];
  }
  /// So much was seen, and no loop in it: it is time for a pause.
  [[nodiscard]] bool is_tired() const { return seen_ - begin_ > patience_ && run_ < most_between; }
  /// After that it looks at less before the next pause.
  void pause() { patience_ = std::size_t{1} << 14; }
  /// Launches seen so far say nothing about those that come.
  void begin_anew();
  /// It was a mistake: to be more careful from now on.
  void doubt();

private:
  static constexpr std::size_t first_size = 32;
  static constexpr std::size_t most = std::size_t{1} << 15;
  static constexpr std::size_t largest_table = 4096;
  static constexpr std::size_t first_look = 8;
  static constexpr std::size_t most_between = 64;
  /// Hashes that share a part of the table. With one place each, the launch that tells the period
  /// would in one loop of ten be forgotten for another one.
  static constexpr std::size_t places = 4;

  void grow();
  void plan_next_look();
  void put(std::uint64_t at);
  [[nodiscard]] std::uint32_t* places_of(std::uint32_t hash) const;
  [[nodiscard]] std::uint64_t how_long_ago(std::uint64_t at, std::uint32_t place) const;
  [[nodiscard]] std::uint64_t last_like(std::uint64_t at) const;

  std::uint32_t first_history_[first_size];
  std::uint32_t first_last_[first_size] = {};
  std::uint32_t* history_ = first_history_;
  std::uint32_t* last_ = first_last_; ///< One more than the places where hashes were seen last.
  std::uint64_t mask_ = first_size - 1;
  std::uint64_t table_mask_ = first_size - 1;
  std::uint64_t seen_ = 0;
  std::uint64_t look_at_ = first_look;
  std::uint64_t looked_at_ = 0;
  std::uint64_t begin_ = 0;  ///< What was seen before doesn't count.
  std::uint64_t period_ = 0; ///< The last launches are those of so many before.
  std::uint64_t patience_ = std::uint64_t{1} << 16;
  std::uint64_t run_ = 0;       ///< And so many are.
  std::uint64_t least_run_ = 6; ///< Less may be chance.
  std::vector<std::uint32_t> larger_history_, larger_last_;
};

} // namespace rondo::detail::inline tracing
