// A liquid of atoms by hand: a block of cells for each process, with room for so many atoms in each, and cells of neighbours around it.
// Atoms that leave are put into these, and brought home axis by axis; then positions come, axis by axis, too, so that edges and corners
// come along. Messages say how many atoms there are in each cell.
//
//   mpirun -np 2 peer_mpi_lennard_jones --cubes 20 --steps 200

#include "lennard_jones/kernel.hpp"
#include "peers/mpi/program.hpp"

#include <algorithm>
#include <cstring>

namespace {

using namespace bench::mpi;
using bench::lennard_jones::cell;
using bench::lennard_jones::is_within;
using bench::lennard_jones::liquid;
using bench::lennard_jones::neighbours;
using bench::lennard_jones::next_cell;
using bench::lennard_jones::state;
using bench::lennard_jones::vector;

constexpr std::size_t room = 48; // three times what a cell has on average

class solver {
public:
  solver(const world& w, const liquid& l, const std::array<int, 3>& grid)
      : liquid_(l), grid_(grid),
        at_{w.rank % grid[0], w.rank / grid[0] % grid[1], w.rank / grid[0] / grid[1]} {
    std::int64_t cells = 1;
    for(std::size_t a = 0; a != 3; ++a) {
      first_[a] = l.cells() * at_[a] / grid[a];
      size_[a] = l.cells() * (at_[a] + 1) / grid[a] - first_[a];
      cells *= size_[a] + 2;
    }
    count_.resize(static_cast<std::size_t>(cells));
    x_.resize(count_.size() * room);
    v_.resize(count_.size() * room);
  }

  void create() {
    std::fill(count_.begin(), count_.end(), 0);
    liquid_.create([&](const cell& c, const vector& x, const vector& v) {
      cell own{};
      for(std::size_t a = 0; a != 3; ++a) {
        own[a] = c[a] - first_[a];
        if(own[a] < 0 || own[a] >= size_[a])
          return;
      }
      add(number(own), x, v);
    });
    exchange();
  }
  void drift() {
    const double width = liquid_.width();
    for_each_cell([&](const cell& c) {
      const std::size_t n = number(c);
      bench::lennard_jones::drift({x(n), count_[n]}, v(n));
    });
    clear_ghosts();
    // Those that come from other cells are where they belong.
    for_each_cell([&](const cell& c) {
      const std::size_t n = number(c);
      for(std::size_t k = 0; k != count_[n];) {
        vector position = x(n)[k];
        if(is_within(position, width)) {
          ++k;
          continue;
        }
        const cell to = next_cell(c, position, width);
        const vector velocity = v(n)[k];
        const std::size_t last = --count_[n];
        x(n)[k] = x(n)[last];
        v(n)[k] = v(n)[last];
        add(number(to), position, velocity);
      }
    });
    bring_home();
    exchange();
  }
  void kick(double time) {
    for_each_cell([&](const cell& c) {
      const std::size_t n = number(c);
      bench::lennard_jones::kick(atoms(n), v(n), neighbours(c, liquid_.width(), *this), time);
    });
  }
  [[nodiscard]] state look() const {
    std::array<double, 5> own{};
    for_each_cell([&](const cell& c) {
      const std::size_t n = number(c);
      own[0] += static_cast<double>(count_[n]);
      own[1] += bench::lennard_jones::energy(atoms(n), v(n), neighbours(c, liquid_.width(), *this));
      for(std::size_t k = 0; k != count_[n]; ++k)
        for(std::size_t a = 0; a != 3; ++a)
          own[2 + a] += v(n)[k][a];
    });
    for(double& sum : own)
      sum = sum_over_ranks(sum);
    return {own[0], own[1] / static_cast<double>(liquid_.atoms()), {own[2], own[3], own[4]}};
  }

  // The atoms of a cell, its own or a ghost.
  [[nodiscard]] std::span<const vector> operator()(
    std::int64_t i, std::int64_t j, std::int64_t k) const {
    return atoms(number({i, j, k}));
  }

private:
  // The own cells have the coordinates from 0 on.
  [[nodiscard]] std::size_t number(const cell& c) const {
    return static_cast<std::size_t>(
      ((c[2] + 1) * (size_[1] + 2) + c[1] + 1) * (size_[0] + 2) + c[0] + 1);
  }
  [[nodiscard]] vector* x(std::size_t n) { return x_.data() + n * room; }
  [[nodiscard]] vector* v(std::size_t n) { return v_.data() + n * room; }
  [[nodiscard]] const vector* v(std::size_t n) const { return v_.data() + n * room; }
  [[nodiscard]] std::span<const vector> atoms(std::size_t n) const {
    return {x_.data() + n * room, count_[n]};
  }
  void add(std::size_t n, const vector& position, const vector& velocity) {
    const std::size_t k = grow(n, 1);
    x(n)[k] = position;
    v(n)[k] = velocity;
  }
  std::size_t grow(std::size_t n, std::size_t more) {
    const std::size_t before = count_[n];
    if(before + more > room)
      throw std::runtime_error("a cell has too many atoms");
    count_[n] = static_cast<std::uint32_t>(before + more);
    return before;
  }

