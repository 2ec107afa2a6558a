#include <rondo/futures/failure.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <rondo/core/executor.hpp>
#include <rondo/core/place.hpp>

namespace rondo::detail::inline futures {

namespace {

/// The failures of an executor's tasks that nobody has looked at so far.
class failure_log final : public executor::companion {
public:
  void add(failure& f) {
    const std::lock_guard lock(mutex_);
    if(kept_.size() >= next_purge_) {
      purge();
      next_purge_ = 2 * kept_.size() + first_purge;
    }
    if(kept_.size() < most_kept)
      kept_.push_back(f.share());
    else
      ++dropped_;
  }

  ~failure_log() override {
    purge();
    for(std::size_t i = 0; i != std::min(kept_.size(), most_told); ++i)
      tell(*kept_[i]);
    if(const auto others = kept_.size() - std::min(kept_.size(), most_told) + dropped_)
      std::fprintf(stderr, "rondo: and %zu other failures that nobody looked at\n", others);
    for(failure* const f : kept_)
      f->release();
  }
  failure_log() = default;
  failure_log(const failure_log&) = delete;
  failure_log& operator=(const failure_log&) = delete;

private:
  static constexpr std::size_t first_purge = 64;
  static constexpr std::size_t most_kept = 10'000;
  static constexpr std::size_t most_told = 10;

  void purge() {
    std::erase_if(kept_, [](failure* f) {
      const bool looked = f->looked();
      if(looked)
        f->release();
      return looked;
    });
  }

  static void tell(const failure& f) {
    std::string what = "an exception of unknown type";
    try {
      std::rethrow_exception(f.what);
    }
    catch(const std::exception& e) {
      what = e.what();
    }
    catch(...) { // what it says already
    }
    std::fprintf(
      stderr, "rondo: a task failed and nobody looked at its future: %s\n  ", what.c_str());
    if(*f.site.name != '\0')
      std::fprintf(stderr, "'%s', ", f.site.name);
    std::fprintf(stderr, "launched at %s\n", place(f.site.where).c_str());
  }

  std::mutex mutex_;
  std::vector<failure*> kept_;
  std::size_t next_purge_ = first_purge;
  std::size_t dropped_ = 0;
};

} // namespace

void report_at_end(executor* home, failure& f) {
  if(home == nullptr)
    return;
  const auto add = [&f](executor& ex) {
    auto& log = ex.get_companion(
      []() -> std::unique_ptr<executor::companion> { return std::make_unique<failure_log>(); });
    static_cast<failure_log&>(log).add(f);
  };
  executor::if_alive(home, add); // a promise may fail long after its executor has ended
}

} // namespace rondo::detail::inline futures
