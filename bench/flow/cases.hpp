#pragma once

// Tasks launched one after the other, with what each reads and writes; the system finds out what may
// run together. The launches of a case are the same for all systems: a table, made before the clock
// runs. A system S has
//
//     S(unsigned workers, std::vector<cell>& cells);   // makes handles for the cells
//     template<class Pass> void run(const program& p, const Pass& pass);
//
// run() launches all of p in its order and returns when all have ended. The i-th task is either
// pass.task(i), called without arguments, or pass.body(i), called with the cells that the launch reads
// (as const cell&) and then with those it writes.
//
// A first pass whose tasks hash what they read into what they write is compared with the same done one
// after the other. The tasks of the passes that are timed add 1 to each cell they write.
//
// Times are given per task, so a system that would take long may launch fewer: `using heavy = void;`,
// or, where reads and writes are mixed, `static constexpr std::size_t most_mixed`.

#include "harness/case.hpp"
#include "harness/clock.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench::flow {

template<class S>
constexpr bool is_heavy = requires { typename S::heavy; };

// --- programs -------------------------------------------------------------------------------------

struct alignas(64) cell {
  std::uint64_t value = 0;
};

constexpr unsigned most_accesses = 8;

struct launch {
  std::uint16_t reads = 0;
  std::uint16_t writes = 0;                         // and reads, too
  std::array<std::uint16_t, most_accesses> cells{}; // those that are read first

  void read(std::size_t cell) {
    cells[reads++] = static_cast<std::uint16_t>(cell);
  } // before any write
  void write(std::size_t cell) { cells[reads + writes++] = static_cast<std::uint16_t>(cell); }
  [[nodiscard]] unsigned accesses() const { return reads + writes; }
};

struct program {
  program(std::size_t cell_count, std::size_t n)
      : cells(cell_count), launches(n), pass(std::max<std::size_t>(n, 1)) {}
  std::size_t cells;
  std::vector<launch> launches;
  std::size_t pass; // so many launches come again and again; all: they don't
};

inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline program independent(std::size_t n) { return {0, n}; }

// The i-th launch writes the next `accesses` cells of 64 times as many.
inline program round_robin(std::size_t n, unsigned accesses, std::size_t places = 64) {
  program p(places * accesses, n);
  for(std::size_t i = 0; i < n; ++i)
    for(unsigned k = 0; k < accesses; ++k)
      p.launches[i].write(i % places * accesses + k);
  return p;
}

inline program chain(std::size_t n) { return round_robin(n, 1, 1); }

// 1 to 5 different cells of 64, half of them written.
inline program random_cells(std::size_t n) {
  program p(64, n);
  for(std::size_t i = 0; i < n; ++i) {
    const std::uint64_t h = mix(i);
    const std::size_t count = 1 + h % 5;
    std::vector<std::size_t> chosen;
    for(std::uint64_t x = mix(h); chosen.size() < count; x = mix(x))
      if(std::find(chosen.begin(), chosen.end(), x % 64) == chosen.end())
        chosen.push_back(x % 64);
    const auto written = [h](std::size_t k) { return (h >> (32 + k) & 1) != 0; };
    for(std::size_t k = 0; k < count; ++k)
      if(!written(k))
        p.launches[i].read(chosen[k]);
    for(std::size_t k = 0; k < count; ++k)
      if(written(k))
        p.launches[i].write(chosen[k]);
  }
  return p;
}

// Two fields of 16 x 16 blocks. A step writes every block of one, from the same block of the other and
// its up to 4 neighbours; then they change roles.
inline program stencil(std::size_t n) {
  constexpr std::size_t side = 16;
  constexpr std::size_t blocks = side * side;
  program p(2 * blocks, std::max<std::size_t>(n / blocks, 1) * blocks);
  for(std::size_t at = 0; at < p.launches.size(); ++at) {
    launch& l = p.launches[at];
    const std::size_t to = at / blocks % 2 * blocks;
    const std::size_t from = blocks - to;
    const std::size_t b = at % blocks;
    l.read(from + b);
    if(b >= side)
      l.read(from + b - side);
    if(b + side < blocks)
      l.read(from + b + side);
    if(b % side != 0)
      l.read(from + b - 1);
    if(b % side != side - 1)
      l.read(from + b + 1);
    l.write(to + b);
  }
  return p;
}

