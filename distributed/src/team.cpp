#include <rondo/distributed/team.hpp>

#include <algorithm>
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

/// Sends to one rank, and gets as much from another one.
void swap(polled_transport over, unsigned to, std::span<const std::byte> what, unsigned from,
  std::span<std::byte> into) {
  direct_messages both(over);
  both.receive(from, into);
  both.send(to, what);
  both.wait();
}

/// The same of any lengths.
std::vector<std::byte> swap_any(
  polled_transport over, unsigned to, const std::vector<std::byte>& what, unsigned from) {
  const std::uint64_t size = what.size();
  std::uint64_t comes = 0;
  swap(over, to, std::as_bytes(std::span(&size, 1)), from,
    std::as_writable_bytes(std::span(&comes, 1)));
  std::vector<std::byte> into(comes);
  swap(over, to, what, from, into);
  return into;
}

/// All letters at the same time. Letters that come have the sizes of what they are put into.
void transfer(polled_transport over, std::span<const team::letter_to> out,
  std::span<const unsigned> from, std::span<std::vector<std::byte>> into) {
  direct_messages all(over);
  for(std::size_t r = 0; r != from.size(); ++r)
    all.receive(from[r], into[r]);
  for(const team::letter_to& l : out)
    all.send(l.rank, l.text);
  all.wait();
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

polled_transport team::members() const { return {*over_, poller_}; }

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
    bag = swap_any(members(), (rank_ + step) % ranks_, bag, (rank_ + ranks_ - step) % ranks_);
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
  transfer(members(), sizes, from, in);
  for(std::vector<std::byte>& text : in) {
    std::uint64_t size = 0;
    std::memcpy(&size, text.data(), sizeof size);
    text.resize(size);
  }
  transfer(members(), out, from, in);
  return in;
}

template<class T, class F>
void team::fold_all(std::span<T> values, const F& fold) {
  std::vector<T> other(values.size());
  unsigned step = 1;
  for(; step < ranks_ && (rank_ & step) == 0; step *= 2)
    if(ranks_ - rank_ > step) {
      receive(members(), rank_ + step, std::as_writable_bytes(std::span(other)));
      for(std::size_t k = 0; k != values.size(); ++k)
        values[k] = fold(values[k], other[k]);
    }
  if(rank_ != 0) {
    send(members(), rank_ - step, std::as_bytes(values));
    receive(members(), rank_ - step, std::as_writable_bytes(values));
  }
  for(step /= 2; step != 0; step /= 2)
    if(ranks_ - rank_ > step)
      send(members(), rank_ + step, std::as_bytes(values));
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
    swap(members(), (rank_ + step) % ranks_, std::as_bytes(std::span(&all, 1)),
      (rank_ + ranks_ - step) % ranks_, std::as_writable_bytes(std::span(&other, 1)));
    if(rank_ >= step) {
      sum += other;
      all += other;
    }
  }
  return sum;
}

} // namespace rondo::detail::inline distributed
