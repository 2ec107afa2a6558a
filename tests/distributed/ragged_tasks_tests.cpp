// What tasks do with ragged fields: several at once, of structures, per color and per rank, and when they fail.

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "meshes.hpp"
#include "ranks.hpp"

using namespace rondo;

namespace {

using line = structured<1>;

/// Of a size that no register has, and aligned to more than that.
struct alignas(32) hit {
  double energy;
  std::uint32_t color;
  unsigned char kind;
  bool operator==(const hit&) const = default;
};
using hits = field<ragged<hit>>;
using numbers = field<double>;
using indices = field<ragged<std::int32_t>>;

constexpr std::int64_t points = 36;
const structured_options<1> ring{.extents = {points}, .colors = {6}, .periodic = {true}};

std::int64_t wrapped(std::int64_t i) { return (i % points + points) % points; }
std::size_t length_of(std::int64_t i, std::uint64_t n) {
  return meshes::mix(static_cast<std::uint64_t>(wrapped(i)), n) % 50;
}
hit hit_of(std::int64_t i, std::uint64_t n, std::size_t k) {
  const std::uint64_t h = meshes::mix(static_cast<std::uint64_t>(wrapped(i)), n + 100 * k);
  return {static_cast<double>(h >> 40U), static_cast<std::uint32_t>(h),
    static_cast<unsigned char>(h >> 8U)};
}

namespace task {
void collect(line::view m, hits::accessor<wo> a, std::uint64_t n) {
  a.reserve(200);
  for(const auto i : m.owned(0)) {
    a(i).clear();
    for(std::size_t k = 0; k != length_of(i, n); ++k)
      a(i).push_back(hit_of(i, n, k));
  }
}
std::uint64_t count_wrong(line::view m, hits::accessor<ro, ro> a, std::uint64_t n) {
  std::uint64_t wrong = 0;
  std::size_t all = 0;
  for(const auto i : m.owned(0)) {
    all += a(i).size();
    for(std::int64_t p = i - 1; p != i + 2; ++p) {
      const std::span<const hit> row = a(p);
      wrong += row.size() != length_of(p, n);
      for(std::size_t k = 0; k != row.size(); ++k)
        wrong += row[k] != hit_of(p, n, k);
      wrong += reinterpret_cast<std::uintptr_t>(row.data()) % alignof(hit) != 0;
    }
  }
  return wrong + (all != a.total());
}
/// Three fields at once; the third is a plain one.
void three(
  line::view m, hits::accessor<ro, ro> a, indices::accessor<wo> b, numbers::accessor<rw, ro> sum) {
  std::vector<double> sums;
  for(const auto i : m.owned(0)) {
    b(i).clear();
    double s = sum(i - 1) + sum(i + 1);
    for(const std::int64_t p : {i - 1, i + 1})
      for(const hit& h : a(p)) {
        b(i).push_back(static_cast<std::int32_t>(h.kind));
        s += h.kind;
      }
    sums.push_back(s);
  }
  auto next = sums.begin();
  for(const auto i : m.owned(0))
    sum(i) = *next++;
}
std::uint64_t count_wrong_indices(
  line::view m, indices::accessor<ro, ro> b, numbers::accessor<ro> sum, std::uint64_t n) {
  std::uint64_t wrong = 0;
  for(const auto i : m.owned(0)) {
    double s = 0;
    for(std::int64_t p = i - 1; p != i + 2; ++p) {
      std::vector<std::int32_t> right;
      for(const std::int64_t q : {p - 1, p + 1})
        for(std::size_t k = 0; k != length_of(q, n); ++k)
          right.push_back(hit_of(q, n, k).kind);
      const auto row = b(p);
      wrong += std::vector(row.begin(), row.end()) != right;
      if(p == i)
        for(const std::int32_t x : right)
          s += x;
    }
    wrong += sum(i) != s;
  }
  return wrong;
}
/// Only ghosts, while others change what is owned.
std::uint64_t sum_of_ghosts(line::view m, hits::accessor<na, ro> a) {
  std::uint64_t wrong = 0;
  for(int again = 0; again != 200; ++again)
    for(const std::int64_t g : {m.owned(0).first() - 1, m.owned(0).last()})
      wrong += a(g).size() != length_of(g, 1) ||
               (!a(g).empty() && a(g).back() != hit_of(g, 1, a(g).size() - 1));
  return wrong;
}
/// As `collect`, again and again; it ends with longer rows.
void collect_often(line::view m, hits::accessor<rw> a) {
  for(std::uint64_t n = 0; n != 20; ++n)
    collect(m, a, n);
}
/// The same field, of which one part is changed and the other one is read.
void from_ghosts(line::view m, hits::accessor<rw> a, hits::accessor<na, ro> seen) {
  for(const auto i : m.owned(0))
    for(std::size_t k = 0; k != 40; ++k)
      a(i).push_back(hit_of(i, 1, k));
  const std::int64_t g = m.owned(0).last();
  if(seen(g).size() != length_of(g, 1) || (!seen(g).empty() && seen(g)[0] != hit_of(g, 1, 0)))
    throw std::logic_error("ghosts have changed");
  a(m.owned(0).first()).assign(seen(g));
}
void fail_after_changes(line::view m, hits::accessor<rw> a, color_id color) {
  for(const auto i : m.owned(0))
    a(i).resize(100);
  if(m.color() == color)
    throw std::runtime_error("no luck");
}
/// Functions that see less are given what sees more.
std::size_t seen(const hits::accessor<ro, ro>& a, std::int64_t i) { return a(i).size(); }
std::size_t seen_here(const hits::accessor<ro>& a, std::int64_t i) { return a(i).size(); }
std::size_t seen_there(const hits::accessor<na, ro>& a, std::int64_t i) { return a(i).size(); }
std::uint64_t convert(line::view m, hits::accessor<rw, ro> a) {
  std::uint64_t wrong = 0;
  for(const auto i : m.owned(0)) {
    a(i).push_back({});
    wrong += seen(a, i) != a(i).size() || seen_here(a, i) != a(i).size();
  }
  for(const std::int64_t g : {m.owned(0).first() - 1, m.owned(0).last()})
    wrong += seen(a, g) != length_of(g, 2) || seen_there(a, g) != length_of(g, 2);
  return wrong;
}
void read_nothing(line::view /*m*/, hits::accessor<ro, ro> /*a*/) {}
/// Those with an odd coordinate, from the others beside them, or the other way round.
void sweep(line::view m, hits::accessor<rw, still> a, std::int64_t first) {
  for(const auto i : m.owned(0))
    if((i - first) % 2 == 0) {
      const std::size_t size = (a(i - 1).size() + 2 * a(i + 1).size()) % 60;
      a(i).resize(size, a(i + 1).empty() ? hit{1, 2, 3} : a(i + 1).back());
    }
}
std::uint64_t hash_of_all(line::view m, hits::accessor<ro> a) {
  std::uint64_t h = 0;
  for(const auto i : m.owned(0)) {
    h += meshes::mix(static_cast<std::uint64_t>(i), a(i).size());
    for(const hit& x : a(i))
      h += meshes::mix(x.color, static_cast<std::uint64_t>(x.energy) + x.kind);
  }
  return h;
}

void note_colors(topo::index::view c, indices::accessor<wo> a) {
  a().assign(c.color() + 1, static_cast<std::int32_t>(c.color()));
}
void note_more(topo::index::view c, indices::accessor<rw> a) {
  for(std::size_t k = 0; k != 100 * c.color(); ++k)
    a().push_back(-1);
  if(c.color() % 2 == 1)
    a(0).erase_if([](std::int32_t x) { return x >= 0; });
}
std::uint64_t sizes(topo::index::view /*c*/, indices::accessor<ro> a) { return a().size(); }

void note_steps(indices::accessor<rw> a, std::int32_t step) {
  for(std::int32_t k = 0; k != step; ++k)
    a().push_back(step);
}
std::uint64_t count_wrong_steps(line::view m, indices::accessor<ro> a, std::int32_t steps) {
  std::uint64_t wrong = 0;
  std::size_t at = 0;
  for(std::int32_t s = 0; s != steps; ++s)
    for(std::int32_t k = 0; k != s; ++k)
      wrong += a()[at++] != s;
  return wrong + (at != a().size()) + (m.colors() != 6);
}
void collect_on_rank(
  mpi_task /*t*/, per_color<line::view> m, per_color<hits::accessor<wo>> a, std::uint64_t n) {
  for(std::size_t c = 0; c != m.size(); ++c)
    collect(m[c], a[c], n);
}
std::uint64_t count_wrong_on_rank(
  mpi_task /*t*/, per_color<line::view> m, per_color<hits::accessor<ro, ro>> a, std::uint64_t n) {
  std::uint64_t wrong = 0;
  for(std::size_t c = 0; c != m.size(); ++c)
    wrong += count_wrong(m[c], a[c], n);
  return wrong;
}
std::uint64_t change_on_rank(
  mpi_task /*t*/, per_color<hits::accessor<rw>> a, per_color<line::view> m) {
  for(std::size_t c = 0; c != m.size(); ++c)
    for(const auto i : m[c].owned(0))
      a[c](i).push_back({});
  return m.size();
}
} // namespace task

/// On 1 to 3 ranks, connected in two ways.
template<class F>
void everywhere(const F& program) {
  for(const unsigned ranks : {1U, 2U, 3U})
    for(const bool share_memory : {false, true})
      on_ranks(
        share_memory ? make_shared_memory_transports(ranks, 2) : make_local_transports(ranks), 2,
        program);
}

} // namespace

