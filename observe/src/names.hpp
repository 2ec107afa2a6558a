#pragma once

/// \file
/// What the tasks of one worker took, by name. The worker writes, others may read meanwhile.

#include <array>
#include <atomic>
#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include <rondo/core/observed.hpp>
#include <rondo/observe/measures.hpp>

namespace rondo::detail::inline observe {

/// "solver.cpp:40", without the folders that `place` tells: a digest is short.
std::string short_place(const std::source_location& where);

/// What a task is called: its name, else the place where it was launched, else what it is.
void call(const task_info& t, char* text, std::size_t size);

/// A number that one thread writes and others read.
class own_number {
public:
  void add(std::uint64_t n) { set(get() + n); }
  void set(std::uint64_t n) { value_.store(n, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

private:
  std::atomic<std::uint64_t> value_{0};
};

class task_names {
public:
  static constexpr std::size_t most = 64; ///< The last one is for all that have no place any more.

  /// Tasks with the same pointer as name are the same. Text that the program has made and given up meanwhile is not: names
  /// are copied when they are seen first.
  void add(const task_info& t, std::uint64_t ticks) {
    place* p = last_;
    if(p == nullptr || !p->is_of(t))
      p = &find(t);
    last_ = p;
    p->count.add(1);
    p->ticks.add(ticks);
    if(ticks > p->longest.get())
      p->longest.set(ticks);
  }

  void add_to(std::vector<named_tasks>& all, double seconds_per_tick) const;
  void clear();

private:
  struct place {
    std::atomic<const char*> key{
      nullptr};             ///< release: what the place is called was written before.
    std::uint32_t line = 0; ///< Of tasks without a name, whose key is the file.
    char text[44] = "";
    own_number count;
    own_number ticks;
    own_number longest;

    [[nodiscard]] bool is_of(const task_info& t) const {
      const char* const k = key.load(std::memory_order_relaxed);
      return k == t.name ||
             (t.name[0] == '\0' && k == t.where.file_name() && line == t.where.line());
    }
  };
  place& find(const task_info& t);

  std::array<place, most> places_;
  place* last_ = nullptr;
};

} // namespace rondo::detail::inline observe
