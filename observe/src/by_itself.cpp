#include <rondo/observe/by_itself.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <rondo/core/attendant.hpp>
#include <rondo/core/first_rank.hpp>
#include <rondo/core/planned.hpp>
#include <rondo/observe/digest_file.hpp>
#include <rondo/observe/live_line.hpp>
#include <rondo/observe/recorder.hpp>
#include <rondo/observe/whole_run.hpp>
#include <rondo/observe/wishes.hpp>

#include "timeline/own_file.hpp"

/// The linker takes this file, which nobody calls, since the program has to have this name: CMakeLists.txt of this part.
extern "C" {
extern const char rondo_observes_executors;
const char rondo_observes_executors = 1;
}

namespace rondo::detail::inline observe {

namespace {

/// A program that makes more of them than this makes many, and nobody would read what all of them say.
constexpr unsigned most_observed = 4;

std::atomic<bool> belong_to_run{false};
std::atomic<unsigned> observers_made{0};

/// Of the first executor it is the name that the user has given.
std::string file_for(const std::string& name, unsigned executor) {
  if(name.empty() || executor == 1)
    return name;
  return name + ".executor-" + std::to_string(executor);
}

class observed_executor final : public attendant {
public:
  observed_executor(executor& ex, wishes what, unsigned number, bool has_line)
      : what_(std::move(what)), number_(number), json_file_(file_for(what_.json_file, number)),
        timeline_file_(file_for(what_.timeline_file, number)) {
    if(!json_file_.empty())
      begin_digest_file(json_file_);
    if(!timeline_file_.empty())
      timeline_.emplace(ex, timeline_file_, what_.timeline_memory);
    if(what_.wants_digest)
      recorder_.emplace(ex);
    if(has_line)
      line_.emplace(ex);
  }

  ~observed_executor() override {
    line_.reset(); // what is told stands below it
    if(belong_to_run.load(std::memory_order_relaxed)) {
      remove_files();
      return;
    }
    try {
      tell();
    }
    catch(const std::exception& e) {
      std::fprintf(stderr, "%s\n", e.what());
    }
  }

private:
  /// The files that the run does not write.
  void remove_files() const {
    for(const std::string& name : {json_file_, timeline_file_})
      if(number_ != 1 && !name.empty())
        std::remove(name.c_str());
  }

  void tell() {
    std::string text;
    if(recorder_) {
      const whole_run all = put_together({recorder_->taken()});
      text = text_of(all, number_ == 1 ? "" : "of executor " + std::to_string(number_));
      if(json_file_.empty())
        std::fputs(text.c_str(), stderr);
      else
        write_digest_file(json_file_, json_of(all));
    }
    if(timeline_) {
      timeline_->write(text);
      std::fprintf(stderr, "rondo: the timeline is in %s: rondo-report %s\n",
        timeline_file_.c_str(), timeline_file_.c_str());
    }
  }

  const wishes what_;
  const unsigned number_;
  const std::string json_file_;
  const std::string timeline_file_;
  std::optional<timeline_in_file> timeline_;
  std::optional<recorder> recorder_;
  std::optional<live_line> line_;
};

std::unique_ptr<attendant> attend(executor& ex) {
  const char* const wish = std::getenv("RONDO_OBSERVE");
  const bool is_wished = wish != nullptr && *wish != '\0';
  const char* const line = std::getenv("RONDO_PROGRESS_LINE");
  if((!is_wished && line == nullptr) || belong_to_run.load(std::memory_order_relaxed) ||
     is_only_planned || !is_first_rank())
    return nullptr;
  const bool has_line = is_live_line_wanted();
  if(!is_wished)
    return has_line ? std::make_unique<observed_executor>(ex, wishes(), 1, true) : nullptr;
  wishes what = wishes::from_environment();
  const unsigned number = observers_made.fetch_add(1, std::memory_order_relaxed) + 1;
  if(number == most_observed + 1)
    std::fprintf(stderr,
      "rondo: RONDO_OBSERVE: this program makes many executors, and the first %u are observed\n",
      most_observed);
  if(number > most_observed)
    return has_line ? std::make_unique<observed_executor>(ex, wishes(), 1, true) : nullptr;
  return std::make_unique<observed_executor>(ex, std::move(what), number, has_line);
}

/// Before the constructors of static objects, which may be executors.
[[gnu::constructor(1000)]] void attend_executors() {
  make_attendant.store(&attend, std::memory_order_relaxed);
}

} // namespace

void leave_executors_to_run() { belong_to_run.store(true, std::memory_order_relaxed); }

} // namespace rondo::detail::inline observe