static_assert(!std::is_convertible_v<hits::accessor<ro>, hits::accessor<ro, ro>>);
static_assert(!std::is_convertible_v<hits::accessor<ro>, hits::accessor<rw>>);
static_assert(!std::is_convertible_v<hits::accessor<na, ro>, hits::accessor<ro>>);
static_assert(!std::is_convertible_v<hits::accessor<ro, ro, 1>, hits::accessor<ro, ro>>);
static_assert(std::is_convertible_v<hits::accessor<rw, ro>, hits::accessor<ro, ro, 1>>);
static_assert(std::is_same_v<hits::accessor<ro, ro>::row, std::span<const hit>>);
static_assert(std::is_same_v<hits::accessor<wo>::row, ragged_row<hit>>);

TEST_CASE("rows of structures keep their values and where these may lie") {
  everywhere([](scheduler& s) {
    const line m{s, ring};
    const hits a{m, "a"};
    for(std::uint64_t n = 0; n != 10; ++n) {
      s.execute<task::collect>(m, a, n);
      expect(s.reduce<task::count_wrong, fold::sum>(m, a, n).get() == 0);
    }
  });
}

TEST_CASE("a task has several ragged fields, and plain ones") {
  everywhere([](scheduler& s) {
    const line m{s, ring};
    const hits a{m, "a"};
    const indices b{m, "b"};
    for(std::uint64_t n = 0; n != 10; ++n) {
      const numbers sum{m, "sum"};
      s.execute<task::collect>(m, a, n);
      s.execute<task::three>(m, a, b, sum);
      expect(s.reduce<task::count_wrong_indices, fold::sum>(m, b, sum, n).get() == 0);
    }
  });
}

