#include "peer.hpp"

#include <cstring>
#include <mutex>

#include <rondo/distributed/prefetch_lines.hpp>

#include "../mismatch.hpp"
#include "message.hpp"

namespace rondo::detail::inline distributed {

// ---- what goes there --------------------------------------------------------------------------

bool outgoing::start(shm_sender& s, remote_messages& messages) {
  const std::lock_guard lock(lock_);
  s.written_ = {s.channel_, s.length_, s.data_, s.length_, false, s.place()};
  s.lend();
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
    if(s->has_all_back())
      messages.end(*s);
    else
      lenders_.push(*s);
  }
  for(shm_sender* s = lenders_.front(); s != nullptr;) {
    shm_sender* const next = s->next_;
    if(s->has_all_back()) {
      lenders_.remove(*s);
      messages.end(*s);
    }
    s = next;
  }
  if(any)
    bell_.ring();
}

void outgoing::await(shm_sender& s, remote_messages& messages) {
  const std::lock_guard lock(lock_);
  messages.start(s);
  lenders_.push(s);
}

// ---- what comes from there --------------------------------------------------------------------

inbox& incoming::inbox_of(std::uint32_t channel) {
  if(last_ == nullptr || last_->channel != channel) {
    last_ = &inboxes_[channel];
    last_->channel = channel;
  }
  return *last_;
}

/// If nobody will ask for it.
void incoming::forget(inbox& b) {
  if(b.uses != 0 || !b.early.empty() || &b == inbox_)
    return;
  if(last_ == &b)
    last_ = nullptr;
  inboxes_.erase(b.channel);
}

inbox& incoming::use(std::uint32_t channel) {
  inbox& b = inbox_of(channel);
  ++b.uses;
  return b;
}

void incoming::leave(inbox& b) {
  --b.uses;
  forget(b);
}

void incoming::look(remote_messages& messages) {
  // A rank that sends all the time keeps no other one waiting.
  for(std::size_t i = 0; i != pipe_memory::most_cells; ++i) {
    const pipe_memory::cell* const c = pipe_.next();
    if(c == nullptr)
      return;
    if((c->size & pipe_memory::is_elsewhere) != 0) {
      take_lent(*c, messages);
      continue;
    }
    if(inbox_ == nullptr)
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

/// As a whole, and never in the midst of another one.
void incoming::take_lent(const pipe_memory::cell& c, remote_messages& messages) {
  const std::uint32_t channel = c.channel;
  const std::size_t size = c.size & ~pipe_memory::is_elsewhere;
  auto& lent = *reinterpret_cast<lent_memory*>(memory_.at(pipe_.read_lent()));
  prefetch_lines<line_use::read>(&lent, lent_memory::before + size);
  inbox& b = inbox_of(channel);
  shm_receiver* const to = b.waiting.front();
  if(to == nullptr) {
    b.early.push_back({size, size, nullptr, &lent});
    return;
  }
  b.waiting.pop();
  if(hand_over(*to, size, lent))
    messages.end(*to);
}

bool incoming::hand_over(shm_receiver& r, std::size_t size, lent_memory& m) {
  if(!r.take_length(size)) {
    refuse(r, size);
    return false;
  }
  r.borrow(m);
  return true;
}

/// It will never end.
void incoming::refuse(shm_receiver& r, std::size_t size) {
  end_by_mismatch(aborts_, peer_, r.channel_, size, r.size_);
  r.state_ = remote_message::state::idle;
}

void incoming::begin(const pipe_memory::cell& c) {
  inbox_ = &inbox_of(c.channel);
  left_ = c.size;
  to_ = inbox_->waiting.front();
  early_ = nullptr;
  into_ = nullptr;
  if(to_ == nullptr) {
    early_ = &inbox_->early.emplace_back(early_message{c.size, 0, nullptr});
    early_->bytes = std::make_unique_for_overwrite<std::byte[]>(c.size);
    into_ = early_->bytes.get();
    return;
  }
  inbox_->waiting.pop();
  if(to_->take_length(c.size)) {
    into_ = to_->memory_of_its_own();
    return;
  }
  refuse(*to_, c.size);
  to_ = nullptr;
}

void incoming::end(remote_messages& messages) {
  if(to_ != nullptr)
    messages.end(*to_);
  inbox& b = *inbox_;
  inbox_ = nullptr;
  to_ = nullptr;
  early_ = nullptr;
  forget(b);
}

bool incoming::start(shm_receiver& r, remote_messages& messages) {
  inbox& b = r.inbox_;
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
  if(e.lent != nullptr)
    return hand_over(r, e.size, *e.lent);
  if(!r.take_length(e.size)) {
    refuse(r, e.size);
    return false;
  }
  std::byte* const into = r.memory_of_its_own();
  if(e.arrived != 0)
    std::memcpy(into, e.bytes.get(), e.arrived);
  if(!is_coming)
    return true;
  messages.start(r);
  to_ = &r;
  into_ = into + e.arrived;
  return false;
}

void incoming::withdraw(shm_receiver& r) {
  if(to_ != &r) {
    r.inbox_.waiting.remove(r);
    return;
  }
  to_ = nullptr;
  into_ = nullptr;
}

} // namespace rondo::detail::inline distributed
