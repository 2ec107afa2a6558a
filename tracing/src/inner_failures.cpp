#include "inner_failures.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <typeinfo>
#include <utility>

#include <rondo/futures/unasked.hpp>

namespace rondo::detail::inline tracing {

namespace {

/// An exception, without keeping it: a program that catches one is rid of it. If there is another one of that type later,
/// at the same address and with the same words, it may be taken for it, which does a message no harm.
struct seen_exception {
  const std::exception* at = nullptr;
  const std::type_info* type = nullptr;
  std::string what;

  bool operator==(const seen_exception& e) const {
    return at == e.at && *type == *e.type && what == e.what;
  }
};

/// Without an address if it is no std::exception.
seen_exception look_at(const std::exception_ptr& why) {
  try {
    std::rethrow_exception(why);
  }
  catch(const std::exception& e) {
    return {&e, &typeid(e), e.what()};
  }
  catch(...) {
    return {};
  }
}

/// The last ones, of tasks that run at the same time. If there are more, some are told of without the inner launch.
class noted_failures {
public:
  void note(seen_exception e, const std::string& launch) {
    const std::lock_guard lock(mutex_);
    all_[next_++ % all_.size()] = {std::move(e), launch};
  }
  std::string take(const seen_exception& e) {
    const std::lock_guard lock(mutex_);
    const auto same = std::find_if(
      all_.begin(), all_.end(), [&e](const noted& n) { return n.why.at != nullptr && n.why == e; });
    if(same == all_.end())
      return {};
    same->why.at = nullptr;
    return std::move(same->launch);
  }

private:
  struct noted {
    seen_exception why;
    std::string launch;
  };
  std::mutex mutex_;
  std::array<noted, 64> all_;
  std::size_t next_ = 0;
};

noted_failures& failures() {
  static noted_failures all;
  return all;
}

} // namespace

void note_inner_failure(const std::exception_ptr& why, const std::string& launch) {
  if(seen_exception e = look_at(why); e.at != nullptr)
    failures().note(std::move(e), launch);
}

std::string take_inner_failure(const std::exception_ptr& why) {
  const seen_exception e = look_at(why);
  return e.at != nullptr ? failures().take(e) : std::string();
}

void tell_unwaited_failure(executor& ex, const std::string& launch, const std::exception_ptr& why) {
  const seen_exception e = look_at(why);
  tell_unasked_now(ex, "a launch failed and nobody waited for it: " + launch,
    e.at != nullptr ? e.what : "an exception of unknown type");
}

} // namespace rondo::detail::inline tracing
