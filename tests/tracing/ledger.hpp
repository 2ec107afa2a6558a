#pragma once

/// \file
/// An observer that writes down all it is told of launches and tasks, in one order.

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <rondo/core/observer.hpp>

class ledger final : public rondo::observer {
public:
  struct launch {
    rondo::launch_info::how_type how{};
    bool has_task = false;
    std::string name;
    unsigned line = 0;
    bool is_in_loop = false;
    std::uint64_t loop = 0;
    std::uint64_t pass = 0;
    std::uint64_t passes = 0;
    std::vector<rondo::access_info> accesses;
    std::string details;
  };
  struct task {
    std::string name;
    unsigned line = 0;
    int begun = 0, ended = 0, rested = 0, resumed = 0, skipped = 0;
    std::uint64_t begun_at = 0; ///< In the order of all that was told.
    std::uint64_t ended_at = 0;
  };

  // In the order in which they were told. Launches of one flow come in the order of the program.
  std::vector<std::pair<rondo::task_id, launch>> launches;
  std::map<rondo::task_id, task> tasks;
  bool is_confused = false; ///< Something did not fit to what was told before.

  [[nodiscard]] std::size_t launched(rondo::launch_info::how_type how) const {
    std::size_t n = 0;
    for(const auto& l : launches)
      n += l.second.how == how ? 1 : 0;
    return n;
  }

  void launched(const rondo::launch_info& l) noexcept override {
    const std::lock_guard lock(mutex_);
    launch all{.how = l.how,
      .has_task = l.has_task,
      .name = l.name,
      .line = static_cast<unsigned>(l.where.line()),
      .is_in_loop = l.is_in_loop,
      .loop = l.loop,
      .pass = l.pass,
      .passes = l.passes,
      .accesses = {},
      .details = l.details()};
    for(std::size_t i = 0; i != l.accesses; ++i)
      all.accesses.push_back(l.access(i));
    launches.emplace_back(l.id, all);
    is_confused = is_confused || (l.has_task && l.how != rondo::launch_info::how_type::repeated &&
                                   tasks.count(l.id) != 0);
  }
  void task_begin(unsigned, const rondo::task_info& t) noexcept override {
    task& of = at(t);
    of.begun_at = ++told_;
    ++of.begun;
    mutex_.unlock();
  }
  void task_end(unsigned, const rondo::task_info& t) noexcept override {
    task& of = at(t);
    of.ended_at = ++told_;
    ++of.ended;
    is_confused = is_confused || of.begun != of.ended || of.rested != of.resumed;
    mutex_.unlock();
  }
  void suspend(unsigned, const rondo::task_info& t) noexcept override {
    task& of = at(t);
    ++of.rested;
    is_confused = is_confused || of.begun != of.ended + 1 || of.rested != of.resumed + 1;
    mutex_.unlock();
  }
  void resume(unsigned, const rondo::task_info& t) noexcept override {
    task& of = at(t);
    ++of.resumed;
    is_confused = is_confused || of.rested != of.resumed;
    mutex_.unlock();
  }
  void task_skipped(unsigned, const rondo::task_info& t) noexcept override {
    ++at(t).skipped;
    mutex_.unlock();
  }

  /// All that was launched has begun and ended, or was skipped, once; under the launch's own name, at its own place.
  [[nodiscard]] bool is_complete() const {
    bool is_so = !is_confused;
    std::set<rondo::task_id> known;
    for(const auto& [id, l] : launches) {
      if(!l.has_task)
        continue;
      for(std::uint64_t pass = 0; pass != l.passes; ++pass) {
        rondo::task_id of = id;
        of.pass = pass;
        is_so = is_so && known.insert(of).second;
        const auto t = tasks.find(of);
        is_so = is_so && t != tasks.end() && t->second.begun == t->second.ended &&
                t->second.begun + t->second.skipped == 1 && t->second.name == l.name &&
                t->second.line == l.line;
      }
    }
    for(const auto& [id, t] : tasks)
      is_so = is_so && (id.flow == 0 || known.count(id) != 0);
    return is_so;
  }

private:
  /// Locks, too.
  task& at(const rondo::task_info& t) {
    mutex_.lock();
    const auto line = static_cast<unsigned>(t.where.line());
    const auto [place, is_new] = tasks.try_emplace(t.id());
    task& of = place->second;
    if(is_new) {
      of.name = t.name;
      of.line = line;
    }
    is_confused = is_confused || of.name != t.name || of.line != line;
    return of;
  }

  std::mutex mutex_;
  std::uint64_t told_ = 0;
};
