#include <rondo/futures/pool.hpp>

#include <bit>
#include <mutex>
#include <new>

#include <rondo/core/task_pool.hpp>

namespace rondo::detail::inline futures {

namespace {

constexpr std::size_t smallest = pool_alignment;
constexpr std::size_t classes = 4; // 64, 128, 256, 512 bytes
constexpr std::size_t largest = smallest << (classes - 1);

std::size_t class_of(std::size_t size) {
  return size <= smallest ? 0 : static_cast<std::size_t>(std::bit_width((size - 1) / smallest));
}

struct depots {
  task_depot of_class[classes] = {
    task_depot(64), task_depot(128), task_depot(256), task_depot(512)};
};

/// Never destroyed: futures may live in static objects.
depots& all_depots() {
  static auto* const made = new depots;
  return *made;
}

/// One thread's stock. When the thread ends, another one inherits it.
struct stock {
  task_magazine of_class[classes];
  stock* next = nullptr;

  explicit stock(depots& d)
      : of_class{task_magazine(d.of_class[0]), task_magazine(d.of_class[1]),
          task_magazine(d.of_class[2]), task_magazine(d.of_class[3])} {}
};

struct heirless {
  std::mutex mutex;
  stock* first = nullptr;
};

heirless& stocks_without_thread() {
  static auto* const made = new heirless;
  return *made;
}

constinit thread_local stock* mine = nullptr;

/// Gives the stock away when the thread ends.
struct testament {
  stock* bequest = nullptr;
  ~testament() {
    mine = nullptr;
    auto& orphans = stocks_without_thread();
    const std::lock_guard lock(orphans.mutex);
    bequest->next = orphans.first;
    orphans.first = bequest;
  }
};

[[gnu::noinline]] stock& first_use() {
  auto& orphans = stocks_without_thread();
  {
    const std::lock_guard lock(orphans.mutex);
    if(orphans.first != nullptr) {
      mine = orphans.first;
      orphans.first = mine->next;
    }
  }
  if(mine == nullptr)
    mine = new stock(all_depots());
  // A thread that is already being torn down makes no testament: its stock is lost.
  static thread_local testament last_will;
  last_will.bequest = mine;
  return *mine;
}

stock& my_stock() { return mine != nullptr ? *mine : first_use(); }

} // namespace

void* pool_allocate(std::size_t size) {
  if(size > largest)
    return ::operator new(size, std::align_val_t{pool_alignment});
  return my_stock().of_class[class_of(size)].allocate();
}

void pool_free(void* memory, std::size_t size) noexcept {
  if(size > largest)
    ::operator delete(memory, std::align_val_t{pool_alignment});
  else
    my_stock().of_class[class_of(size)].deallocate(memory);
}

} // namespace rondo::detail::inline futures
