#pragma once

/// \file
/// The batches of a flow by their numbers: those under way, and memory for the next ones.
/// docs/protocols/flow.md, "The window".

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/tracing/batch.hpp>

namespace rondo::detail::inline tracing {

/// The code that launches makes batches, and may make the ring larger; crews look up batches that they
/// have claimed launches of, at any time.
class batch_ring {
public:
  explicit batch_ring(std::size_t size) { use(std::make_unique<table>(size)); }

  [[nodiscard]] std::size_t size() const { return latest().of.size(); }

  /// A batch under way.
  [[nodiscard]] batch& operator[](std::uint64_t number) const {
    const table& t = latest();
    return *t.of[number % t.of.size()];
  }

  // ---- the code that launches ------------------------------------------------------------------

  /// The batch that begins now. The one that was here before, if any, has ended.
  batch& begin(std::uint64_t number, flow& home) {
    table& t = *tables_.back();
    batch*& place = t.of[number % t.of.size()];
    if(place == nullptr) {
      made_.push_back(std::make_unique<batch>(home));
      place = made_.back().get();
    }
    else
      place->clear();
    return *place;
  }

  /// Makes room for `size` batches under way. Batches from `first` to before `end` are so now.
  void grow(std::size_t size, std::uint64_t first, std::uint64_t end) {
    auto made = std::make_unique<table>(size);
    for(std::uint64_t i = first; i != end; ++i)
      made->of[i % size] = &(*this)[i];
    use(std::move(made));
  }

private:
  struct table {
    explicit table(std::size_t size) : of(size) {}
    std::vector<batch*> of;
  };

  // Acquire: what is in it. Crews may have loaded an older one, which is not changed any more, and has
  // what they have claimed; so all are kept.
  [[nodiscard]] const table& latest() const { return *latest_.load(std::memory_order_acquire); }
  void use(std::unique_ptr<table> t) {
    tables_.push_back(std::move(t));
    latest_.store(tables_.back().get(), std::memory_order_release);
  }

  std::atomic<const table*> latest_{nullptr};
  std::vector<std::unique_ptr<table>> tables_;
  std::vector<std::unique_ptr<batch>> made_;
};

} // namespace rondo::detail::inline tracing
