#include "names.hpp"

#include <algorithm>
#include <cstdio>

#include <rondo/core/place.hpp>

namespace rondo::detail::inline observe {

std::string short_place(const std::source_location& where) {
  const std::string all = place(where);
  return all.substr(all.rfind('/') + 1);
}

void call(const task_info& t, char* text, std::size_t size) {
  if(t.name[0] != '\0') {
    std::snprintf(text, size, "%s", t.name);
    return;
  }
  if(t.where.line() == 0) {
    static constexpr const char* kinds[] = {"(tasks)", "(forks)", "(nodes)"};
    std::snprintf(text, size, "%s", kinds[static_cast<int>(t.kind)]);
    return;
  }
  std::snprintf(text, size, "%s", short_place(t.where).c_str());
}

task_names::place& task_names::find(const task_info& t) {
  for(std::size_t i = 0; i != most - 1; ++i) {
    place& p = places_[i];
    if(p.is_of(t))
      return p;
    if(p.key.load(std::memory_order_relaxed) != nullptr)
      continue;
    call(t, p.text, sizeof p.text);
    p.line = t.where.line();
    p.key.store(t.name[0] != '\0' ? t.name : t.where.file_name(), std::memory_order_release);
    return p;
  }
  place& others = places_[most - 1];
  if(others.key.load(std::memory_order_relaxed) == nullptr) {
    std::snprintf(others.text, sizeof others.text, "(others)");
    others.key.store(others.text, std::memory_order_release);
  }
  return others;
}

void task_names::add_to(std::vector<named_tasks>& all, double seconds_per_tick) const {
  for(const place& p : places_) {
    if(p.key.load(std::memory_order_acquire) == nullptr || p.count.get() == 0)
      continue;
    auto at = std::ranges::find(all, p.text, &named_tasks::name);
    if(at == all.end())
      at = all.insert(all.end(), {.name = p.text});
    at->count += p.count.get();
    at->seconds += seconds_per_tick * static_cast<double>(p.ticks.get());
    at->longest = std::max(at->longest, seconds_per_tick * static_cast<double>(p.longest.get()));
  }
}

void task_names::clear() {
  for(place& p : places_) {
    p.count.set(0);
    p.ticks.set(0);
    p.longest.set(0);
  }
}

} // namespace rondo::detail::inline observe
