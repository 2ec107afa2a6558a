// Random programs between processes: to be started by mpirun. "random_program 100 20" runs those with
// the seeds from 100 to 119.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <rondo/distributed/team.hpp>
#include <rondo/distributed/transports.hpp>

#include "../random/folder.hpp"
#include "../random/sides.hpp"

using namespace random_programs;

namespace {

/// Rank 0 has made it.
std::string told_by_first(rondo::transport& t, const std::string& path) {
  rondo::detail::team all(t);
  std::vector<std::vector<char>> out(all.ranks());
  if(all.rank() == 0)
    out.assign(all.ranks(), std::vector<char>(path.begin(), path.end()));
  const auto name = all.swap_mail(std::move(out)).front();
  t.meet(); // schedulers have the same channels
  return {name.begin(), name.end()};
}

} // namespace

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::stoull(argv[1]) : 0;
  const std::uint64_t count = argc > 2 ? std::stoull(argv[2]) : 1;
  const auto t = rondo::make_transport();
  std::optional<folder> own;
  if(t->rank() == 0)
    own.emplace();
  const std::string files = told_by_first(*t, own ? own->path() : "");
  const auto end = [&] {
    folder::remove(files);
    t->abort(1);
  };
  for(std::uint64_t seed = first; seed != first + count; ++seed) {
    const plan p = make_plan(seed, true);
    if(p.fewest_colors < t->ranks())
      continue;
    try {
      const outcome expected = run_alone(p);
      std::string different;
      {
        // With lanes, or without.
        rondo::executor ex({.workers = 1 + static_cast<unsigned>(mix(seed, t->rank()) % 3),
          .shares_cores = seed % 2 == 0});
        rondo::scheduler s(ex, *t, {.window = p.window, .find_repeats = p.finds_repeats});
        ex.run([&] { different = difference(expected, run_together(p, s, files), s.rank() == 0); });
      }
      if(!different.empty()) {
        std::fprintf(stderr, "seed %llu, rank %u of %u:%s\n", static_cast<unsigned long long>(seed),
          t->rank(), t->ranks(), different.c_str());
        end();
      }
      t->meet(); // the next one has the same channels
    }
    catch(const std::exception& e) {
      std::fprintf(stderr, "seed %llu, rank %u of %u: %s\n", static_cast<unsigned long long>(seed),
        t->rank(), t->ranks(), e.what());
      end();
    }
  }
}
