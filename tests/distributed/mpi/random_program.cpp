// Random programs between processes: to be started by mpirun. "random_program 100 20" runs those with
// the seeds from 100 to 119.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <rondo/distributed/transports.hpp>

#include "../random/sides.hpp"

using namespace random_programs;

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::stoull(argv[1]) : 0;
  const std::uint64_t count = argc > 2 ? std::stoull(argv[2]) : 1;
  const auto t = rondo::make_transport();
  for(std::uint64_t seed = first; seed != first + count; ++seed) {
    const plan p = make_plan(seed);
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
        ex.run([&] { different = difference(expected, run_together(p, s), s.rank() == 0); });
      }
      if(!different.empty()) {
        std::fprintf(stderr, "seed %llu, rank %u of %u:%s\n", static_cast<unsigned long long>(seed),
          t->rank(), t->ranks(), different.c_str());
        t->abort(1);
      }
      t->meet(); // the next one has the same channels
    }
    catch(const std::exception& e) {
      std::fprintf(stderr, "seed %llu, rank %u of %u: %s\n", static_cast<unsigned long long>(seed),
        t->rank(), t->ranks(), e.what());
      t->abort(1);
    }
  }
}
