#include <exception>
#include <stdexcept>

#include <rondo/distributed/channel.hpp>
#include <rondo/tracing/flow.hpp>

#include "divergence/check.hpp"
#include "failure.hpp"

namespace rondo::detail::inline distributed {

message_poller::message_poller(
  executor& ex, transport& t, const flow* watched, divergence_check* check)
    : ex_(ex), transport_(t), flow_(watched), check_(check) {
  try {
    ex.attach(*this);
  }
  catch(const std::logic_error&) {
    if(watched == nullptr)
      throw;
    throw std::logic_error("rondo::scheduler: this executor has a scheduler already, or a poller "
                           "of the program's own; make an executor for each");
  }
}

message_poller::traffic message_poller::sent() const {
  const std::lock_guard lock(mutex_);
  traffic all = before_;
  for(const channel_out* const c : senders_) {
    all.messages += c->sent();
    all.bytes += c->bytes_sent();
  }
  return all;
}

void message_poller::add(const channel_out& c) {
  const std::lock_guard lock(mutex_);
  senders_.push_back(&c);
}

void message_poller::remove(const channel_out& c) {
  const std::lock_guard lock(mutex_);
  before_.messages += c.sent();
  before_.bytes += c.bytes_sent();
  std::erase(senders_, &c);
}

void message_poller::tell(
  const channel_end& end, message_info::what_type what, std::size_t bytes) const {
  using what_type = message_info::what_type;
  message_info m{.what = what, .channel = end.number(), .peer = end.peer(), .bytes = bytes};
  if(what == what_type::posted || what == what_type::taken)
    if(const known_task* const task = known_task::innermost(); task != nullptr)
      m.serves = task->info().id();
  const auto one = [&m](observer& o) { o.message(m); };
  engine_of(ex_).tell(one);
}

void message_poller::poll_as(bool (transport::*how)()) {
  (transport_.*how)();
  if(flow_ != nullptr && flow_->has_failed() && transport_.ranks() > 1) [[unlikely]]
    if(const std::exception_ptr why = flow_->failure())
      end_all(transport_, with_maker(ex_, flow_->failed_launch(), why), why);
  if(check_ != nullptr)
    check_->look();
}

} // namespace rondo::detail::inline distributed
