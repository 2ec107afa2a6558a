// Files of a field of numbers.
//
//   mpirun -np 2 rondo_output --n 2048 --file u.vti                     how long does one take?
//   mpirun -np 2 rondo_output --n 2048 --file u.vti --passes 200 --every 20   what does a loop pay?
//
// In the loop a file is written in every --every-th pass. With --file copies a field is copied to another one in these passes,
// which is the least that files beside the loop can cost; with --file bare it is, and a thread of its own writes as many bytes, by
// one call from memory of its own, which is the least with this disk and these cores; with --file none nothing is.

#include "rondo/programs/bare_file.hpp"
#include "rondo/programs/program.hpp"

#include <atomic>
#include <filesystem>
#include <memory>

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;

void begin(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = static_cast<double>((7 * i + 13 * j) % 101);
}
void smooth(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> from) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      to(i, j) = 0.25 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1));
}
void copy(grid::view m, numbers::accessor<ro> from, numbers::accessor<wo> to) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      to(i, j) = from(i, j);
}
// The last color of a rank begins the file.
struct {
  std::unique_ptr<bench::programs::bare_file> file;
  std::uint64_t colors = 0;
  std::atomic<std::uint64_t> copied{0};
} bare;
void copy_for_bare(grid::view m, numbers::accessor<ro> from, numbers::accessor<wo> to) {
  copy(m, from, to);
  if((bare.copied.fetch_add(1) + 1) % bare.colors == 0)
    bare.file->begin();
}
double total(grid::view m, numbers::accessor<ro> u) {
  double sum = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      sum += u(i, j);
  return sum;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t n = 2048;
  int reps = 7;
  int passes = 0;
  int every = 20;
  std::string file = "rondo.vti";
  bench::arguments args;
  args.add("--n", n, "points along each edge").range(4, 1 << 16);
  args.add("--reps", reps).positive();
  args.add("--passes", passes, "0: files one after the other").non_negative();
  args.add("--every", every).positive();
  args.add("--file", file, "a name, or none, copies, bare");
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    const grid m{s, {.extents = {n, n}}};
    numbers u{m, "u"}, v{m, "v"}, kept{m, "kept"};
    bench::line line{{"program", "Rondo"}, {"ranks", s.ranks()}, {"threads", s.home().workers()}};
    if(file == "bare") {
      bare.colors = m.local_colors();
      bare.file = std::make_unique<bench::programs::bare_file>(
        "bare." + std::to_string(s.rank()), static_cast<std::size_t>(8 * n * n) / s.ranks());
    }
    bench::programs::stopwatch time(s);
    for(int k = 0; k <= reps; ++k) {
      s.execute<begin>(m, u);
      s.execute<begin>(m, v);
      s.execute<copy>(m, u, kept);
      if(k == 1)
        time.forget(); // the first one was to warm up
      time.measure([&] {
        if(passes == 0) {
          if(file == "bare")
            s.execute<copy_for_bare>(m, u, kept);
          else
            s.write(file, m, u);
        }
        for(int p = 0; p < passes; p += 2) {
          s.execute<smooth>(m, v, u);
          s.execute<smooth>(m, u, v);
          if(p % every != 0 || file == "none")
            continue;
          if(file == "copies")
            s.execute<copy>(m, u, kept);
          else if(file == "bare")
            s.execute<copy_for_bare>(m, u, kept);
          else
            s.write(file, m, u);
        }
        if(bare.file != nullptr) {
          s.wait();
          bare.file->wait();
        }
      });
    }
    time.report(line, passes == 0 ? "file" : "pass", passes == 0 ? 1 : passes);
    line["bytes"] = 8 * n * n;
    line["sum"] = s.reduce<total, fold::sum>(m, u).get();
    bench::programs::print(s, line);
    bare.file.reset();
    if(s.rank() == 0)
      std::filesystem::remove(file);
  });
}
