#include <rondo/distributed/channel.hpp>

#include <thread>
#include <utility>

namespace rondo::detail {

channel_end::channel_end(network& n, std::size_t size) : network_(n), size_(size) {
  for(unsigned i = 0; i != messages; ++i) {
    slots_[i].of = this;
    slots_[i].index = i;
    slots_[i].memory = std::make_unique<std::byte[]>(size);
  }
}

std::byte* channel_end::take(channel_user& user) {
  const std::lock_guard lock(mutex_);
  slot& s = slots_[next_];
  if(!s.is_under_way)
    return s.memory.get();
  waiting_ = &user;
  if(!polls_for_all_)
    network_.want();
  return nullptr;
}

/// A message is no longer under way: the transport has called.
void channel_end::ended(void* p) {
  slot& s = *static_cast<slot*>(p);
  channel_end& c = *s.of;
  channel_user* told = nullptr;
  {
    const std::lock_guard lock(c.mutex_);
    s.is_under_way = false;
    if(s.index == c.next_)
      told = std::exchange(c.waiting_, nullptr);
    if(told != nullptr || c.polls_for_all_)
      c.network_.stop_wanting();
  }
  // From here on the end is there only if somebody waits for it.
  if(told != nullptr)
    told->channel_is_ready(s.memory.get());
}

/// From the message in use to the next one.
channel_end::slot& channel_end::advance() {
  const std::lock_guard lock(mutex_); // `ended` looks at it
  slot& s = slots_[next_];
  next_ = (next_ + 1) % messages;
  return s;
}

void channel_end::start(slot& s) {
  {
    const std::lock_guard lock(mutex_);
    s.is_under_way = true;
  }
  if(s.message->start()) {
    // Nobody waits: that is done by who uses the channel, and does something else just now.
    const std::lock_guard lock(mutex_);
    s.is_under_way = false;
  }
  else if(polls_for_all_)
    network_.want(); // it may have ended already: then this makes up for it
}

channel_out::channel_out(network& n, unsigned to, std::uint32_t number, std::size_t size)
    : channel_end(n, size) {
  polls_for_all_ = true; // who receives may need our help
  for(slot& s : slots_)
    s.message =
      n.messages().make_sender(to, number, {s.memory.get(), size}, {&channel_end::ended, &s});
}

channel_out::~channel_out() {
  const auto is_sending = [this] {
    const std::lock_guard lock(mutex_);
    bool any = false;
    for(const slot& s : slots_)
      any = any || s.is_under_way;
    return any;
  };
  while(is_sending()) {
    network_.poll();
    std::this_thread::yield();
  }
}

void channel_out::send() {
  slot& s = advance();
  network_.count(size_);
  start(s);
}

channel_in::channel_in(network& n, unsigned from, std::uint32_t number, std::size_t size)
    : channel_end(n, size) {
  for(slot& s : slots_) {
    s.message =
      n.messages().make_receiver(from, number, {s.memory.get(), size}, {&channel_end::ended, &s});
    start(s);
  }
}

void channel_in::end() {
  slot& s = advance();
  start(s);
}

} // namespace rondo::detail
