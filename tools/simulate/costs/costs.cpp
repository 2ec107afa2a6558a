#include "costs.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "measuring.hpp"

namespace rondo::simulate {

using detail::timeline_rank;

std::string key_of(const std::string& name, const std::string& place) {
  return name.empty() || place.empty() ? name + place : name + ' ' + place;
}

bool is_of_runtime(const std::string& name) { return name.find(": ") != std::string::npos; }

namespace {

/// A rank tells the cores that it may use, not the fewer ones that it is dealt. If nobody binds them, all ranks of a host
/// tell the same ones, and nothing but the number is known. But then each has fewer workers than cores: no core is dealt
/// twice. So if each rank has a worker for every core that it tells, these are its own, bound to it by the launcher;
/// else they are taken for the same ones.
///
/// RONDO_WORKERS can make both wrong: too many workers on shared cores look like cores of their own, and few workers on cores of
/// their own look like shared ones if all together are more than a rank has cores.
class workers_of_host {
public:
  void add(const timeline_rank& r) {
    workers_ += r.workers;
    most_cores_ = std::max(most_cores_, r.cores);
    all_cores_ += r.cores;
    have_own_ &= r.workers == r.cores;
  }
  [[nodiscard]] double for_each_core() const {
    return static_cast<double>(workers_) / std::max(1U, have_own_ ? all_cores_ : most_cores_);
  }

private:
  std::uint32_t workers_ = 0;
  std::uint32_t most_cores_ = 0;
  std::uint32_t all_cores_ = 0;
  bool have_own_ = true;
};

double shared(const detail::timeline& t) {
  std::map<std::string, workers_of_host> hosts;
  for(const timeline_rank& r : t.ranks)
    hosts[r.host].add(r);
  double most = 0;
  for(const auto& [name, host] : hosts)
    most = std::max(most, host.for_each_core());
  return most;
}

} // namespace

costs costs_of(const detail::timeline& t) {
  costs c;
  c.ranks = std::max(t.ranks_of_run, static_cast<std::uint32_t>(t.ranks.size()));
  for(const timeline_rank& r : t.ranks)
    c.workers = std::max(c.workers, r.workers);
  c.tasks = task_times_of(t);
  all_launch_times launches = launch_times_of(t);
  c.launches = std::move(launches.by_site);
  c.any_launch = launches.any;
  c.between_tasks = between_tasks_of(t);
  const all_message_times messages = message_times_of(t);
  c.within_node = messages.within_node;
  c.between_nodes = messages.between_nodes;
  c.shared = shared(t);
  return c;
}

} // namespace rondo::simulate