// The first launches of a program, again and again.
inline program in_passes(program p, std::size_t pass) {
  p.pass = std::min(pass, p.launches.size());
  p.launches.resize(std::max(p.launches.size() / p.pass, std::size_t{1}) * p.pass);
  for(std::size_t i = p.pass; i < p.launches.size(); ++i)
    p.launches[i] = p.launches[i - p.pass];
  return p;
}

// --- passes ---------------------------------------------------------------------------------------

// Tasks that tell in which order they have run: each hashes its number and what it reads, keeps the
// hash, and mixes it into what it writes.
class hashing {
public:
  hashing(const program& p, std::vector<cell>& cells)
      : launches_(p.launches.data()), cells_(cells.data()), kept_(p.launches.size()) {}

  class on_cells {
  public:
    on_cells(std::uint64_t i, std::uint64_t* kept) : i_(i), kept_(kept) {}
    template<class... C>
    void operator()(C&... c) const {
      std::uint64_t h = mix(i_);
      (see(h, c), ...);
      *kept_ += h; // run twice, it would be wrong
      (change(h, c), ...);
    }

  private:
    static void see(std::uint64_t& h, const cell& c) { h = mix(h ^ c.value); }
    static void change(std::uint64_t, const cell&) {}
    static void change(std::uint64_t h, cell& c) { c.value = mix(c.value + h); }
    std::uint64_t i_;
    std::uint64_t* kept_;
  };

  [[nodiscard]] auto task(std::size_t i) const {
    return [this, i] {
      const launch& l = launches_[i];
      std::uint64_t h = mix(i);
      for(unsigned k = 0; k < l.accesses(); ++k)
        h = mix(h ^ cells_[l.cells[k]].value);
      kept()[i] += h;
      for(unsigned k = l.reads; k < l.accesses(); ++k) {
        cell& c = cells_[l.cells[k]];
        c.value = mix(c.value + h);
      }
    };
  }
  [[nodiscard]] on_cells body(std::size_t i) const { return {i, kept() + i}; }
  [[nodiscard]] const std::vector<std::uint64_t>& hashes() const { return kept_; }

private:
  [[nodiscard]] std::uint64_t* kept() const { return const_cast<std::uint64_t*>(kept_.data()); }
  const launch* launches_;
  cell* cells_;
  std::vector<std::uint64_t> kept_; // one for each task, which alone writes it
};

// Tasks without a cell count for the thread they run on: a counter for each would share cache lines.
struct alignas(64) thread_count {
  std::uint64_t value = 0;
};
inline std::array<thread_count, 64> thread_counts;
inline std::atomic<unsigned> counting_threads{0};
inline constinit thread_local thread_count* mine = nullptr;
inline void count_here() {
  if(mine == nullptr) [[unlikely]]
    mine = &thread_counts.at(counting_threads.fetch_add(1));
  ++mine->value;
}

// Tasks as small as they can be, when it is to be seen that they have run.
class counting {
public:
  counting(const program& p, std::vector<cell>& cells)
      : launches_(p.launches.data()), cells_(cells.data()) {}

  struct on_cells {
    template<class... C>
    void operator()(C&... c) const {
      if constexpr(sizeof...(C) == 0)
        count_here();
      (add(c), ...);
    }
    static void add(const cell&) {}
    static void add(cell& c) { ++c.value; }
  };

  [[nodiscard]] auto task(std::size_t i) const {
    return [l = &launches_[i], cells = cells_] {
      if(l->accesses() == 0)
        count_here();
      for(unsigned k = l->reads; k < l->accesses(); ++k)
        ++cells[l->cells[k]].value;
    };
  }
  [[nodiscard]] on_cells body(std::size_t) const { return {}; }

private:
  const launch* launches_;
  cell* cells_;
};

// --- measuring ------------------------------------------------------------------------------------

template<class S>
void check_order(S& s, const program& p, std::vector<cell>& cells) {
  hashing together(p, cells);
  s.run(p, together);

  std::vector<cell> alone_cells(p.cells);
  hashing alone(p, alone_cells);
  for(std::size_t i = 0; i < p.launches.size(); ++i)
    alone.task(i)();
  check(together.hashes() == alone.hashes(), "flow: a task has seen what it should not");
  for(std::size_t i = 0; i < p.cells; ++i)
    check(cells[i].value == alone_cells[i].value, "flow: a cell has not what it should have");
}

