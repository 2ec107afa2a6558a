#include "gap/cases.hpp"

#include <functional>

namespace {

// A list of calls: what is left if nobody asks what may run when, or where.
struct list {
  template<class Make, class Launched>
  void run(std::size_t n, std::size_t, const Make& task, const Launched& launched) {
    calls.clear();
    for(std::size_t i = 0; i != n; ++i)
      calls.emplace_back(task(i));
    launched();
    for(const auto& f : calls)
      f();
  }
  std::vector<std::function<void()>> calls;
};

const bool added = bench::gap::add_system<list>("std::function", bench::role::serial);

} // namespace
