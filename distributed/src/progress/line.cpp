// The line itself: where it goes, and when.
#include <chrono>
#include <cstdio>
#include <vector>

#include <rondo/distributed/progress_line.hpp>
#include <rondo/observe/live_line.hpp>
#include <rondo/tracing/region.hpp>
#include <unistd.h>

#include "../switched_on.hpp"
#include "meter.hpp"

namespace rondo {

namespace detail::inline distributed {

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

/// What the launches of a line have in common. They run one after the other, since each writes its region.
class shown_progress {
public:
  shown_progress(flow& f, progress_options options)
      : region_(f, *this, "progress line"), is_terminal_(isatty(STDERR_FILENO) != 0),
        meter_(std::move(options), seconds_now()), due_(seconds_now() + interval()) {}

  region<shown_progress>& place() { return region_; }

  void pass(double value) {
    meter_.pass(value);
    const double now = seconds_now();
    if(now < due_)
      return;
    due_ = now + interval();
    // Behind the line the cursor goes back, so that what others print begins in front.
    if(is_terminal_)
      std::fprintf(stderr, "\r%s\x1b[K\r", meter_.line(now).c_str());
    else
      std::fprintf(stderr, "%s\n", meter_.line(now).c_str());
  }
  void end() const {
    if(meter_.has_begun())
      std::fprintf(
        stderr, is_terminal_ ? "\r%s\x1b[K\n" : "%s\n", meter_.end(seconds_now()).c_str());
  }

private:
  [[nodiscard]] double interval() const { return is_terminal_ ? 0.2 : 10; }

  region<shown_progress> region_;
  bool is_terminal_;
  progress_meter meter_;
  double due_;
};

} // namespace detail::inline distributed

progress_line::progress_line(scheduler& s, progress_options options, std::source_location where)
    : s_(s) {
  s.refuse_in_body("a progress line", where);
  if(detail::is_switched_on("RONDO_PROGRESS_LINE") && s.rank() == 0) {
    detail::leave_line_to_program();
    shown_ = std::make_unique<detail::shown_progress>(s.launches(), std::move(options));
  }
}

progress_line::~progress_line() {
  if(shown_ == nullptr)
    return;
  s_.let_go(); // launches use it
  shown_->end();
}

// Only rank 0 launches these: they send nothing, so no other rank has to know.

void progress_line::show(const future<double>& value, std::source_location where) {
  s_.launches().open_for(value); // on all ranks
  if(shown_ != nullptr)
    s_.launches().submit(
      named(
        "progress line", [](detail::shown_progress& p, double x) { p.pass(x); }, where),
      write(shown_->place(), where), value);
}

void progress_line::show_field(detail::field_state& f, double (*read_value)(const std::byte*),
  const std::source_location& where) {
  if(shown_ == nullptr)
    return;
  std::vector<region_access> parts;
  const std::size_t colors = read_value != nullptr ? 1 : f.of().local_colors();
  for(std::size_t c = 0; c != colors; ++c)
    parts.emplace_back(read(f.owned(c), where));
  s_.launches().submit(named(
                         "progress line",
                         [&f, read_value](detail::shown_progress& p) {
                           p.pass(read_value != nullptr ? read_value(f.block(0).origin)
                                                        : std::numeric_limits<double>::quiet_NaN());
                         },
                         where),
    write(shown_->place(), where), parts);
}

} // namespace rondo
