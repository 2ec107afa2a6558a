// What has been begun and has ended, added up. docs/protocols/quiescence.md

#include <rondo/core/activities.hpp>

#include <rondo/core/worker.hpp>
#include <rondo/core/worker_table.hpp>

namespace rondo::detail::inline core {

void activities::begin(worker* mine) {
  if(mine != nullptr)
    mine->submitted.add_one();
  else
    begun_.fetch_add(1, std::memory_order_seq_cst);
}

void activities::end(worker* mine) {
  if(mine != nullptr)
    mine->finished.add_one();
  else
    ended_.fetch_add(1, std::memory_order_seq_cst);
}

/// Those that have ended first, those begun after: a task that submits another one has not ended meanwhile, so equal sums mean that
/// at the time of the second reading nothing was under way. A worker that is made in between makes them unequal at most.
bool activities::have_all_ended(const worker_table& workers) const {
  std::uint64_t ended = ended_.load(std::memory_order_seq_cst);
  workers.each([&ended](worker& w) { ended += w.finished.get(); });
  std::uint64_t begun = begun_.load(std::memory_order_seq_cst);
  workers.each([&begun](worker& w) { begun += w.submitted.get(); });
  return ended == begun;
}

} // namespace rondo::detail::inline core
