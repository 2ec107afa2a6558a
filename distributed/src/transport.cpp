#include <rondo/distributed/transport.hpp>
