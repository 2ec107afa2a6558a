#include <rondo/distributed/bisection.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace rondo::detail::inline distributed {

namespace {

struct piece {
  point<3> lengths;
  unsigned ranks;

  [[nodiscard]] std::uint64_t colors() const {
    return static_cast<std::uint64_t>(lengths[0]) * static_cast<std::uint64_t>(lengths[1]) *
           static_cast<std::uint64_t>(lengths[2]);
  }
  friend bool operator<(const piece& a, const piece& b) {
    return std::tie(a.ranks, a.lengths) < std::tie(b.ranks, b.lengths);
  }
};

struct cut {
  std::size_t axis = 0;
  std::int64_t middle = 0; ///< So many slabs are on the first side ...
  unsigned ranks = 0;      ///< ... and so many ranks.

  [[nodiscard]] std::pair<piece, piece> sides_of(const piece& p) const {
    std::pair<piece, piece> sides{p, p};
    sides.first.lengths[axis] = middle;
    sides.first.ranks = ranks;
    sides.second.lengths[axis] -= middle;
    sides.second.ranks -= ranks;
    return sides;
  }
};

/// The cuts of a piece that are worth looking at: in the middle, and where ranks or colors divide evenly.
class cuts {
public:
  explicit cuts(const piece& p) : piece_(p) {
    for(std::size_t a = 0; a != 3; ++a) {
      const std::int64_t length = p.lengths[a];
      if(length < 2)
        continue;
      const auto n = static_cast<std::int64_t>(p.ranks);
      const std::int64_t even = std::gcd(n, length);
      add(a, length / even * (even / 2), n / even * (even / 2)); // no rank has more than others
      for(const std::int64_t first : {n / 2, n - n / 2}) {
        const std::int64_t middle = muldiv(length, first, n);
        add(a, middle, first);
        add(a, middle + 1, first);
      }
      for(const std::int64_t middle : {length / 2, length - length / 2}) {
        const std::int64_t first = muldiv(n, middle, length);
        add(a, middle, first);
        add(a, middle, first + 1);
      }
    }
  }
  [[nodiscard]] const cut* begin() const { return all_; }
  [[nodiscard]] const cut* end() const { return all_ + count_; }

private:
  static std::int64_t muldiv(std::int64_t a, std::int64_t b, std::int64_t by) {
    __extension__ typedef __int128 wide;
    return static_cast<std::int64_t>(static_cast<wide>(a) * b / by);
  }

  /// If each rank gets a color.
  void add(std::size_t axis, std::int64_t middle, std::int64_t first) {
    if(middle < 1 || middle >= piece_.lengths[axis] || first < 1 || first >= piece_.ranks)
      return;
    const cut c{axis, middle, static_cast<unsigned>(first)};
    const auto is_same = [&](const cut& o) {
      return o.axis == axis && o.middle == middle && o.ranks == c.ranks;
    };
    const auto [one, other] = c.sides_of(piece_);
    if(one.colors() >= one.ranks && other.colors() >= other.ranks &&
       std::none_of(begin(), end(), is_same))
      all_[count_++] = c;
  }

  const piece piece_;
  cut all_[3 * 9];
  std::size_t count_ = 0;
};

/// The least work that a rank will have, in points. Additions, multiplications and divisions of
/// floating-point numbers are the same everywhere; comparisons allow for sums that were made in another order.
class costs {
public:
  costs(const cut_mesh& mesh, std::int64_t halo)
      : halo_(static_cast<double>(std::max(halo, std::int64_t{1}))) {
    for(std::size_t a = 0; a != 3; ++a) {
      side_[a] = static_cast<double>(mesh.extents[a]) / static_cast<double>(mesh.colors[a]);
      is_cut_[a] = mesh.colors[a] > 1;
    }
  }

  [[nodiscard]] double of(const cut& c, const piece& p) const {
    const auto [one, other] = c.sides_of(p);
    return std::max(ahead(one), ahead(other));
  }
  [[nodiscard]] double length(const piece& p, std::size_t axis) const {
    return static_cast<double>(p.lengths[axis]) * side_[axis];
  }
  /// Of the busiest rank of a piece, if its colors could be dealt evenly.
  [[nodiscard]] double at_best(const piece& p) const {
    const std::uint64_t most = (p.colors() + p.ranks - 1) / p.ranks;
    return static_cast<double>(most) * side_[0] * side_[1] * side_[2] + worth_of_ghost * ghosts(p);
  }

private:
  /// A point that is seen takes longer than one that is worked on.
  static constexpr double worth_of_ghost = 4;

  [[nodiscard]] double ahead(const piece& p) const {
    if(p.ranks == 1)
      return at_best(p);
    double least = std::numeric_limits<double>::infinity();
    for(const cut& c : cuts(p)) {
      const auto [one, other] = c.sides_of(p);
      least = std::min(least, std::max(at_best(one), at_best(other)));
    }
    return least;
  }

