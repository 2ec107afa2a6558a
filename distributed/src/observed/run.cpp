#include "run.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <utility>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::detail::inline distributed {

observed_run::observed_run(wishes what, transport& t) : wishes_(std::move(what)), transport_(t) {}

void observed_run::begin(executor& ex) {
  const bool is_line_wanted = is_live_line_wanted(); // it may be refused, so before anybody looks
  if(!wishes_.timeline_file.empty())
    timeline_.emplace(wishes_, transport_, ex);
  if(wishes_.wants_digest)
    digest_.emplace(wishes_.json_file, transport_, ex);
  if(timeline_ || digest_) {
    at_failure_.emplace([this](const std::string& why) { failed(why); });
    at_signal_.emplace([this](int signal) {
      failed(std::string(told_to_end) + (signal == SIGINT ? " (SIGINT)" : " (SIGTERM)"));
    });
  }
  if(is_line_wanted && transport_.rank() == 0)
    line_.emplace(ex);
}

void observed_run::end(scheduler& s) {
  line_.reset(); // what is told stands below it
  if(timeline_)
    timeline_->end();
  if(digest_)
    digest_->end(s);
}

void observed_run::failed(const std::string& why) {
  try {
    if(
      digest_) // first, since it takes next to no time, and whoever ends the process may not wait for long
      digest_->failed(why);
    if(timeline_)
      timeline_->failed(why);
  }
  catch(const std::exception& e) { // no memory, for one
    std::fprintf(stderr, "rondo: this rank's digest or timeline can't be written: %s\n", e.what());
  }
}

void observed_run::end_by_failure(const std::string& why) {
  line_.reset();
  failed(why);
  if(timeline_)
    timeline_->end();
  if(digest_)
    digest_->leave();
}

void observed_run::tell() {
  if(digest_)
    digest_->tell();
  if(timeline_)
    timeline_->tell(digest_ ? digest_->text() : std::string());
}

} // namespace rondo::detail::inline distributed
