#include "streams.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace rondo::simulate {

nodes::nodes(std::uint32_t ranks, std::uint32_t ranks_per_node)
    : ranks_per_node_(ranks_per_node == 0 ? std::max(1U, ranks) : ranks_per_node),
      count_(ranks == 0 ? 0 : (ranks - 1) / ranks_per_node_ + 1) {}

namespace {

using key = std::pair<std::uint32_t, std::uint32_t>;
key key_of(const stream& s) { return {s.peer, s.channel}; }

/// Finds what a rank takes, by who sends it: by halves, as one rank may take from all others.
class finder {
public:
  finder(const plan& p, const std::vector<std::uint32_t>& first, std::uint32_t count)
      : plan_(p), first_(first), sorted_(count) {
    for(std::size_t r = 0; r != p.ranks.size(); ++r) {
      const auto begin = sorted_.begin() + first[r];
      const auto end = begin + static_cast<std::ptrdiff_t>(p.ranks[r].in.size());
      std::iota(begin, end, 0U);
      std::ranges::stable_sort(
        begin, end, {}, [&](std::uint32_t i) { return key_of(p.ranks[r].in[i]); });
    }
  }

  [[nodiscard]] std::uint32_t find(std::uint32_t from, const stream& s) const {
    const std::vector<stream>& in = plan_.ranks[s.peer].in;
    const auto begin = sorted_.begin() + first_[s.peer];
    const auto end = begin + static_cast<std::ptrdiff_t>(in.size());
    const key wanted{from, s.channel};
    const auto key_at = [&](std::uint32_t i) { return key_of(in[i]); };
    const auto at = std::ranges::lower_bound(begin, end, wanted, {}, key_at);
    return at == end || key_at(*at) != wanted ? stream_out::nobody : first_[s.peer] + *at;
  }

private:
  const plan& plan_;
  const std::vector<std::uint32_t>& first_;
  std::vector<std::uint32_t> sorted_;
};

} // namespace

streams streams_of(const plan& p, const nodes& n) {
  streams s;
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  for(const rank& r : p.ranks) {
    s.first_in.push_back(static_cast<std::uint32_t>(in));
    s.first_out.push_back(static_cast<std::uint32_t>(out));
    in += r.in.size();
    out += r.out.size();
    if(std::max(in, out) >= stream_out::nobody)
      throw std::runtime_error("the plan has too many streams of messages to simulate");
  }
  s.in.reserve(in);
  s.out.reserve(out);
  const auto ranks = static_cast<std::uint32_t>(p.ranks.size());
  for(std::uint32_t r = 0; r != ranks; ++r)
    for(const stream& i : p.ranks[r].in) {
      stream_in x;
      x.rank = r & stream_out::nobody;
      x.is_within_node = n.of(r) == n.of(i.peer);
      s.in.push_back(x);
    }
  const finder f(p, s.first_in, static_cast<std::uint32_t>(in));
  for(std::uint32_t r = 0; r != ranks; ++r)
    for(const stream& o : p.ranks[r].out) {
      stream_out x;
      x.to = f.find(r, o) & stream_out::nobody;
      x.is_within_node = n.of(r) == n.of(o.peer);
      s.out.push_back(x);
    }
  return s;
}

} // namespace rondo::simulate