TEST_CASE("tasks read ghosts while others change what is owned") {
  everywhere([](scheduler& s) {
    const line m{s, ring};
    const hits a{m, "a"};
    for(int again = 0; again != 20; ++again) {
      s.execute<task::collect>(m, a, std::uint64_t{1});
      s.execute<task::read_nothing>(m, a);
      auto wrong = s.reduce<task::sum_of_ghosts, fold::sum>(m, a);
      s.execute<task::collect_often>(m, a);
      expect(wrong.get() == 0);
      s.execute<task::collect>(m, a, std::uint64_t{1});
      s.execute<task::from_ghosts>(m, a, a);
      s.execute<task::collect>(m, a, std::uint64_t{2});
      expect(s.reduce<task::convert, fold::sum>(m, a).get() == 0);
    }
  });
}

TEST_CASE("sweeps that see only ghosts that nobody writes have the same rows on all ranks") {
  std::vector<std::uint64_t> expected;
  everywhere([&expected](scheduler& s) {
    const line m{s, ring};
    const hits a{m, "a"};
    s.execute<task::collect>(m, a, std::uint64_t{3});
    std::vector<std::uint64_t> all;
    for(std::int64_t n = 0; n != 20; ++n) {
      s.execute<task::sweep>(m, a, n % 2);
      all.push_back(s.reduce<task::hash_of_all, fold::sum>(m, a).get());
    }
    if(expected.empty())
      expected = all; // on one rank
    else
      expect(all == expected);
  });
  // By hand.
  std::vector<std::vector<hit>> rows(points);
  for(std::int64_t i = 0; i != points; ++i)
    for(std::size_t k = 0; k != length_of(i, 3); ++k)
      rows[static_cast<std::size_t>(i)].push_back(hit_of(i, 3, k));
  const auto row = [&](std::int64_t i) -> auto& {
    return rows[static_cast<std::size_t>(wrapped(i))];
  };
  for(std::int64_t n = 0; n != 20; ++n) {
    for(std::int64_t i = n % 2; i < points; i += 2) {
      const hit last = row(i + 1).empty() ? hit{1, 2, 3} : row(i + 1).back();
      row(i).resize((row(i - 1).size() + 2 * row(i + 1).size()) % 60, last);
    }
    std::uint64_t h = 0;
    for(std::int64_t i = 0; i != points; ++i) {
      h += meshes::mix(static_cast<std::uint64_t>(i), row(i).size());
      for(const hit& x : row(i))
        h += meshes::mix(x.color, static_cast<std::uint64_t>(x.energy) + x.kind);
    }
    CHECK(h == expected[static_cast<std::size_t>(n)]);
  }
}

