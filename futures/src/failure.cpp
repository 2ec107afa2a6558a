#include <rondo/futures/failure.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <rondo/core/executor.hpp>
#include <rondo/core/place.hpp>
#include <rondo/futures/unasked.hpp>

namespace rondo::detail::inline futures {

namespace {

/// The failures of an executor's tasks that nobody has looked at so far.
class failure_log final : public engine::companion {
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

  void tell_by(kept_function<void(const std::string&)> say) {
    const std::lock_guard lock(mutex_);
    say_ = std::move(say);
  }

  void tell_now(const std::string& what, const std::string& why) {
    const std::lock_guard lock(mutex_);
    const auto found =
      std::find_if(told_.begin(), told_.end(), [&what](const told& t) { return t.what == what; });
    if(found != told_.end()) {
      ++found->more;
      return;
    }
    told_.push_back({what, 0});
    say_(what + ": " + why);
  }

  std::string task_of(const std::exception_ptr& thrown) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(
      kept_.begin(), kept_.end(), [&thrown](const failure* f) { return f->what == thrown; });
    if(thrown == nullptr || found == kept_.end())
      return {};
    return words_for((*found)->site);
  }

  ~failure_log() override {
    purge();
    for(std::size_t i = 0; i != std::min(kept_.size(), most_told); ++i)
      say_(text_of(*kept_[i]));
    if(const auto others = kept_.size() - std::min(kept_.size(), most_told) + dropped_)
      say_("and " + std::to_string(others) + " other failures that nobody looked at");
    for(failure* const f : kept_)
      f->release();
    for(const told& t : told_)
      if(t.more != 0)
        say_(t.what + ": " + std::to_string(t.more) + (t.more == 1 ? " more time" : " more times"));
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

  static std::string words_for(const launch_site& site) {
    return site.by == made_by::task
             ? quoted("task", site.name) + ", launched at " + place(site.where)
             : in_words(site);
  }

  static std::string text_of(const failure& f) {
    std::string what = "an exception of unknown type";
    try {
      std::rethrow_exception(f.what);
    }
    catch(const std::exception& e) {
      what = e.what();
    }
    catch(...) { // what it says already
    }
    std::string text = "a task failed and nobody looked at its future: " + what + "\n  ";
    if(*f.site.name != '\0') {
      text += '\'';
      text += f.site.name;
      text += "', ";
    }
    return text += (f.site.by == made_by::then ? "given to then at " : "launched at ") +
                   place(f.site.where);
  }

  struct told {
    std::string what;
    std::size_t more; ///< Besides the one that was told.
  };

  std::mutex mutex_;
  std::vector<told> told_;
  std::vector<failure*> kept_;
  std::size_t next_purge_ = first_purge;
  std::size_t dropped_ = 0;
  kept_function<void(const std::string&)> say_ = [](const std::string& text) {
    std::fprintf(stderr, "rondo: %s\n", text.c_str());
  };
};

failure_log& log_of(executor& ex) {
  return static_cast<failure_log&>(engine_of(ex).get_companion(
    []() -> std::unique_ptr<engine::companion> { return std::make_unique<failure_log>(); }));
}

} // namespace

void tell_unasked(executor& ex, kept_function<void(const std::string&)> say) {
  log_of(ex).tell_by(std::move(say));
}

void tell_unasked_now(executor& ex, const std::string& what, const std::string& why) {
  log_of(ex).tell_now(what, why);
}

std::string failed_task(executor& ex, const std::exception_ptr& thrown) {
  return log_of(ex).task_of(thrown);
}

void report_at_end(executor* home, failure& f) {
  if(home == nullptr)
    return;
  const auto add = [&f](executor& ex) { log_of(ex).add(f); };
  engine::if_alive(home, add); // a promise may fail long after its executor has ended
}

} // namespace rondo::detail::inline futures
