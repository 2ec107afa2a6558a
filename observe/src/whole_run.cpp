#include <rondo/observe/whole_run.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace rondo::detail::inline observe {

namespace {

/// The time of its workers until all ranks have ended.
double core_seconds(const whole_run& j, const measures& m) { return m.workers * j.seconds; }
double idle(const whole_run& j, const measures& m) {
  return std::max(0.0, core_seconds(j, m) - m.working - m.launching - m.between - m.messages);
}

/// `of(rank)`: its seconds.
template<class Of>
spread spread_of(const whole_run& j, Of&& of) {
  std::vector<double> parts;
  double sum = 0;
  for(const measures& m : j.ranks) {
    parts.push_back(j.seconds > 0 ? of(m) / core_seconds(j, m) : 0);
    sum += of(m);
  }
  std::ranges::sort(parts);
  return {.least = parts.front(),
    .median = parts[parts.size() / 2],
    .most = parts.back(),
    .all = j.core_seconds > 0 ? sum / j.core_seconds : 0};
}

double ratio(double a, double b) { return b > 0 ? a / b : 1; }

/// As a rank that has one worker would have worked.
double worked_of_worker(const measures& m) { return m.working / std::max(1U, m.workers); }

efficiencies efficiencies_of(const whole_run& j) {
  const measures& most = *std::ranges::max_element(j.ranks, std::less(), &worked_of_worker);
  double mean = 0;
  for(const measures& m : j.ranks)
    mean += worked_of_worker(m) / static_cast<double>(j.ranks.size());
  const double busy = most.working + most.launching + most.between;
  const double with_idle = busy + idle(j, most);
  efficiencies e{.balance = ratio(mean, worked_of_worker(most)),
    .communication = ratio(with_idle, with_idle + most.messages),
    .parallelism = ratio(busy, with_idle),
    .scheduling = ratio(most.working, busy)};
  e.parallel = e.balance * e.communication * e.parallelism * e.scheduling;
  return e;
}

template<class List, class Same>
auto& found_or_added(List& list, Same&& same) {
  const auto at = std::ranges::find_if(list, same);
  return at != list.end() ? *at : list.emplace_back();
}

void add_names(whole_run& j) {
  std::vector<double> most;
  for(const measures& m : j.ranks)
    for(const named_tasks& t : m.names) {
      named_part& all =
        found_or_added(j.names, [&t](const named_part& x) { return x.of.name == t.name; });
      most.resize(j.names.size());
      double& largest = most[static_cast<std::size_t>(&all - j.names.data())];
      all.of.name = t.name;
      all.of.count += t.count;
      all.of.seconds += t.seconds;
      all.of.longest = std::max(all.of.longest, t.longest);
      largest = std::max(largest, t.seconds);
    }
  for(std::size_t i = 0; i != j.names.size(); ++i) {
    named_part& t = j.names[i];
    t.part = ratio(t.of.seconds, j.working);
    t.imbalance = ratio(most[i] * static_cast<double>(j.ranks.size()), t.of.seconds);
  }
  std::ranges::sort(j.names, std::greater(), [](const named_part& t) { return t.of.seconds; });
}

void add_waits(whole_run& j) {
  for(const measures& m : j.ranks)
    for(const waits_at& w : m.waits) {
      waits_at& all = found_or_added(
        j.waits, [&w](const waits_at& x) { return x.where == w.where && x.what == w.what; });
      all.where = w.where;
      all.what = w.what;
      all.count = std::max(all.count, w.count); // each rank runs the same program
      all.seconds += w.seconds;
      all.idle += w.idle;
      all.longest_idle += w.longest_idle;
    }
  std::ranges::sort(j.waits, std::greater(), &waits_at::idle);
}

/// The newest one comes last, until they are sorted.
void add(std::vector<missed>& all, const missed& m) {
  const auto same = std::ranges::find(all, m.why, &missed::why);
  if(same == all.end()) {
    all.push_back(m);
    return;
  }
  same->pass = std::max(same->pass, m.pass);
  same->count += m.count;
}

void add_traces(whole_run& j) {
  for(const measures& m : j.ranks)
    for(const traced& t : m.traces) {
      traced& all = found_or_added(j.traces, [&t](const traced& x) { return x.name == t.name; });
      all.name = t.name;
      all.passes += t.passes;
      all.replayed += t.replayed;
      all.diverged += t.diverged;
      all.is_off = all.is_off || t.is_off;
      for(const missed& reason : t.misses)
        add(all.misses, reason);
    }
  for(traced& t : j.traces)
    std::ranges::stable_sort(t.misses, std::less(), &missed::count);
}

void add_gaps(whole_run& j) {
  for(const measures& m : j.ranks)
    for(const idle_gap& g : m.longest_gaps) {
      j.longest_gaps.push_back(g);
      j.longest_gaps.back().rank = m.rank;
    }
  std::ranges::stable_sort(j.longest_gaps, std::greater(), &idle_gap::seconds);
  j.longest_gaps.resize(std::min(j.longest_gaps.size(), gaps_kept));
}

void add_phases(whole_run& j) {
  for(const measures& m : j.ranks)
    for(const phase_times& p : m.phases) {
      phase_times& all =
        found_or_added(j.phases, [&p](const phase_times& x) { return x.name == p.name; });
      all.name = p.name;
      all.count = std::max(all.count, p.count);
      all.seconds = std::max(all.seconds, p.seconds);
      all.working += p.working;
    }
  std::ranges::sort(j.phases, std::greater(), &phase_times::seconds);
}

std::vector<double> busy_over_time(const whole_run& j) {
  constexpr std::size_t parts = 50;
  std::vector<double> busy;
  const double each = j.seconds / parts;
  for(std::size_t i = 0; i != parts && each > 0; ++i) {
    double worked = 0;
    for(const measures& m : j.ranks)
      worked +=
        m.over_time.between(each * static_cast<double>(i), each * static_cast<double>(i + 1));
    busy.push_back(std::min(1.0, worked / (each * j.workers)));
  }
  return busy;
}

} // namespace