TEST_CASE("each color has a row of its own, and each rank the same") {
  everywhere([](scheduler& s) {
    const topo::index ix{s, {.colors = 9}};
    const indices a{ix, "a"};
    s.execute<task::note_colors>(ix, a);
    expect(s.reduce<task::sizes, fold::sum>(ix, a).get() == 45);
    s.execute<task::note_more>(ix, a);
    expect(s.reduce<task::sizes, fold::sum>(ix, a).get() == 45 - (2 + 4 + 6 + 8) + 3600);

    const line m{s, ring};
    const topo::global g{s};
    const indices steps{g, "steps"};
    for(std::int32_t n = 0; n != 30; ++n) {
      s.execute<task::note_steps>(steps, std::int32_t(n));
      if(n % 10 == 4)
        expect(s.reduce<task::count_wrong_steps, fold::sum>(m, steps, n + 1).get() == 0);
    }
  });
}

TEST_CASE("tasks that call MPI change rows, which are packed when they end") {
  everywhere([](scheduler& s) {
    const line m{s, ring};
    const hits a{m, "a"};
    for(std::uint64_t n = 0; n != 6; ++n) {
      s.execute_mpi<task::collect_on_rank>(m, a, n);
      if(n % 2 == 0)
        expect(s.reduce<task::count_wrong, fold::sum>(m, a, n).get() == 0);
      expect(s.execute_mpi<task::count_wrong_on_rank>(m, a, n).get() == 0);
    }
    s.repeat(20, [&] { static_cast<void>(s.execute_mpi<task::change_on_rank>(a, m)); });
    s.execute_mpi<task::collect_on_rank>(m, a, std::uint64_t{7});
    expect(s.execute_mpi<task::count_wrong_on_rank>(m, a, std::uint64_t{7}).get() == 0);
    s.wait();
    for(std::size_t c = 0; c != a.state().of().local_colors(); ++c)
      expect(!a.state().rows(c).is_loose());
  });
}

TEST_CASE("a task that fails while it changes rows ends the program, and nothing else") {
  for(int again = 0; again != 5; ++again)
    on_ranks(make_local_transports(1), 3, [&](scheduler& s) {
      const line m{s, ring};
      const hits a{m, "a"};
      s.execute<task::collect>(m, a, std::uint64_t{1});
      s.execute<task::fail_after_changes>(m, a, color_id{3});
      for(int pass = 0; pass != 5; ++pass) {
        s.execute<task::read_nothing>(m, a);
        s.execute<task::collect_often>(m, a);
      }
      expect(thrown_by([&] { s.wait(); }).find("no luck") != std::string::npos);
    });
}
