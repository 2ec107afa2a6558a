#include <rondo/distributed/gathering.hpp>

#include <array>
#include <memory_resource>

#include <rondo/distributed/halo.hpp>
#include <rondo/distributed/waves.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline distributed {

struct gathering::room {
  static constexpr std::size_t enough = std::size_t{1} << 14U; ///< For a few dozen calls.

  std::array<std::byte, enough> bytes;
  std::pmr::monotonic_buffer_resource memory{bytes.data(), bytes.size()};
};

gathering::gathering(flow& f) : flow_(f), room_(std::make_unique_for_overwrite<room>()) {}

gathering::~gathering() { forget(); }

void* gathering::allocate(std::size_t size, std::size_t alignment) {
  return room_->memory.allocate(size, alignment);
}

void gathering::begin_over(topology_state& over) {
  if(!entries_.empty() && over_ != &over && !over_->sees_as(over))
    launch_gathered();
  over_ = &over;
  entries_.reserve(over.order().stages);
}

void gathering::added(const entry& e) {
  entries_.push_back(e);
  if(entries_.size() == over_->order().stages)
    launch_gathered();
  else
    flow_.gather(this);
}

void gathering::launch_gathered() {
  flow_.gather(nullptr);
  if(entries_.empty())
    return;
  const auto& layers = over_->order().layers;
  const std::size_t colors = over_->order().colors.size();
  const auto halos_of = [this](std::size_t stage) { return entries_[stage].what->halos(); };
  struct forget_all {
    gathering& of;
    ~forget_all() {
      of.flow_.work_on(0, 0);
      of.forget();
    }
  } const after{*this};
  in_waves(
    entries_.size(), layers.size(),
    [&](std::size_t stage) {
      for(const ghost_actions& h : halos_of(stage))
        if(h.fills)
          h.of->launch_messages(entries_[stage].what->where());
    },
    [&](std::size_t stage, std::size_t layer) {
      for(const ghost_actions& h : halos_of(stage))
        for(const std::size_t c : layers[layer]) {
          flow_.work_on(c, colors);
          if(h.clears)
            h.of->launch_clearing(c, entries_[stage].what->where());
          h.of->launch_copies(c, h, entries_[stage].what->where());
        }
    },
    [&](std::size_t stage, std::size_t layer) {
      for(const std::size_t c : layers[layer]) {
        flow_.work_on(c, colors);
        entries_[stage].what->launch(c);
      }
    });
}

void gathering::forget() noexcept {
  for(const entry& e : entries_)
    e.destroy(e.what);
  entries_.clear();
  room_->memory.release();
}

} // namespace rondo::detail::inline distributed