whole_run put_together(std::vector<measures> ranks) {
  whole_run j;
  j.ranks = std::move(ranks);
  std::ranges::sort(j.ranks, std::less(), &measures::rank);
  for(const measures& m : j.ranks) {
    j.seconds = std::max(j.seconds, m.seconds);
    j.workers += m.workers;
    j.working += m.working;
    j.tasks += m.tasks;
    j.gaps += m.gaps;
    j.launches += static_cast<double>(m.launches);
    j.replayed += static_cast<double>(m.replayed);
    j.in_loops += static_cast<double>(m.in_loops);
    j.steals += static_cast<double>(m.steals);
    j.sent += static_cast<double>(m.sent);
    j.bytes += static_cast<double>(m.bytes);
    j.memory = std::max(j.memory, static_cast<double>(m.memory));
    j.grown =
      std::max(j.grown, static_cast<double>(m.memory_end) - static_cast<double>(m.memory_half));
  }
  j.core_seconds = j.workers * j.seconds;
  j.busy = busy_over_time(j);
  // A launch in the body of `repeat` is one, and has a task in each pass.
  if(const double tasks = static_cast<double>(j.tasks.count());
     j.launches > 0 && tasks > j.launches) {
    j.replayed += tasks - j.launches;
    j.launches = tasks;
  }
  j.of_time = {.working = spread_of(j, [](const measures& m) { return m.working; }),
    .launching = spread_of(j, [](const measures& m) { return m.launching; }),
    .between = spread_of(j, [](const measures& m) { return m.between; }),
    .messages = spread_of(j, [](const measures& m) { return m.messages; }),
    .idle = spread_of(j, [&j](const measures& m) { return idle(j, m); })};
  j.efficiency = efficiencies_of(j);
  add_names(j);
  add_waits(j);
  add_traces(j);
  add_gaps(j);
  add_phases(j);
  return j;
}

} // namespace rondo::detail::inline observe
