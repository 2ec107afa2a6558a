#pragma once

/// \file
/// Memory that the disk reads, and no copy of it.

#include <cstddef>

namespace rondo::detail::inline distributed {

/// Begins a page, a large one if there is room for one and the system has some: then a disk is given few long pieces, which it
/// takes five times as fast as many short ones. Pages come when they are used for the first time.
class page_memory {
public:
  explicit page_memory(std::size_t bytes);
  ~page_memory();
  page_memory(const page_memory&) = delete;
  page_memory& operator=(const page_memory&) = delete;

  [[nodiscard]] std::byte* begin() const { return begin_; }
  [[nodiscard]] std::size_t size() const { return size_; }

private:
  std::size_t size_;
  void* mapped_ = nullptr;
  std::size_t length_ = 0; ///< Of what is mapped.
  std::byte* begin_ = nullptr;
};

} // namespace rondo::detail::inline distributed
