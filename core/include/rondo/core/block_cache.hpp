#pragma once

/// \file
/// Memory in large blocks, kept warm between owners.
///
/// The first touch of a fresh page costs as much as building dozens of graph nodes. So blocks
/// that a graph gives back stay with the process, up to 64 MiB, for the next one, and a graph
/// that needs more than a few gets huge pages, where the system has them.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace rondo {

class block_cache {
public:
  static constexpr std::size_t block_size = std::size_t{256} * 1024;

  static void* acquire();
  static void release(void* block) noexcept;
};

/// A growing array of trivial elements that never move, in blocks from the cache.
template<class T>
class block_array {
public:
  static constexpr std::size_t per_block = std::bit_floor(block_cache::block_size / sizeof(T));

  block_array() = default;
  ~block_array() { clear(); }
  block_array(const block_array&) = delete;
  block_array& operator=(const block_array&) = delete;

  /// Room for one more element, uninitialized.
  T* extend() {
    if(next_ == end_) [[unlikely]]
      add_block();
    return next_++;
  }

  /// Takes the last one back, which was not made use of.
  void retract() { --next_; }

  [[nodiscard]] std::size_t size() const {
    return blocks_.size() * per_block - static_cast<std::size_t>(end_ - next_);
  }

  T& operator[](std::size_t i) const { return blocks_[i / per_block][i % per_block]; }

  /// Calls `f(begin, end)` for each stretch of neighbours within [from, to), in order.
  template<class F>
  void for_each_stretch(std::size_t from, std::size_t to, F&& f) const {
    while(from != to) {
      const std::size_t in_block = from % per_block;
      const std::size_t count = std::min(to - from, per_block - in_block);
      T* const begin = blocks_[from / per_block] + in_block;
      f(begin, begin + count);
      from += count;
    }
  }

  void clear() noexcept {
    for(T* const block : blocks_)
      block_cache::release(block);
    blocks_.clear();
    next_ = end_ = nullptr;
  }

private:
  void add_block() {
    blocks_.reserve(blocks_.size() + 1);
    T* const block = static_cast<T*>(block_cache::acquire());
    blocks_.push_back(block);
    next_ = block;
    end_ = block + per_block;
  }

  std::vector<T*> blocks_;
  T* next_ = nullptr;
  T* end_ = nullptr;
};

} // namespace rondo
