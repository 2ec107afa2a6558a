#include "failure.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace rondo::detail::inline distributed {

namespace {
std::string text_of(const std::exception_ptr& why) {
  try {
    std::rethrow_exception(why);
  }
  catch(const std::exception& e) {
    return without_name(e.what());
  }
  catch(...) {
    return "something was thrown that is no std::exception";
  }
}
} // namespace

std::string without_name(std::string what) {
  for(const std::string_view name : {"rondo: ", "rondo::"})
    if(what.starts_with(name))
      return what.substr(name.size());
  return what;
}

void tell(const transport& t, const std::string& what) {
  std::string line = "rondo: ";
  if(t.ranks() > 1)
    line += "rank " + std::to_string(t.rank()) + " of " + std::to_string(t.ranks()) + ": ";
  line += what;
  std::fprintf(stderr, "%s\n", line.c_str()); // at once: other ranks write there as well
}

void tell_failure(const transport& t, const std::string& task, const std::exception_ptr& why) {
  tell(t, (task.empty() ? "" : task + ", has failed: ") + text_of(why));
}

void end_all(transport& t, const std::string& task, const std::exception_ptr& why) {
  static std::atomic<bool> ends{false};
  if(!ends.exchange(true)) {
    tell_failure(t, task, why);
    t.abort(EXIT_FAILURE);
  }
  for(;;) // whoever was first ends the process
    std::this_thread::sleep_for(std::chrono::seconds(1));
}

} // namespace rondo::detail::inline distributed