template<class S, class... More>
figures measure(const context& c, const program& p, More... more) {
  std::vector<cell> cells(p.cells);
  S s(c.workers, cells, more...);
  check_order(s, p, cells);
  std::fill(cells.begin(), cells.end(), cell{});

  constexpr int passes = 4; // the first is not counted: its memory is not warm
  std::vector<double> times;
  const counting pass(p, cells);
  for(int i = 0; i < passes; ++i)
    times.push_back(time_of([&] { s.run(p, pass); }));
  times.erase(times.begin());

  std::vector<std::uint64_t> expected(p.cells);
  std::uint64_t without = 0;
  for(const launch& l : p.launches) {
    without += l.accesses() == 0 ? passes : 0;
    for(unsigned k = l.reads; k < l.accesses(); ++k)
      expected[l.cells[k]] += passes;
  }
  for(const auto& t : thread_counts)
    without -= t.value;
  check(without == 0, "flow: tasks are missing");
  for(std::size_t i = 0; i < p.cells; ++i)
    check(cells[i].value == expected[i], "flow: tasks are missing");
  return {{"time per task", "ns", median(times) / static_cast<double>(p.launches.size())}};
}

template<class S>
std::size_t size(const context& c) {
  return c.quick ? 2'000 : is_heavy<S> ? 20'000 : 200'000;
}

template<class S, class Make, class... More>
bool add_case(
  const std::string& test, const std::string& system, role who, Make make, More... more) {
  return add({test, system, who, {1, 2},
    [make, more...](const context& c) { return measure<S>(c, make(size<S>(c)), more...); }});
}

template<class S>
bool add_system(const std::string& system, role who) {
  bool ok = add_case<S>("independent", system, who, independent);
  ok = ok && add_case<S>("chain", system, who, chain);
  ok = ok && add_case<S>(
               "round robin of 64", system, who, [](std::size_t n) { return round_robin(n, 1); });
  const auto mixed = [](std::size_t n) {
    if constexpr(requires { S::most_mixed; })
      n = std::min(n, S::most_mixed);
    return n;
  };
  ok = ok && add_case<S>("random 1-5 of 64", system, who,
               [mixed](std::size_t n) { return random_cells(mixed(n)); });
  ok =
    ok && add_case<S>("stencil", system, who, [mixed](std::size_t n) { return stencil(mixed(n)); });
  for(const unsigned k : {1U, 2U, 4U, 8U})
    ok = ok && add_case<S>("accesses: " + std::to_string(k), system, who,
                 [k](std::size_t n) { return round_robin(n, k); });
  return ok;
}

// For those that remember what comes again. `pass` is what is remembered.
template<class S>
bool add_passes(const std::string& system, role who) {
  const auto case_of = [&](const std::string& test, auto make, std::size_t pass) {
    return add_case<S>("passes of " + std::to_string(pass) + ": " + test, system, who,
      [make, pass](std::size_t n) { return in_passes(make(n), pass); });
  };
  const auto rounds = [](std::size_t n) { return round_robin(n, 1); };
  bool ok = case_of("independent", independent, 200);
  ok = ok && case_of("chain", chain, 200);
  ok = ok && case_of("round robin of 64", rounds, 192);
  ok = ok && case_of("random 1-5 of 64", random_cells, 200);
  ok = ok && case_of("stencil", stencil, 512);
  ok = ok && case_of("chain", chain, 2);
  ok = ok && case_of("chain", chain, 20'000);
  for(const unsigned k : {1U, 8U})
    ok = ok &&
         case_of(
           "accesses: " + std::to_string(k), [k](std::size_t n) { return round_robin(n, k); }, 192);
  return ok;
}

// For systems with a bound on the launches that wait or run: a third parameter of the constructor.
template<class S>
bool add_windows(const std::string& system, role who) {
  bool ok = true;
  for(const std::size_t window : {16UL, 1'000UL, 64'000UL})
    ok =
      ok && add_case<S>("window of " + std::to_string(window), system, who, random_cells, window);
  return ok;
}

} // namespace bench::flow
