// What a run lacks. Each rule looks at one way to lose time, and says how much of it that was; the one that lost the most is
// told. The only limits that are not measured are those of performance centres: less than 0.8 is worth a look.

#include <rondo/observe/whole_run.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>

#include "words.hpp"

namespace rondo::detail::inline observe {

namespace {

using kind = verdict::kind_type;

constexpr double good = 0.8;
constexpr double worth_a_word = 0.1;     ///< Of the time of all workers.
constexpr std::size_t longest_why = 500; ///< Two launches with long names and their places.

/// Brings seconds of a rank to those of one worker, so that ranks can be compared.
double per_worker(const measures& m, double seconds) { return seconds / std::max(1U, m.workers); }

verdict unoptimized(const whole_run& j) {
  for(const measures& m : j.ranks)
    if(!m.is_optimized)
      return {.kind = kind::unoptimized,
        .lost = 1,
        .why = "Rondo was compiled without optimization.",
        .advice = "build with CMAKE_BUILD_TYPE=Release, and measure again"};
  return {};
}

/// More workers than cores on a node; or other programs were on the cores.
verdict cores_shared(const whole_run& j) {
  verdict v;
  for(const measures& m : j.ranks) {
    const double busy = m.working + m.launching + m.between;
    if(m.workers_of_node > m.cores_of_node && m.cores_of_node != 0) {
      const double lost = (1 - static_cast<double>(m.cores_of_node) / m.workers_of_node) * busy /
                          std::max(1e-9, m.workers * j.seconds);
      if(lost > v.lost)
        v = {.kind = kind::cores_shared,
          .lost = lost,
          .why = of_many(m.workers_of_node, "worker shares ", "workers share ") +
                 of_many(m.cores_of_node, "core", "cores") + " of " + m.host + '.',
          .advice = "start fewer ranks, or set RONDO_WORKERS to fewer workers for each"};
    }
    // Threads that look for work are ready to run as well, and miss nothing.
    const double all = std::max(1e-9, m.workers * j.seconds);
    const double kept = std::min(m.kept, all);
    const double lost = kept / all * std::min(1.0, busy / all);
    if(lost > v.lost)
      v = {.kind = kind::cores_shared,
        .lost = lost,
        .why = "threads of rank " + std::to_string(m.rank) + " were ready to run for " +
               time_text(kept) + " and had no core: others run there, on " + m.host + '.',
        .advice = "look for other programs on these cores, and bind ranks (RONDO_BIND=1, mpirun "
                  "--bind-to core)"};
  }
  return v;
}

verdict too_small(const whole_run& j) {
  const double tasks = static_cast<double>(j.tasks.count());
  if(tasks == 0)
    return {};
  const double cost = j.of_time.between.all * j.core_seconds / tasks;
  return {.kind = kind::tasks_too_small,
    .lost = j.of_time.between.all,
    .why = "a task takes " + time_text(j.working / tasks) +
           " in the mean, and what is needed between two of them " + time_text(cost) + '.',
    .advice =
      "make tasks of " + time_text(cost * good / (1 - good)) +
      " and more: fewer colors, or more work in each task; tasks in the body of repeat cost least"};
}

/// It is what all others wait for.
bool main_thread_is_busy(const whole_run& j) {
  return j.of_time.launching.all * j.core_seconds >
         0.5 * j.seconds * static_cast<double>(j.ranks.size());
}

/// The code that launches keeps its core busy, and workers without work wait for it.
verdict launching(const whole_run& j) {
  verdict v{.kind = kind::launching, .lost = j.of_time.launching.all};
  const double each = j.launches > 0 ? j.of_time.launching.all * j.core_seconds / j.launches : 0;
  if(main_thread_is_busy(j))
    v.lost += j.of_time.idle.all;
  v.why = "the main thread has run for " +
          percent_text(j.of_time.launching.all * j.core_seconds /
                       std::max(1e-9, j.seconds * static_cast<double>(j.ranks.size()))) +
          " of the time";
  if(j.launches > 0) // where somebody counts them: not in programs without ranks
    v.why += ": " + time_text(each) + " for each task, " + percent_text(j.replayed / j.launches) +
             " of them replayed or repeated";
  v.why += '.';
  const auto off = std::ranges::find_if(
    j.traces, [](const traced& t) { return t.is_off || 2 * t.replayed < t.passes; });
  if(off != j.traces.end()) {
    v.kind = kind::trace_off;
    v.why += " Trace " + off->name + (off->is_off ? " is off" : " seldom fits") +
             (off->misses.empty() ? "." : ": " + shortened(off->why(), longest_why));
    v.advice = "launch the same in each pass, or give passes that differ a trace of their own";
  }
  else if(j.launches > 0 && 2 * j.replayed < j.launches)
    v.advice =
      2 * j.in_loops < j.launches
        ? "put the loop into repeat or iterate, or a guard of a trace around its passes"
      : j.traces.empty()
        ? "the loop's passes are analysed one by one, since they differ or are few: give "
          "it a trace, s.iterate(t, {.max = n}, body), which knows its second pass; or make tasks "
          "larger"
        : "passes that differ are analysed one by one: launch the same in each, or make tasks "
          "larger";
  else
    v.advice = "do in tasks what the main thread computes, and launch more work at a time";
  return v;
}

/// Waits of the main thread for a value, again and again: then nothing runs that comes behind. They may be in several places.
verdict blocked(const whole_run& j) {
  double idle = 0;
  double longest = 0;
  std::uint64_t count = 0;
  const waits_at* most = nullptr;
  bool is_elsewhere = false;
  for(const waits_at& w : j.waits)
    if(w.what == "value" && w.count > 2) {
      is_elsewhere = most != nullptr;
      if(most == nullptr || w.idle > most->idle)
        most = &w;
      idle += w.idle;
      longest += w.longest_idle;
      count += w.count;
    }
  if(most == nullptr)
    return {};
  return {.kind = kind::blocked,
    .lost = (idle - longest) / std::max(1e-9, j.core_seconds),
    .why = "the main thread has waited " + of_many(static_cast<double>(count), "time", "times") +
           " at " + most->where + (is_elsewhere ? " and elsewhere" : "") +
           " for a value, and workers had no task meanwhile for " + time_text(idle) + " in all.",
    .advice = "hand the future to the task that needs it, and end the loop with iterate, in "
              "place of get() in the loop"};
}

verdict imbalance(const whole_run& j) {
  if(j.ranks.size() < 2)
    return {};
  std::vector<double> worked;
  for(const measures& m : j.ranks)
    worked.push_back(per_worker(m, m.working));
  const auto most = std::ranges::max_element(worked);
  const measures& rank = j.ranks[static_cast<std::size_t>(most - worked.begin())];
  const double largest = *most;
  double mean = 0;
  for(const double w : worked)
    mean += w / static_cast<double>(worked.size());
  verdict v{.kind = kind::imbalance, .lost = (largest - mean) / std::max(1e-9, j.seconds)};
  std::ranges::sort(worked);
  const double median = worked[(worked.size() - 1) / 2];
  const double second = worked[worked.size() - 2];
  const std::string who = "rank " + std::to_string(rank.rank);
  if(worked.size() > 2 && largest - median > 2 * (second - median)) {
    // One alone: does it have more tasks, or slower ones?
    v.kind = kind::straggler;
    v.why = who + " on " + rank.host + " has worked for " + time_text(largest) +
            " on each worker, the others for " + time_text(median) + '.';
    v.advice =
      "look at what that node does besides, and at whether this rank has more to do than others";
    return v;
  }
  v.why = who + " has worked for " + time_text(largest) +
          " on each worker, the ranks in the mean for " + time_text(mean) + '.';
  v.advice =
    "give each rank as much work: m.balance() between loops moves colors by what they cost, "
    "if there are several for each rank";
  return v;
}

/// Ranks that have less to do wait for those with more: for their messages, as a rule, or at the end of the program. It is no fault
/// of the network, nor of the program of each rank.
struct waits_for_others {
  double messages;
  double idle;
};
waits_for_others unbalanced(const whole_run& j) {
  const double all = imbalance(j).lost;
  const double messages = std::min(all, j.of_time.messages.all);
  return {messages, std::min(all - messages, j.of_time.idle.all)};
}

verdict messages(const whole_run& j) {
  const std::string sent = // not known of a run that has not ended well
    j.sent > 0
      ? "; " + count_text(j.sent) + " were sent, of " + size_text(j.bytes / j.sent) + " in the mean"
      : "";
  return {.kind = kind::messages,
    .lost = j.of_time.messages.all - unbalanced(j).messages,
    .why = "workers have waited for messages for " + percent_text(j.of_time.messages.all) +
           " of the time" + sent + ".",
    .advice = "give ranks more to do meanwhile: more colors for each, or work that needs no ghosts "
              "launched in between"};
}

/// The longest body that is not one of many like it: null if there is none.
const named_tasks* long_body_of(const measures& m) {
  const named_tasks* longest = nullptr;
  for(const named_tasks& t : m.names) {
    const double mean = t.count > 0 ? t.seconds / static_cast<double>(t.count) : 0;
    // Tasks that fold what others give have the names of these, and take no time.
    const bool is_alone = 2 * t.longest > t.seconds || t.longest > 4 * mean;
    if(is_alone && (longest == nullptr || t.longest > longest->longest))
      longest = &t;
  }
  return longest;
}

/// While it runs, the other workers of its rank have nothing to do; each rank may have one.
verdict one_long_body(const whole_run& j) {
  double lost = 0;
  const named_tasks* longest = nullptr;
  for(const measures& m : j.ranks)
    if(const named_tasks* const t = long_body_of(m); t != nullptr && m.workers > 1) {
      lost += (m.workers - 1) * t->longest;
      if(longest == nullptr || t->longest > longest->longest)
        longest = t;
    }
  if(longest == nullptr)
    return {};
  return {.kind = kind::one_long_body,
    .lost = std::min(j.of_time.idle.all, lost / std::max(1e-9, j.core_seconds)),
    .why = "a task " + longest->name + " has run for " + time_text(longest->longest) + ", " +
           percent_text(longest->longest / std::max(1e-9, j.seconds)) +
           " of the time, while others had nothing to do.",
    .advice = "divide it, with join, for_each or more colors"};
}

/// To divide short tasks further costs more than it brings.
std::string advice_for_too_few(const whole_run& j) {
  constexpr double short_ns = 2000;
  const double half = j.tasks.quantile(0.5);
  if(half == 0 || half > short_ns)
    return "divide the work into more tasks that don't wait for each other: more colors than "
           "workers";
  return "half of the tasks take no more than " + time_text(1e-9 * half) +
         ", so more of them would cost more than they bring: take fewer and larger ones, "
         "one color for each worker where the work is small";
}

verdict too_few(const whole_run& j) {
  return {.kind = kind::too_few_tasks,
    .lost = j.of_time.idle.all - unbalanced(j).idle - one_long_body(j).lost,
    .why = "workers had nothing to do for " + percent_text(j.of_time.idle.all) + " of the time: " +
           "in the mean " + percent_text(j.working / std::max(1e-9, j.core_seconds)) + " of the " +
           of_many(j.workers, "worker", "workers") + " had a task" +
           (j.names.empty() ? "."
                            : "; most of the time it was " + j.names[0].of.name + " (" +
                                percent_text(j.names[0].part) + ")."),
    .advice = advice_for_too_few(j)};
}

/// Of all workers: without a task while others of their rank have one.
double idle_beside_others(const whole_run& j) {
  double standstill = 0;
  for(const measures& m : j.ranks)
    standstill += m.standstill;
  return j.of_time.idle.all - standstill / std::max(1e-9, j.core_seconds);
}

verdict memory_grows(const whole_run& j) {
  return {.kind = kind::memory_grows,
    .why = "a rank's memory has grown by " + size_text(j.grown) +
           " in the second half of the run, to " + size_text(j.memory) + '.',
    .advice = "make fields, traces and reductions once, before the loop, and keep no futures that "
              "are not needed"};
}

bool has_grown(const whole_run& j) {
  constexpr double allowance = 16e6; // allocators take memory in large pieces
  return j.seconds > 1 && j.grown > allowance + 0.1 * j.memory;
}

} // namespace

const char* name_of(verdict::kind_type k) {
  switch(k) {
  case kind::healthy:
    return "healthy";
  case kind::unoptimized:
    return "unoptimized build";
  case kind::cores_shared:
    return "cores shared";
  case kind::tasks_too_small:
    return "tasks too small";
  case kind::trace_off:
    return "trace off";
  case kind::launching:
    return "launching";
  case kind::blocked:
    return "blocked main thread";
  case kind::imbalance:
    return "load imbalance";
  case kind::straggler:
    return "straggler";
  case kind::messages:
    return "waiting for messages";
  case kind::one_long_body:
    return "one long body";
  case kind::too_few_tasks:
    return "too few tasks";
  case kind::memory_grows:
    return "memory grows";
  }
  return "?";
}

std::vector<verdict> judge(const whole_run& j) {
  std::vector<verdict> found;
  verdict rest = too_few(j);
  for(const auto& rule :
    {cores_shared, too_small, launching, blocked, imbalance, messages, one_long_body}) {
    verdict v = rule(j);
    // The rest of idle time is that of too few tasks, so a more special reason for most of it goes before.
    if(v.kind == kind::blocked && v.lost > 0.5 * rest.lost)
      v.lost = std::max(v.lost, rest.lost);
    if(v.lost >= worth_a_word)
      found.push_back(std::move(v));
  }

  // Faults with the same reason are said once. If the main thread has launched nothing, no worker had a task; so what is idle beside
  // others that work needs more tasks all the same. But if it is busy, they get them one by one.
  const auto is_there = [&found](
                          kind k) { return std::ranges::count(found, k, &verdict::kind) != 0; };
  const bool is_late = is_there(kind::launching) || is_there(kind::trace_off);
  if(is_late && main_thread_is_busy(j))
    rest.lost = 0;
  else if(is_late || is_there(kind::blocked))
    rest.lost = std::min(rest.lost, idle_beside_others(j) - one_long_body(j).lost);
  if(rest.lost >= worth_a_word)
    found.push_back(std::move(rest));
  std::ranges::stable_sort(found, std::greater(), &verdict::lost);

  verdict built = unoptimized(j);
  const bool is_optimized = built.kind == kind::healthy;
  // Tasks that were kept from their cores seem to work.
  const bool is_fine = j.efficiency.parallel >= good && cores_shared(j).lost <= 1 - good;
  if(has_grown(j))
    found.insert(is_fine ? found.begin() : found.end(), memory_grows(j));
  else if(is_optimized && (is_fine || found.empty()))
    found.insert(found.begin(),
      {.kind = kind::healthy,
        .why = percent_text(j.efficiency.parallel) + " of the time of all workers went into tasks.",
        .advice = "nothing is wrong that shows here: make the tasks themselves faster"});
  if(!is_optimized)
    found.insert(found.begin(), std::move(built));
  return found;
}

} // namespace rondo::detail::inline observe
