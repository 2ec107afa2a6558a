// Messages of an installed Rondo, whether it was built with MPI or not.

#include <cstdio>

#include <rondo/distributed/transports.hpp>

int main() {
  const auto t = rondo::make_transport("solo");
  int out = 42;
  int in = 0;
  const rondo::transport::completion nothing{[](void*) {}, nullptr};
  const auto s = t->make_sender(0, 1, std::as_bytes(std::span(&out, 1)), nothing);
  const auto r = t->make_receiver(0, 1, std::as_writable_bytes(std::span(&in, 1)), nothing);
  r->start();
  s->start();
  t->poll();
  std::printf("%s: %d\n", t->name(), in);
  return in == 42 ? 0 : 1;
}
