#include <rondo/observe/timeline/event_lane.hpp>

#include <algorithm>
#include <exception>
#include <new>

namespace rondo::detail::inline observe {

void event_lane::turn_over() noexcept {
  constexpr std::size_t own = 2; // that no lane goes without
  ++turns_;
  if(!chunks_.empty())
    chunks_.back()->used = used_of_last();
  if(chunks_.size() < own || room_.take()) {
    try {
      // Not set to zero: that would touch its pages twice.
      chunks_.push_back(std::make_unique_for_overwrite<chunk>());
      chunks_.back()->used = 0;
      next_ = chunks_.back()->events;
      end_ = next_ + chunk_size;
      return;
    }
    catch(const std::exception&) {
      // As if there were no room.
    }
  }
  if(chunks_.empty()) {
    dropped_ += 4; // nobody reads them
    next_ = spare_;
    end_ = spare_ + 4;
    return;
  }
  std::ranges::rotate(chunks_, chunks_.begin() + 1);
  dropped_ += chunks_.back()->used;
  chunks_.back()->used = 0;
  next_ = chunks_.back()->events;
  end_ = next_ + chunk_size;
}

std::size_t event_lane::used_of_last() const {
  return static_cast<std::size_t>(next_ - chunks_.back()->events);
}

std::size_t event_lane::size() const {
  std::size_t sum = 0;
  for(const auto& c : chunks_)
    sum += c == chunks_.back() ? used_of_last() : c->used;
  return sum;
}

void event_lane::each(function_ref<void(const timeline_event&)> f) const {
  for(const auto& c : chunks_) {
    const std::size_t used = c == chunks_.back() ? used_of_last() : c->used;
    for(std::size_t i = 0; i != used; ++i)
      f(c->events[i]);
  }
}

} // namespace rondo::detail::inline observe
