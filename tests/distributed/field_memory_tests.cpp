// Where the values of fields lie, and for how long.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>
#include <unistd.h>

#include "ranks.hpp"

using namespace rondo;
using grid = structured<2>;
using line = structured<1>;
using numbers = field<double>;

namespace {

template<std::size_t Alignment>
struct alignas(Alignment) wide {
  double x[Alignment / sizeof(double)];
};

std::atomic<int> misplaced{0};

template<class T>
void look_at(const T& value) {
  if(reinterpret_cast<std::uintptr_t>(&value) % alignof(T) != 0)
    ++misplaced;
}

template<class T>
void write_all(line::view m, typename field<T>::template accessor<wo> u) {
  for(const auto i : m.owned(0)) {
    look_at(u(i));
    u(i) = {};
    u(i).x[0] = double(i);
  }
}
template<class T>
void add_left(line::view m, typename field<T>::template accessor<rw, ro> u) {
  for(const auto i : m.interior(0)) {
    look_at(u(i - 1));
    u(i).x[0] += 0 * u(i - 1).x[0];
  }
}
template<class T>
void write_one(topo::index::view /*c*/, typename field<T>::template accessor<wo> u) {
  look_at(u());
  u() = {};
}
template<class T>
T largest(line::view m, typename field<T>::template accessor<ro> u) {
  T all{};
  for(const auto i : m.owned(0)) {
    look_at(u(i));
    all.x[0] += u(i).x[0];
  }
  return all;
}
struct add_first {
  template<class T>
  void operator()(T& into, const T& part) const {
    look_at(into);
    look_at(part);
    into.x[0] += part.x[0];
  }
};

template<std::size_t Alignment>
void check_alignment(unsigned ranks) {
  using value = wide<Alignment>;
  misplaced = 0;
  on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
    line m{s, {.extents = {61}, .colors = {6}}};
    topo::index parts{m};
    numbers before{m, "moves what comes after by a stagger"};
    field<value> u{m, "u"};
    field<value> one{parts, "one"};
    s.execute<write_all<value>>(m, u);
    s.execute<add_left<value>>(m, u); // its colors are moved apart
    s.execute<write_one<value>>(parts, one);
    const future<value> all = s.reduce<largest<value>, add_first{}>(m, u);
    expect(all.get().x[0] == 60 * 61 / 2);
    s.wait();
  });
  CHECK(misplaced == 0);
}

} // namespace

TEST_CASE("values lie where their type's alignment wants them") {
  for(const unsigned ranks : {1U, 2U, 3U}) {
    check_alignment<8>(ranks);
    check_alignment<128>(ranks);
    check_alignment<256>(ranks);
    check_alignment<4096>(ranks);
  }
}

TEST_CASE("more values than any machine has room for are refused with the field's name") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    topo::global g{s, {.size = std::numeric_limits<std::int64_t>::max()}};
    const std::string of_bytes = thrown_by([&] { field<char> c{g, "letters"}; });
    expect(of_bytes.find("letters") != std::string::npos);
    expect(of_bytes.find("no memory") != std::string::npos);
    const std::string of_numbers = thrown_by([&] { numbers n{g, "digits"}; });
    expect(of_numbers.find("digits") != std::string::npos);
  });
}

#if !defined(RONDO_SANITIZED)

namespace {

std::size_t resident() {
  long pages = 0;
  long all = 0;
  if(std::FILE* const f = std::fopen("/proc/self/statm", "r")) {
    if(std::fscanf(f, "%ld %ld", &all, &pages) != 2)
      pages = 0;
    std::fclose(f);
  }
  return std::size_t(pages) * std::size_t(sysconf(_SC_PAGESIZE));
}

void fill(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = 1;
}
void keep(grid::view m, numbers::accessor<rw, ro> u) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      u(i, j) *= u(i, j - 1);
}
double sum(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  return all;
}

} // namespace

TEST_CASE("colors that were moved apart leave no memory behind") {
  const bool in_loop = GENERATE(false, true);
  on_ranks(make_local_transports(1), 2, [in_loop](scheduler& s) {
    constexpr std::int64_t side = 2048;
    constexpr std::size_t bytes = side * side * sizeof(double); // 32 MiB
    const std::size_t before = resident();
    grid m{s, {.extents = {side, side}, .colors = {1, 8}, .stages = 1}};
    numbers u{m, "u"};
    s.execute<fill>(m, u);
    if(in_loop) // some passes are launched in vain
      s.iterate({.max = 100},
         [&](std::uint64_t pass) {
           s.execute<keep>(m, u);
           return s.reduce<sum, fold::sum>(m, u).then([pass](double) { return pass == 3; });
         })
        .get();
    s.execute<keep>(m, u);
    const double all = s.reduce<sum, fold::sum>(m, u).get();
    s.wait();
    expect(all == double(side * side));
    const std::size_t now = resident();
    expect(now < before + bytes + bytes / 2);
  });
}

#endif
