#include <rondo/distributed/team.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <thread>
#include <utility>

#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/transport.hpp>

#include "direct.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// A piece of mail under way.
struct letter {
  std::uint32_t from;
  std::uint32_t to;
  std::uint64_t size;
};

void add(std::vector<std::byte>& bag, const letter& head, std::span<const std::byte> text) {
  const auto begin = std::as_bytes(std::span(&head, 1));
  bag.insert(bag.end(), begin.begin(), begin.end());
  bag.insert(bag.end(), text.begin(), text.end());
}

} // namespace

team::team(scheduler& s) : team(s.messages().messages()) { poller_ = &s.messages(); }

team::team(transport& t) {
  if(t.planned_workers() != 0 || t.ranks() == 1)
    return;
  over_ = &t;
  rank_ = t.rank();
  ranks_ = t.ranks();
}

// A letter goes forward by 1, 2, 4, ... ranks, as the bits of its way say. Letters under way wait in `kept`.
team::mail team::swap_mail(mail out) {
  mail in(ranks_);
  in[rank_] = std::move(out[rank_]);
  if(over_ == nullptr)
    return in;
  std::vector<std::pair<letter, std::vector<std::byte>>> kept;
  for(unsigned to = 0; to != ranks_; ++to)
    if(to != rank_ && !out[to].empty())
      kept.emplace_back(letter{rank_, to, out[to].size()}, std::move(out[to]));
  for(unsigned step = 1; step < ranks_; step *= 2) {
    const auto goes = [&](const letter& l) {
      return (((l.to + ranks_ - rank_) % ranks_) & step) != 0;
    };
    std::vector<std::byte> bag;
    std::size_t size = 0;
    for(const auto& [head, text] : kept)
      size += goes(head) ? sizeof head + text.size() : 0;
    bag.reserve(size);
    for(const auto& [head, text] : kept)
      if(goes(head))
        add(bag, head, text);
    std::erase_if(kept, [&](const auto& l) { return goes(l.first); });
    bag = swap_any((rank_ + step) % ranks_, bag, (rank_ + ranks_ - step) % ranks_);
    for(std::span<const std::byte> rest = bag; !rest.empty();) {
      letter head{};
      std::memcpy(&head, rest.data(), sizeof head);
      const auto text = rest.subspan(sizeof head, head.size);
      if(head.to == rank_)
        in[head.from].assign(text.begin(), text.end());
      else
        kept.emplace_back(head, std::vector<std::byte>(text.begin(), text.end()));
      rest = rest.subspan(sizeof head + head.size);
    }
  }
  return in;
}

void team::wait_for(const std::atomic<bool>& is_done) {
  while(!is_done.load(std::memory_order_acquire)) {
    if(poller_ != nullptr)
      poller_->poll();
    else
      over_->poll();
    if(!is_done.load(std::memory_order_acquire))
      std::this_thread::yield();
  }
}

void team::send(unsigned to, std::span<const std::byte> what) {
  std::atomic<bool> is_sent{false};
  const auto out = over_->make_sender(to, direct_channel, what, {&set_flag, &is_sent});
  if(!out->start())
    wait_for(is_sent);
}

void team::receive(unsigned from, std::span<std::byte> into) {
  std::atomic<bool> has_come{false};
  const auto in = over_->make_receiver(from, direct_channel, into, {&set_flag, &has_come});
  if(!in->start())
    wait_for(has_come);
}

void team::swap(
  unsigned to, std::span<const std::byte> what, unsigned from, std::span<std::byte> into) {
  std::atomic<bool> is_sent{false};
  std::atomic<bool> has_come{false};
  const auto out = over_->make_sender(to, direct_channel, what, {&set_flag, &is_sent});
  const auto in = over_->make_receiver(from, direct_channel, into, {&set_flag, &has_come});
  if(in->start())
    has_come = true;
  if(out->start())
    is_sent = true;
  wait_for(has_come);
  wait_for(is_sent);
}

