// What every transport must do, between processes: to be started by mpirun.

#include <cstdio>
#include <exception>
#include <string>

#include <rondo/distributed/transports.hpp>

#include "../transport_suite.hpp"

namespace {

/// The last rank expects another size than the first one sends; the others wait for good.
void mismatch(rondo::transport& t, std::size_t sent, std::size_t expected) {
  std::string out(sent, 'x');
  std::string in(expected, 'y');
  const unsigned last = t.ranks() - 1;
  std::unique_ptr<rondo::transport::message> s;
  std::unique_ptr<rondo::transport::message> r;
  constexpr rondo::transport::completion nothing{[](void*) {}, nullptr};
  if(t.rank() == 0) {
    s = t.make_sender(last, 7, std::as_bytes(std::span(out)), nothing);
    s->start();
  }
  if(t.rank() == last) {
    r = t.make_receiver(0, 7, std::as_writable_bytes(std::span(in)), nothing);
    r->start();
  }
  for(;;)
    t.poll();
}

} // namespace

int main(int argc, char** argv) {
  try {
    const auto t = rondo::make_transport();
    const std::string mode = argc > 1 ? argv[1] : "";
    if(mode == "mismatch")
      mismatch(*t, std::stoul(argv[2]), std::stoul(argv[3]));
    for(const transport_case& c : transport_cases()) {
      if(t->rank() == 0)
        std::printf("%s, %u ranks: %s\n", t->name(), t->ranks(), c.name);
      std::fflush(stdout);
      try {
        c.run(*t);
      }
      catch(const std::exception& e) {
        std::fprintf(stderr, "rank %u: %s: %s\n", t->rank(), c.name, e.what());
        t->abort(1);
      }
      t->meet();
      while(t->is_sending()) // what is told to be over may still be on its way
        t->poll();
    }
  }
  catch(const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
