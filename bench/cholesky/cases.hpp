#pragma once

// A Cholesky factorization in tiles. The launches of a case are the same for all systems: a list of
// steps in the order of the program, made before the clock runs. A system S has
//
//     S(unsigned workers, const problem& p);   // makes handles for the tiles
//     void run(const std::vector<step>& steps);
//
// run() launches all steps in their order and returns when all have ended; a step is p.run(s). It reads
// the tiles s.read(0), ..., and reads and writes the tile s.to.
//
// What each measurement leaves is checked. One that stands alone gets its copy of the matrix before
// the clock runs; the repeated ones have the copying among their steps.

#include "cholesky/tiles.hpp"
#include "harness/case.hpp"
#include "harness/clock.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::cholesky {

struct step {
  enum class kind : std::uint8_t { copy, factorize, solve, update_diagonal, update };
  kind what;
  std::uint8_t reads;
  std::uint32_t to;
  std::array<std::uint32_t, 2> from;
  [[nodiscard]] std::uint32_t read(unsigned i) const { return from[i]; }
};

struct problem {
  problem(std::size_t size, std::size_t tile) : a(size, tile), l(size, tile) { fill(a); }

  void run(const step& s) const {
    switch(s.what) {
    case step::kind::copy:
      return l.copy_from(a, s.to);
    case step::kind::factorize:
      return l.factorize(s.to);
    case step::kind::solve:
      return l.solve(s.from[0], s.to);
    case step::kind::update_diagonal:
      return l.update_diagonal(s.from[0], s.to);
    case step::kind::update:
      return l.update(s.from[0], s.from[1], s.to);
    }
  }

  tiled a, l;
};

// All that is done with one tile comes in a row ("left-looking"): the tile stays in the cache of whom
// it belongs to. Other orders (right-looking, row by row, panels) make no difference that can be told
// from noise.
inline std::vector<step> program(std::size_t across, bool with_copies, int repetitions) {
  using enum step::kind;
  std::vector<step> steps;
  const auto add = [&](step::kind what, std::size_t to, std::vector<std::size_t> from = {}) {
    from.resize(2);
    steps.push_back({what, 0, static_cast<std::uint32_t>(to),
      {static_cast<std::uint32_t>(from[0]), static_cast<std::uint32_t>(from[1])}});
    steps.back().reads = what == update ? 2 : what == solve || what == update_diagonal ? 1 : 0;
  };
  const auto at = tiled::index;
  for(int repetition = 0; repetition < repetitions; ++repetition)
    for(std::size_t j = 0; j < across; ++j)
      for(std::size_t i = j; i < across; ++i) {
        if(with_copies)
          add(copy, at(i, j));
        for(std::size_t k = 0; k < j; ++k)
          if(i == j)
            add(update_diagonal, at(j, j), {at(j, k)});
          else
            add(update, at(i, j), {at(i, k), at(j, k)});
        if(i == j)
          add(factorize, at(j, j));
        else
          add(solve, at(i, j), {at(j, j)});
      }
  return steps;
}

template<class S>
figures measure(const context& c, std::size_t tile, int repetitions) {
  constexpr int passes = 4; // the first is not counted: its memory is not warm
  const problem p(c.quick ? 512 : 4096, c.quick ? 64 : tile);
  blas_threads(1);
  const auto steps = program(p.l.across(), repetitions != 1, repetitions);
  S s(c.workers, p);
  std::vector<double> times;
  for(int pass = 0; pass < passes; ++pass) {
    for(std::size_t i = 0; i < p.l.tiles(); ++i)
      p.l.copy_from(p.a, i);
    times.push_back(time_of([&] { s.run(steps); }));
    check_product(p.a, p.l);
  }
  times.erase(times.begin());
  return {{"time per factorization", "ms", median(times) * 1e-6 / repetitions}};
}

struct shape {
  const char* name;
  std::size_t tile;
  int repetitions;
};
inline constexpr std::array shapes = {shape{"4096, tile 256", 256, 1},
  shape{"4096, tile 128", 128, 1}, shape{"4096, tile 256, repeated", 256, 5},
  shape{"4096, tile 128, repeated", 128, 5}};

template<class S>
bool add_system(
  const std::string& system, role who, const std::vector<unsigned>& workers = {1, 2}) {
  for(const shape& s : shapes)
    add({s.name, system, who, workers,
      [s](const context& c) { return measure<S>(c, s.tile, s.repetitions); }});
  return true;
}

} // namespace bench::cholesky