std::vector<std::byte> team::swap_any(
  unsigned to, const std::vector<std::byte>& what, unsigned from) {
  const std::uint64_t size = what.size();
  std::uint64_t comes = 0;
  swap(to, std::as_bytes(std::span(&size, 1)), from, std::as_writable_bytes(std::span(&comes, 1)));
  std::vector<std::byte> into(comes);
  swap(to, what, from, into);
  return into;
}

/// All letters at the same time. Letters that come have the sizes of what they are put into.
void team::transfer(std::span<const letter_to> out, std::span<const unsigned> from,
  std::span<std::vector<std::byte>> into) {
  std::deque<std::atomic<bool>> is_done;
  std::vector<std::unique_ptr<transport::message>> messages;
  const auto start = [&](std::unique_ptr<transport::message> m) {
    if(m->start())
      is_done.back() = true;
    messages.push_back(std::move(m));
  };
  for(std::size_t r = 0; r != from.size(); ++r) {
    std::atomic<bool>& flag = is_done.emplace_back(false);
    start(over_->make_receiver(from[r], direct_channel, into[r], {&set_flag, &flag}));
  }
  for(const letter_to& l : out) {
    std::atomic<bool>& flag = is_done.emplace_back(false);
    start(over_->make_sender(l.rank, direct_channel, l.text, {&set_flag, &flag}));
  }
  for(const std::atomic<bool>& flag : is_done)
    wait_for(flag);
}

std::vector<std::vector<std::byte>> team::swap_letters(
  std::vector<letter_to> out, std::span<const unsigned> from) {
  std::vector<letter_to> sizes;
  for(const letter_to& l : out) {
    const std::uint64_t size = l.text.size();
    const auto bytes = std::as_bytes(std::span(&size, 1));
    sizes.push_back({l.rank, {bytes.begin(), bytes.end()}});
  }
  std::vector<std::vector<std::byte>> in(
    from.size(), std::vector<std::byte>(sizeof(std::uint64_t)));
  if(over_ == nullptr)
    return in;
  transfer(sizes, from, in);
  for(std::vector<std::byte>& text : in) {
    std::uint64_t size = 0;
    std::memcpy(&size, text.data(), sizeof size);
    text.resize(size);
  }
  transfer(out, from, in);
  return in;
}

template<class T, class F>
void team::fold_all(std::span<T> values, const F& fold) {
  std::vector<T> other(values.size());
  unsigned step = 1;
  for(; step < ranks_ && (rank_ & step) == 0; step *= 2)
    if(ranks_ - rank_ > step) {
      receive(rank_ + step, std::as_writable_bytes(std::span(other)));
      for(std::size_t k = 0; k != values.size(); ++k)
        values[k] = fold(values[k], other[k]);
    }
  if(rank_ != 0) {
    send(rank_ - step, std::as_bytes(values));
    receive(rank_ - step, std::as_writable_bytes(values));
  }
  for(step /= 2; step != 0; step /= 2)
    if(ranks_ - rank_ > step)
      send(rank_ + step, std::as_bytes(values));
}

void team::add_up(std::span<std::int64_t> values) {
  if(over_ != nullptr && !values.empty())
    fold_all(values, [](std::int64_t a, std::int64_t b) { return a + b; });
}

void team::take_least(std::span<double> values) {
  if(over_ != nullptr && !values.empty())
    fold_all(values, [](double a, double b) { return std::min(a, b); });
}

std::int64_t team::before(std::int64_t own) {
  std::int64_t sum = 0;
  std::int64_t all = own; // of this rank, and of those before it as far as they are known
  for(unsigned step = 1; step < ranks_; step *= 2) {
    std::int64_t other = 0;
    swap((rank_ + step) % ranks_, std::as_bytes(std::span(&all, 1)),
      (rank_ + ranks_ - step) % ranks_, std::as_writable_bytes(std::span(&other, 1)));
    if(rank_ >= step) {
      sum += other;
      all += other;
    }
  }
  return sum;
}

} // namespace rondo::detail::inline distributed
