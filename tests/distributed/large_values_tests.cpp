// Reductions whose values are larger than what a task's stack should have to hold many times over.

#include <array>
#include <cstddef>

#include <catch2/catch.hpp>

#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;
using grid = structured<1>;
using numbers = field<double>;

namespace {

template<std::size_t Bins>
using histogram = std::array<double, Bins>;

struct add_bins {
  template<std::size_t Bins>
  void operator()(histogram<Bins>& into, const histogram<Bins>& part) const {
    for(std::size_t i = 0; i != Bins; ++i)
      into[i] += part[i];
  }
};

template<std::size_t Bins>
histogram<Bins> count(grid::view m, numbers::accessor<ro> u) {
  histogram<Bins> h{};
  for(auto i : m.owned(0))
    h[std::size_t(i) % Bins] += 1 + u(i);
  return h;
}

template<std::size_t Bins>
void check_counts(unsigned ranks, std::uint32_t colors) {
  on_ranks(make_local_transports(ranks), 1, [=](scheduler& s) {
    grid m{s, {.extents = {1000}, .colors = {colors}}};
    numbers u{m, "u"};
    for(int again = 0; again != 3; ++again) {
      const future<histogram<Bins>> all = s.reduce<count<Bins>, add_bins{}>(m, u);
      const histogram<Bins>& h = all.get();
      for(std::size_t i = 0; i != Bins; ++i)
        expect(h[i] == double(1000 / Bins + (i < 1000 % Bins ? 1 : 0)));
    }
    s.wait();
  });
}

} // namespace

TEST_CASE("values of reductions may have some KiB, on any number of ranks") {
  for(const unsigned ranks : {1U, 2U, 3U, 5U})
    for(const std::uint32_t colors : {5U, 7U, 8U, 13U})
      check_counts<1024>(ranks, colors);
}

TEST_CASE("values of reductions may have a hundred KiB") {
  for(const unsigned ranks : {1U, 2U, 3U})
    check_counts<13'000>(ranks, 7);
}
