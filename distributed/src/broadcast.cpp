#include <rondo/distributed/broadcast.hpp>

#include <rondo/distributed/broadcast_steps.hpp>
#include <rondo/tracing/later.hpp>

namespace rondo::detail::inline distributed {

broadcast::broadcast(scheduler& s, unsigned rank, unsigned ranks, std::size_t size)
    : collective(s), sent_(size), order_(launches(), *this, "result"),
      value_(launches(), sent_, "result") {
  connect(size, broadcast_steps(rank, ranks));
}

void broadcast::send(flow& f, const char* name, const std::source_location& where) {
  f.submit(
    ends_later(
      name, [](rondo::completion done, broadcast& l, const sent_value&) { l.begin_steps(done); },
      where),
    write(order_, where), read(value_, where));
}

void broadcast::launch_receive(flow& f, const char* name, const std::source_location& where) {
  f.submit(
    ends_later(
      name, [](rondo::completion done, broadcast& l, sent_value&) { l.begin_steps(done); }, where),
    write(order_, where), write(value_, where));
}

void broadcast::fill(std::byte* message) const { std::memcpy(message, sent_.data(), sent_.size()); }
void broadcast::join(const std::byte* message) { std::memcpy(sent_.data(), message, sent_.size()); }

} // namespace rondo::detail::inline distributed
