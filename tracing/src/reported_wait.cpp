#include "reported_wait.hpp"

#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/place.hpp>
#include <rondo/futures/errors.hpp>
#include <rondo/futures/state.hpp>

#include "given_up_kind.hpp"
#include "oldest_waiting.hpp"

namespace rondo {

flow::reported_wait::reported_wait(flow& f, const waiting_code& waiting, const char* words,
  detail::wait_condition done, const detail::region_base* of)
    : waits_for{waiting.where,
        [](const waits_for& w, bool is_still) { return self(w).describe(is_still); },
        [](const waits_for& w) { return self(w).done_(detail::wait_phase::looking); },
        [](waits_for& w, const detail::report_of_deadlock& report) {
          return self(w).take_waiting(report);
        },
        [](waits_for& w) { self(w).let_go_on(); }},
      flow_(f), subject_(waiting.subject), what_(words), region_(of), done_(done) {}

void flow::reported_wait::help() { engine_of(flow_.ex_).help_until(done_, *this); }

std::string flow::reported_wait::describe(bool is_still) const {
  std::string text = where.line() == 0 ? std::string(subject_) + ' ' : std::string();
  text += std::string("waits for ") + what_;
  text += region_ != nullptr ? detail::quoted("region", region_->name()) : flow_.name_;
  const std::string oldest = flow_.describe_oldest_waiting(is_still);
  return oldest.empty() ? text : text + "; " + oldest;
}

/// Nothing runs, and the code that launches is kept in its wait. So nobody else looks at the launches, and no future is
/// given a value meanwhile.
bool flow::reported_wait::take_waiting(const detail::report_of_deadlock& report) {
  std::size_t count = 0;
  flow_.each_waiting([&count](const detail::launch& l, std::uint64_t) {
    count += l.stage == detail::launch_stage::futures && l.kind->future != nullptr ? 1 : 0;
  });
  flow_.given_up_.reserve(flow_.given_up_.size() + count);
  detail::turn_wait** end = &taken_;
  flow_.each_waiting([&](detail::launch& l, std::uint64_t) {
    if(l.stage != detail::launch_stage::futures || l.kind->future == nullptr)
      return;
    auto kind = std::make_unique<const detail::given_up_kind>(*l.kind, report);
    const detail::awaited_future f = l.kind->future(l, l.index - 1);
    if(!f.value->remove(*f.wait))
      return; // it is about to go on
    l.kind = kind.get();
    flow_.given_up_.push_back(std::move(kind));
    l.next = nullptr;
    *end = &l; // in their order: the oldest is the first to fail
    end = &l.next;
  });
  return taken_ != nullptr;
}

void flow::reported_wait::let_go_on() {
  for(detail::turn_wait* w = std::exchange(taken_, nullptr); w != nullptr;) {
    auto& l = static_cast<detail::launch&>(*w);
    w = w->next;
    detail::enqueue_launch(l); // from here on it may be over
  }
}

} // namespace rondo
