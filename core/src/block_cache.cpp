#include <rondo/core/block_cache.hpp>

#include <bit>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>

#include <sys/mman.h>

namespace rondo {

namespace {

/// Blocks are cut from chunks of the size of a huge page.
constexpr std::size_t chunk_size = std::size_t{2} << 20U;
constexpr unsigned blocks_per_chunk = chunk_size / block_cache::block_size;
constexpr std::size_t most_blocks_kept = 256;

/// A graph of a few nodes should not have a huge page cleared for it.
constexpr std::size_t chunks_of_small_pages = 1;

class chunk_store {
public:
  void* acquire() {
    const std::lock_guard lock(mutex_);
    if(free_blocks_ == 0)
      add_chunk();
    auto chunk = chunks_.begin();
    while(chunk->second == 0)
      ++chunk;
    const auto index = static_cast<unsigned>(std::countr_zero(chunk->second));
    chunk->second &= ~(1U << index);
    --free_blocks_;
    return reinterpret_cast<void*>(chunk->first + index * block_cache::block_size);
  }

  void release(void* block) noexcept {
    const std::lock_guard lock(mutex_);
    const auto address = reinterpret_cast<std::uintptr_t>(block);
    const auto chunk = chunks_.find(address & ~(chunk_size - 1));
    chunk->second |= 1U << ((address - chunk->first) / block_cache::block_size);
    ++free_blocks_;
    if(chunk->second == all_free && free_blocks_ > most_blocks_kept) {
      munmap(reinterpret_cast<void*>(chunk->first), chunk_size);
      chunks_.erase(chunk);
      free_blocks_ -= blocks_per_chunk;
    }
  }

private:
  static constexpr unsigned all_free = (1U << blocks_per_chunk) - 1;

  void add_chunk() {
    // Twice the size, so that an aligned chunk lies within; the rest goes back.
    void* const mapped =
      mmap(nullptr, 2 * chunk_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if(mapped == MAP_FAILED)
      throw std::bad_alloc();
    const auto begin = reinterpret_cast<std::uintptr_t>(mapped);
    const auto chunk = (begin + chunk_size - 1) & ~(chunk_size - 1);
    if(chunk != begin)
      munmap(mapped, chunk - begin);
    if(const auto rest = begin + chunk_size - chunk; rest != 0)
      munmap(reinterpret_cast<void*>(chunk + chunk_size), rest);
    if(chunks_.size() >= chunks_of_small_pages)
      madvise(reinterpret_cast<void*>(chunk), chunk_size, MADV_HUGEPAGE); // a wish
    chunks_.emplace(chunk, all_free);
    free_blocks_ += blocks_per_chunk;
  }

  std::mutex mutex_;
  std::map<std::uintptr_t, unsigned> chunks_; ///< Address, and one bit for each free block.
  std::size_t free_blocks_ = 0;
};

/// Never destroyed: graphs may be static objects too.
chunk_store& store() {
  static auto& instance = *new chunk_store;
  return instance;
}

} // namespace

void* block_cache::acquire() { return store().acquire(); }

void block_cache::release(void* block) noexcept { store().release(block); }

} // namespace rondo
