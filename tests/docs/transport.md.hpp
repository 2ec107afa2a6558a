// What the fragments of docs/transport.md take for granted.
#include <cstdint>
#include <span>

#include <rondo/distributed/transports.hpp>

extern unsigned neighbour;
extern std::uint32_t channel;
