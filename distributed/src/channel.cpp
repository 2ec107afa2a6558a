#include <rondo/distributed/channel.hpp>

#include <algorithm>
#include <thread>
#include <utility>

#include <rondo/distributed/prefetch_lines.hpp>

namespace rondo::detail::inline distributed {

channel_end::channel_end(
  message_poller& n, unsigned peer, std::uint32_t number, std::size_t capacity)
    : messages_(n), capacity_(capacity), number_(number), peer_(peer) {
  for(slot& s : slots_) {
    s.of = this;
    s.sent = capacity;
  }
}

/// Two in memory of the transport's. Where there is none: one here, and the other end has one as well; or two, if they are so
/// short that it is not worth waiting for one.
template<class Make>
void channel_end::make_messages(const Make& make) {
  constexpr std::size_t is_short = 1024;
  for(slot& s : slots_) {
    const transport::completion done{&channel_end::ended, &s};
    s.message = make(s, done, true);
    if(s.message != nullptr)
      continue;
    s.memory = std::make_unique<std::byte[]>(capacity_);
    s.message = make(s, done, false);
    if(capacity_ <= is_short)
      continue;
    used_ = static_cast<unsigned>(&s - slots_.data()) + 1;
    return;
  }
}

std::byte* channel_end::take(channel_user& user) {
  if(is_ready())
    return memory();
  slot& s = slots_[next_];
  if(messages_.is_observed()) [[unlikely]]
    note_who_waits();
  if(!polls_for_all_)
    messages_.want();
  // It may have come meanwhile: then there is no way round by the next thread that polls.
  engine_of(messages_.home()).poll_if_wanted();
  std::uintptr_t owner = under_way;
  // Release: all that the user has written down for when it is told.
  if(s.owner.compare_exchange_strong(owner, reinterpret_cast<std::uintptr_t>(&user),
       std::memory_order_release, std::memory_order_acquire))
    return nullptr; // and nothing is looked at any more
  if(!polls_for_all_)
    messages_.stop_wanting();
  return s.place();
}

/// A message is no longer under way: the transport has called.
void channel_end::ended(void* p) {
  slot& s = *static_cast<slot*>(p);
  std::byte* const memory = s.place();
  message_poller& n = s.of->messages_;
  const bool polled_for_all = s.of->polls_for_all_;
  if(n.is_observed()) [[unlikely]]
    if(!s.is_told)
      s.of->tell_over(s);
  s.is_told = false;
  // Release: see take(). Acquire: what its user has written down.
  const std::uintptr_t owner = s.owner.exchange(ours, std::memory_order_acq_rel);
  // From here on the end is there only if somebody waits for it.
  const bool is_awaited = owner != under_way;
  if(is_awaited || polled_for_all)
    n.stop_wanting();
  if(!is_awaited)
    return;
  auto& user = *reinterpret_cast<channel_user*>(owner); // NOLINT: take() put it there
  if(n.is_observed()) [[unlikely]] {
    // From now on it works on behalf of the task that has waited, and not of whatever polls.
    const known_task here(s.of->who_waits_);
    user.channel_is_ready(memory);
    return;
  }
  user.channel_is_ready(memory);
}

void channel_end::note_who_waits() {
  const known_task* const task = known_task::innermost();
  who_waits_ = task != nullptr ? task->info().kept() : task_info{task_info::kind_type::task, ""};
}

/// A message has arrived, or its memory may be used again.
void channel_end::tell_over(const slot& s) const {
  const bool is_sent = polls_for_all_;
  messages_.tell(*this, is_sent ? message_info::what_type::sent : message_info::what_type::arrived,
    is_sent ? s.sent : s.message->length());
}

channel_end::slot& channel_end::pass_on() {
  slot& s = slots_[next_];
  next_ = next_ + 1 == used_ ? 0 : next_ + 1;
  return s;
}

void channel_end::start_idle() { start(*std::exchange(idle_, nullptr)); }

void channel_end::start(slot& s) {
  // Relaxed: the transport hands over what was written before to who calls `ended`.
  s.owner.store(under_way, std::memory_order_relaxed);
  s.is_asked = polls_for_all_; // what is sent nobody need ask for
  if(s.message->start()) {
    if(messages_.is_observed()) [[unlikely]]
      tell_over(s);
    // Nobody waits: the launch that uses the channel does, and it does something else just now.
    const bool is_read_there = polls_for_all_ && s.is_in_place();
    s.owner.store(is_read_there ? lent : ours, std::memory_order_relaxed);
  }
  else if(polls_for_all_)
    messages_.want(); // it may have ended already: then this makes up for it
}

/// Asks for the next message, for the first time since it was started. Returns true if it is here.
bool channel_end::ask() {
  slot& s = slots_[next_];
  s.is_asked = true;
  if(!s.message->ask())
    return false;
  if(messages_.is_observed()) [[unlikely]]
    tell_over(s);
  s.owner.store(ours, std::memory_order_relaxed);
  return true;
}

/// Asks for the memory of the next message, which was sent in place. Returns true if it is ours.
bool channel_end::reclaim() {
  slot& s = slots_[next_];
  s.owner.store(under_way, std::memory_order_relaxed);
  s.is_told = true; // before, since from then on it may end
  if(s.message->reclaim()) {
    s.is_told = false;
    s.owner.store(ours, std::memory_order_relaxed);
    return true;
  }
  messages_.want(); // as in start()
  return false;
}

channel_out::channel_out(message_poller& n, unsigned to, std::uint32_t number, std::size_t capacity)
    : channel_end(n, to, number, capacity) {
  polls_for_all_ = true; // who receives may need our help
  make_messages([&](slot& s, const transport::completion& done, bool is_in_place) {
    return is_in_place ? n.messages().make_sender_in_place(to, number, capacity, done)
                       : n.messages().make_sender(to, number, {s.memory.get(), capacity}, done);
  });
  n.add(*this);
}

channel_out::~channel_out() {
  const auto is_sending = [this] {
    return std::any_of(slots_.begin(), slots_.end(), [](const slot& s) {
      // Acquire: `ended` touches it no more. The transport keeps lent memory until it has been read.
      const std::uintptr_t owner = s.owner.load(std::memory_order_acquire);
      return owner != ours && owner != lent;
    });
  };
  while(is_sending()) {
    messages_.poll();
    std::this_thread::yield();
  }
  messages_.remove(*this);
}

void channel_out::expect_use() const {
  const slot& s = slots_[next_];
  if(s.is_in_place()) // other memory has not been elsewhere
    prefetch_lines<line_use::write>(s.place(), capacity());
}

void channel_out::send() {
  if(messages_.is_observed()) [[unlikely]]
    messages_.tell(*this, message_info::what_type::posted, slots_[next_].sent);
  sent_.store(sent() + 1, std::memory_order_relaxed);
  start(pass_on());
}

void channel_out::send(std::size_t length) {
  slots_[next_].message->set_length(length);
  slots_[next_].sent = length;
  send();
  // Release, and behind the count of messages: what is missing is never more than there is.
  left_out_.store(
    left_out_.load(std::memory_order_relaxed) + (capacity() - length), std::memory_order_release);
}

channel_in::channel_in(
  message_poller& n, unsigned from, std::uint32_t number, std::size_t capacity, lengths of)
    : channel_end(n, from, number, capacity) {
  make_messages([&](slot& s, const transport::completion& done, bool is_in_place) {
    return is_in_place ? n.messages().make_receiver_in_place(from, number, capacity, done)
                       : n.messages().make_receiver(from, number, {s.memory.get(), capacity}, done);
  });
  for(unsigned i = 0; i != used_; ++i) {
    if(of == lengths::up_to_capacity)
      slots_[i].message->take_shorter();
    slots_[i].message->look_when_asked();
    start(slots_[i]);
  }
}

void channel_in::end() {
  if(messages_.is_observed()) [[unlikely]]
    messages_.tell(*this, message_info::what_type::taken, length());
  slot& s = pass_on();
  if(s.is_in_place())
    s.message->give_back(); // before anything else: its sender may need it
  if(idle_ != nullptr)
    start_idle(); // the next one was there at once
  if(!std::exchange(has_waited_, false) ||
     used_ == 1) { // else nobody could send anything meanwhile
    start(s);
    return;
  }
  s.owner.store(nobodys, std::memory_order_relaxed);
  idle_ = &s;
}

} // namespace rondo::detail::inline distributed
