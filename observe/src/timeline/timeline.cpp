#include <rondo/timeline.hpp>

#include <cstdio>
#include <exception>
#include <utility>

#include "own_file.hpp"

namespace rondo {

static_assert(timeline::usual_memory == detail::timeline_recorder::usual_memory);

struct timeline::parts {
  detail::timeline_in_file file;
};

timeline::timeline(executor& ex, std::string file, std::size_t most_memory)
    : parts_(new parts{{ex, std::move(file), most_memory}}) {}

void timeline::write() { parts_->file.write(); }

timeline::~timeline() {
  try {
    write();
  }
  catch(const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
}

} // namespace rondo
