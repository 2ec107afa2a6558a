#include "peer.hpp"

#include <cstring>
#include <mutex>

#include "../mismatch.hpp"
#include "message.hpp"

namespace rondo::detail::inline distributed {

// ---- what goes there --------------------------------------------------------------------------

bool outgoing::start(shm_sender& s, remote_messages& messages) {
  const std::lock_guard lock(lock_);
  s.written_ = {s.channel_, s.length_, s.data_, s.length_};
  if(waiting_.front() == nullptr && pipe_.write(s.written_)) {
    bell_.ring();
    if(s.written_.is_written)
      return true;
  }
  messages.start(s);
  waiting_.push(s);
  return false;
}

void outgoing::flush(remote_messages& messages) {
  const std::lock_guard lock(lock_);
  bool any = false;
  while(shm_sender* const s = waiting_.front()) {
    any = pipe_.write(s->written_) || any;
    if(!s->written_.is_written)
      break;
    waiting_.pop();
    messages.end(*s);
  }
  if(any)
    bell_.ring();
}

// ---- what comes from there --------------------------------------------------------------------

inbox& incoming::box_of(std::uint32_t channel) {
  if(last_ == nullptr || last_->channel != channel) {
    last_ = &boxes_[channel];
    last_->channel = channel;
  }
  return *last_;
}

/// If nobody will ask for it.
void incoming::forget(inbox& b) {
  if(b.uses != 0 || !b.early.empty() || &b == box_)
    return;
  if(last_ == &b)
    last_ = nullptr;
  boxes_.erase(b.channel);
}

inbox& incoming::use(std::uint32_t channel) {
  inbox& b = box_of(channel);
  ++b.uses;
  return b;
}

void incoming::leave(inbox& b) {
  --b.uses;
  forget(b);
}

void incoming::look(remote_messages& messages) {
  // Who sends all the time keeps nobody else waiting.
  for(std::size_t i = 0; i != pipe_memory::most_cells; ++i) {
    const pipe_memory::cell* const c = pipe_.next();
    if(c == nullptr)
      return;
    if(box_ == nullptr)
      begin(*c);
    const std::size_t n = pipe_.read(into_, left_);
    left_ -= n;
    if(into_ != nullptr)
      into_ += n;
    if(early_ != nullptr)
      early_->arrived += n;
    if(left_ == 0)
      end(messages);
  }
}

void incoming::begin(const pipe_memory::cell& c) {
  box_ = &box_of(c.channel);
  left_ = c.size;
  to_ = box_->waiting.front();
  early_ = nullptr;
  into_ = nullptr;
  if(to_ == nullptr) {
    early_ = &box_->early.emplace_back(early_message{c.size, 0, nullptr});
    early_->bytes = std::make_unique_for_overwrite<std::byte[]>(c.size);
    into_ = early_->bytes.get();
    return;
  }
  box_->waiting.pop();
  if(to_->take_length(c.size)) {
    into_ = to_->data_;
    return;
  }
  end_by_mismatch(aborts_, peer_, c.channel, c.size, to_->size_);
  to_->state_ = remote_message::state::idle; // it will never end
  to_ = nullptr;
}

void incoming::end(remote_messages& messages) {
  if(to_ != nullptr)
    messages.end(*to_);
  inbox& b = *box_;
  box_ = nullptr;
  to_ = nullptr;
  early_ = nullptr;
  forget(b);
}

bool incoming::start(shm_receiver& r, remote_messages& messages) {
  inbox& b = r.box_;
  if(b.early.empty()) {
    messages.start(r);
    b.waiting.push(r);
    return false;
  }
  const early_message e = std::move(b.early.front());
  const bool is_coming = &b.early.front() == early_;
  b.early.pop_front();
  if(is_coming) {
    early_ = nullptr;
    into_ = nullptr;
  }
  if(!r.take_length(e.size)) {
    end_by_mismatch(aborts_, peer_, r.channel_, e.size, r.size_);
    return false; // it will never end
  }
  if(e.arrived != 0)
    std::memcpy(r.data_, e.bytes.get(), e.arrived);
  if(!is_coming)
    return true;
  messages.start(r);
  to_ = &r;
  into_ = r.data_ + e.arrived;
  return false;
}

void incoming::withdraw(shm_receiver& r) {
  if(to_ != &r) {
    r.box_.waiting.remove(r);
    return;
  }
  to_ = nullptr;
  into_ = nullptr;
}

} // namespace rondo::detail::inline distributed