  /// About as many as each rank sees, if its block is as long as it is wide, where it can be.
  [[nodiscard]] double ghosts(const piece& p) const {
    double block[3], slabs[3];
    for(std::size_t a = 0; a != 3; ++a) {
      block[a] = length(p, a);
      slabs[a] = static_cast<double>(p.lengths[a]);
    }
    for(double left = p.ranks; left > 1;) {
      const double by = left >= 2 ? 2 : left;
      std::size_t longest = 3;
      for(std::size_t a = 0; a != 3; ++a)
        if(slabs[a] > 1 && (longest == 3 || block[a] >= block[longest]))
          longest = a;
      if(longest == 3)
        break;
      block[longest] /= by;
      slabs[longest] /= by;
      left /= by;
    }
    double seen = 0;
    for(std::size_t a = 0; a != 3; ++a)
      if(is_cut_[a])
        seen += block[(a + 1) % 3] * block[(a + 2) % 3];
    return 2 * halo_ * seen;
  }

  double halo_;
  double side_[3];
  bool is_cut_[3];
};

cut best_cut(const costs& cost, const piece& p) {
  // Of those that cost as much, across the longest side, of equal ones across the last: then colors are
  // squares, and rows in memory stay whole.
  constexpr double as_much = 1 + 1e-6;
  cut best;
  double least = std::numeric_limits<double>::infinity();
  const auto is_better = [&](const cut& c) {
    const double here = cost.length(p, c.axis), there = cost.length(p, best.axis);
    if(c.axis != best.axis && here * as_much < there)
      return false;
    if(c.axis != best.axis)
      return here > there * as_much || c.axis > best.axis;
    // Evenly first: also no rank should have less than others. Then in the middle.
    const auto off = [&](const cut& x) {
      const std::int64_t length = p.lengths[x.axis], twice = 2 * x.middle;
      const auto uneven = static_cast<double>(x.middle) * p.ranks -
                          static_cast<double>(x.ranks) * static_cast<double>(length);
      return std::tuple(std::abs(uneven), std::abs(twice - length), twice > length, x.ranks);
    };
    return off(c) < off(best);
  };
  const cuts all(p);
  std::vector<double> of;
  for(const cut& c : all) {
    of.push_back(cost.of(c, p));
    least = std::min(least, of.back());
  }
  bool is_first = true;
  for(std::size_t i = 0; i != of.size(); ++i) {
    const cut& c = all.begin()[i];
    if(of[i] <= least * as_much && (std::exchange(is_first, false) || is_better(c)))
      best = c;
  }
  return best;
}

} // namespace

bisection::bisection(const cut_mesh& mesh, std::int64_t halo, unsigned ranks)
    : mesh_(mesh), halo_(halo) {
  const costs cost(mesh, halo);
  std::map<piece, std::size_t> known;
  const auto number_of = [&](const piece& p) {
    const auto [at, is_new] = known.try_emplace(p, kinds_.size());
    if(is_new) {
      kind k;
      k.lengths = p.lengths;
      k.ranks = p.ranks;
      kinds_.push_back(k);
    }
    return at->second;
  };
  number_of({mesh.colors, ranks});
  for(std::size_t i = 0; i != kinds_.size(); ++i) {
    const piece p{kinds_[i].lengths, kinds_[i].ranks};
    if(p.ranks == 1)
      continue;
    const cut c = best_cut(cost, p);
    const auto [one, other] = c.sides_of(p);
    const std::size_t first = number_of(one), last = number_of(other);
    kind& k = kinds_[i];
    k.first_ranks = c.ranks;
    k.axis = c.axis;
    k.middle = c.middle;
    k.first = first;
    k.last = last;
  }
}

box<3> bisection::of(unsigned rank) const {
  box<3> b{{}, mesh_.colors};
  for(const kind* k = kinds_.data(); k->ranks != 1;) {
    const std::int64_t middle = b.lo[k->axis] + k->middle;
    if(rank < k->first_ranks) {
      b.hi[k->axis] = middle;
      k = &kinds_[k->first];
    }
    else {
      b.lo[k->axis] = middle;
      rank -= k->first_ranks;
      k = &kinds_[k->last];
    }
  }
  return b;
}

unsigned bisection::rank_at(const point<3>& place) const {
  point<3> lo{};
  unsigned rank = 0;
  for(const kind* k = kinds_.data(); k->ranks != 1;) {
    if(place[k->axis] < lo[k->axis] + k->middle)
      k = &kinds_[k->first];
    else {
      lo[k->axis] += k->middle;
      rank += k->first_ranks;
      k = &kinds_[k->last];
    }
  }
  return rank;
}

std::uint64_t bisection::most_colors() const {
  std::uint64_t most = 0;
  for(const kind& k : kinds_)
    if(k.ranks == 1)
      most = std::max(most, piece{k.lengths, 1}.colors());
  return most;
}

double bisection::most_work() const {
  const costs cost(mesh_, halo_);
  double most = 0;
  for(const kind& k : kinds_)
    if(k.ranks == 1)
      most = std::max(most, cost.at_best({k.lengths, 1}));
  return most;
}

} // namespace rondo::detail::inline distributed
