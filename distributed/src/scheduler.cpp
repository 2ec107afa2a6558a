#include <rondo/distributed/scheduler.hpp>

namespace rondo {

scheduler::scheduler(executor& ex, transport& t, flow_options options)
    : executor_(ex), transport_(t), network_(ex, t), flow_(ex, options) {
  network_.watch(flow_);
}

scheduler::~scheduler() { let_go(); }

void scheduler::wait() {
  let_go();
  if(failure_ != nullptr)
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

void scheduler::let_go() noexcept {
  try {
    flow_.wait();
  }
  catch(...) {
    if(failure_ == nullptr)
      failure_ = std::current_exception();
  }
}

void scheduler::fetch(detail::field_base& f, const std::source_location& where) {
  if(!f.is_stale || f.of().halo().is_nowhere)
    return;
  f.is_stale = false;
  if(f.exchange == nullptr)
    f.exchange = std::make_unique<detail::halo>(f);
  f.exchange->refresh(where);
}

void scheduler::refuse_field(
  const char* task, const detail::field_base& f, const std::source_location& where) {
  std::string what = where.file_name();
  what += ':';
  what += std::to_string(where.line());
  what += ": ";
  what += task;
  what += ": the field '";
  what += f.name();
  what += "' belongs to another topology than the other arguments";
  throw std::invalid_argument(what);
}

scheduler::any_pass_counts::any_pass_counts(scheduler& of) : s(of) {
  for(detail::field_base* const f : s.fields_)
    f->was_stale = f->is_stale;
}

scheduler::any_pass_counts::~any_pass_counts() {
  for(detail::field_base* const f : s.fields_)
    f->is_stale = f->was_stale;
}

void scheduler::note_stale() {
  for(detail::field_base* const f : fields_)
    f->was_stale = f->was_stale || f->is_stale;
}

} // namespace rondo