  template<class Body>
  static void for_each(const cell& first, const cell& last, const Body& body) {
    for(std::int64_t k = first[2]; k != last[2]; ++k)
      for(std::int64_t j = first[1]; j != last[1]; ++j)
        for(std::int64_t i = first[0]; i != last[0]; ++i)
          body(cell{i, j, k});
  }
  template<class Body>
  void for_each_cell(const Body& body) const {
    for_each({0, 0, 0}, size_, body);
  }
  // The cells in layer `k` across an axis, with the ghosts along those axes that come before it.
  template<class Body>
  void for_each_in_layer(std::size_t axis, std::int64_t k, const Body& body) const {
    cell first{};
    cell last = size_;
    for(std::size_t a = 0; a != axis; ++a) {
      first[a] = -1;
      ++last[a];
    }
    first[axis] = k;
    last[axis] = k + 1;
    for_each(first, last, [&](const cell& c) { body(number(c)); });
  }
  void clear_ghosts() {
    for(std::size_t a = 3; a-- != 0;)
      for(const std::int64_t k : {std::int64_t{-1}, size_[a]})
        for_each_in_layer(a, k, [&](std::size_t n) { count_[n] = 0; });
  }

  // ---- layers as bytes: how many atoms, then their positions, cell by cell

  void pack(
    std::size_t axis, std::int64_t k, bool with_velocities, std::vector<std::byte>& to) const {
    to.clear();
    const auto append = [&](const void* from, std::size_t bytes) {
      const auto* const b = static_cast<const std::byte*>(from);
      to.insert(to.end(), b, b + bytes);
    };
    for_each_in_layer(axis, k, [&](std::size_t n) {
      append(&count_[n], sizeof count_[n]);
      append(x_.data() + n * room, count_[n] * sizeof(vector));
      if(with_velocities)
        append(v(n), count_[n] * sizeof(vector));
    });
  }
  // Instead of what was there, or behind it.
  void unpack(
    std::size_t axis, std::int64_t k, bool with_velocities, const std::vector<std::byte>& message) {
    const std::byte* from = message.data();
    const auto take = [&](void* to, std::size_t bytes) {
      std::memcpy(to, from, bytes);
      from += bytes;
    };
    for_each_in_layer(axis, k, [&](std::size_t n) {
      std::uint32_t more = 0;
      take(&more, sizeof more);
      if(!with_velocities)
        count_[n] = 0;
      const std::size_t before = grow(n, more);
      take(x(n) + before, more * sizeof(vector));
      if(with_velocities)
        take(v(n) + before, more * sizeof(vector));
    });
  }
  // From a layer at the low side to `to_high` of the neighbour there, and the other way round.
  void swap_layers(std::size_t axis, std::int64_t low, std::int64_t high, std::int64_t to_high,
    std::int64_t to_low, bool with_velocities) {
    pack(axis, low, with_velocities, out_[0]);
    pack(axis, high, with_velocities, out_[1]);
    if(grid_[axis] == 1) {
      unpack(axis, to_high, with_velocities, out_[0]);
      unpack(axis, to_low, with_velocities, out_[1]);
      return;
    }
    const std::array<int, 2> with = {neighbour(axis, -1), neighbour(axis, 1)};
    std::array<MPI_Request, 2> requests{};
    for(std::size_t side = 0; side != 2; ++side)
      MPI_Isend(out_[side].data(), static_cast<int>(out_[side].size()), MPI_BYTE, with[side],
        static_cast<int>(side), MPI_COMM_WORLD, &requests[side]);
    for(std::size_t side = 0; side != 2; ++side) { // what has gone down comes from above
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status;
      MPI_Mprobe(with[1 - side], static_cast<int>(side), MPI_COMM_WORLD, &message, &status);
      int bytes = 0;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      in_.resize(static_cast<std::size_t>(bytes));
      MPI_Mrecv(in_.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
      unpack(axis, side == 0 ? to_high : to_low, with_velocities, in_);
    }
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  }
  void bring_home() {
    for(std::size_t a = 3; a-- != 0;)
      swap_layers(a, -1, size_[a], size_[a] - 1, 0, true);
  }
  void exchange() {
    for(std::size_t a = 0; a != 3; ++a)
      swap_layers(a, 0, size_[a] - 1, size_[a], -1, false);
  }
  [[nodiscard]] int neighbour(std::size_t axis, int by) const {
    std::array<int, 3> at = at_;
    at[axis] = (at[axis] + by + grid_[axis]) % grid_[axis];
    return (at[2] * grid_[1] + at[1]) * grid_[0] + at[0];
  }

  const liquid liquid_;
  std::array<int, 3> grid_;
  std::array<int, 3> at_;
  cell first_{};
  cell size_{};
  std::vector<std::uint32_t> count_;
  std::vector<vector> x_;
  std::vector<vector> v_;
  std::array<std::vector<std::byte>, 2> out_;
  std::vector<std::byte> in_;
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    std::int64_t cubes = 20;
    int steps = 200;
    int reps = 5;
    bench::arguments args;
    args.add("--cubes", cubes, "of four atoms each, along each axis").range(3, 200);
    args.add("--steps", steps, "how many, each time from the start").positive();
    args.add("--reps", reps, "repetitions, of which the median is reported").positive();
    args.parse(argc, argv);

    const liquid l(cubes);
    if(w.size > l.cells())
      throw std::runtime_error("there are more ranks than layers of cells");
    solver g(w, l, {1, 1, w.size});
    const auto solve = [&] {
      constexpr double step = bench::lennard_jones::time_step;
      g.kick(step / 2);
      for(int k = 1; k != steps; ++k) {
        g.drift();
        g.kick(step);
      }
      g.drift();
      g.kick(step / 2);
    };
    stopwatch time;
    state start{};
    for(int rep = -1; rep < reps; ++rep) {
      g.create();
      start = g.look();
      if(rep < 0)
        solve(); // the first time, to get warm
      else
        time.measure(solve);
    }
    const state end = g.look();
    end.check(start);
    bench::line line = {{"program", "MPI"}, {"atoms", l.atoms()}, {"ranks", w.size}, {"threads", 1},
      {"steps", steps}, {"energy", end.energy}, {"drift", end.energy - start.energy}};
    time.report(line, "step", steps);
    print(w, line);
  });
}
