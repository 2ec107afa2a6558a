#include "message_ends.hpp"

#include <algorithm>
#include <tuple>

namespace rondo::report {

namespace {

using what_type = message_info::what_type;

struct one_end {
  std::uint32_t from;
  std::uint32_t to;
  const detail::told_message* told;

  [[nodiscard]] auto key() const { return std::tuple(from, to, told->channel, told->count); }
};

void add(message_ends& m, const detail::told_message& told) {
  m.bytes = std::max(m.bytes, told.bytes);
  switch(told.what) {
  case what_type::posted:
    m.posted = &told;
    break;
  case what_type::sent:
    m.sent = &told;
    break;
  case what_type::arrived:
    m.arrived = &told;
    break;
  case what_type::taken:
    m.taken = &told;
    break;
  }
}

} // namespace

std::vector<message_ends> messages_of(const detail::timeline& t) {
  std::vector<one_end> ends;
  for(const auto& rank : t.ranks)
    for(const auto& lane : rank.lanes)
      for(const auto& told : lane.messages) {
        const bool sends = told.what == what_type::posted || told.what == what_type::sent;
        ends.push_back({sends ? rank.rank : told.peer, sends ? told.peer : rank.rank, &told});
      }
  std::sort(
    ends.begin(), ends.end(), [](const one_end& a, const one_end& b) { return a.key() < b.key(); });

  std::vector<message_ends> all;
  for(std::size_t i = 0; i != ends.size(); ++i) {
    const one_end& e = ends[i];
    if(i == 0 || ends[i - 1].key() != e.key())
      all.push_back({e.from, e.to, e.told->channel, e.told->count});
    add(all.back(), *e.told);
  }
  return all;
}

} // namespace rondo::report
