// The digest as lines of text.

#include <rondo/observe/whole_run.hpp>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

#include "words.hpp"

namespace rondo::detail::inline observe {

namespace {

constexpr std::size_t most_text = 2048;
constexpr std::size_t names_told = 5;
constexpr std::size_t phases_told = 4;
constexpr double short_run = 0.1; ///< Seconds.
// Why passes of a trace were not replayed.
constexpr std::size_t longest_miss = 160;
constexpr std::size_t longest_without_room = 70;

[[gnu::format(printf, 2, 3)]] void print(std::string& to, const char* format, ...) {
  char line[512];
  va_list values;
  va_start(values, format);
  const int n = std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  to.append(line, std::min(sizeof line - 1, static_cast<std::size_t>(std::max(0, n))));
}

std::string bar(double part) {
  constexpr double length = 30;
  return std::string(static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * length + 0.5), '#');
}

void add_efficiencies(std::string& text, const efficiencies& e) {
  const auto line = [&text](const char* name, double value, const char* what) {
    print(text, "  %-20s %4.2f %s %s\n", name, value, value < 0.8 ? "!" : " ", what);
  };
  line("parallel efficiency", e.parallel, "1 is best; it is lowered by");
  line("  load balance", e.balance, "some ranks have less to do");
  line("  communication", e.communication, "waiting for messages");
  line("  parallelism", e.parallelism, "too little to do at a time");
  line("  scheduling", e.scheduling, "launching, and gaps between tasks");
}

/// A digit for each part of the time: so many tenths of the workers had a task.
void add_over_time(std::string& text, const whole_run& j) {
  if(j.busy.empty())
    return;
  std::string digits;
  for(const double part : j.busy)
    digits += static_cast<char>('0' + std::min(9, static_cast<int>(10 * part + 1e-9)));
  print(text, "  over time   %s  tenths of workers with a task\n", digits.c_str());
}

void add_shares(std::string& text, const whole_run& j) {
  const bool many = j.ranks.size() > 1;
  print(text, "\n  time of workers%s\n",
    many ? "                                      median    min    max of ranks" : "");
  const auto line = [&](const char* name, const spread& s) {
    print(text, "  %-11s %-30s %6s", name, bar(s.all).c_str(), percent_text(s.all).c_str());
    if(many)
      print(text, "  %6s %6s %6s", percent_text(s.median).c_str(), percent_text(s.least).c_str(),
        percent_text(s.most).c_str());
    text += '\n';
  };
  line("tasks", j.of_time.working);
  line("main thread", j.of_time.launching);
  line("between", j.of_time.between);
  line("messages", j.of_time.messages);
  line("idle", j.of_time.idle);
}

/// How many take up to 1 us, up to 10 us and so on, to the one that nearly all of them keep to.
void add_lengths(std::string& text, const durations& d) {
  const auto all = static_cast<double>(d.count());
  double before = 0;
  for(double most = 100; before < 0.995 * all && most < 1e13; most *= 10) {
    const auto n = static_cast<double>(d.count_up_to(most));
    if(n != before)
      print(text, "%s%s up to %s", before == 0 ? "  " : ", ", percent_text(n / all).c_str(),
        short_time_text(1e-9 * most).c_str());
    before = n;
  }
  text += '\n';
}

void add_tasks(std::string& text, const whole_run& j, std::size_t names) {
  if(j.names.empty())
    return;
  print(text, "\n  %-24s %11s %9s %9s %6s%s\n", "task", "count", "mean", "longest", "share",
    j.ranks.size() > 1 ? "  most/mean of ranks" : "");
  const std::size_t told = std::min(j.names.size(), names);
  for(std::size_t i = 0; i != told; ++i) {
    const named_part& t = j.names[i];
    print(text, "  %-24.24s %11s %9s %9s %6s", t.of.name.c_str(),
      count_text(static_cast<double>(t.of.count)).c_str(),
      time_text(t.of.seconds / static_cast<double>(std::max<std::uint64_t>(1, t.of.count))).c_str(),
      time_text(t.of.longest).c_str(), percent_text(t.part).c_str());
    if(j.ranks.size() > 1)
      print(text, "  %4.2f", t.imbalance);
    text += '\n';
  }
  if(told != j.names.size())
    print(text, "  and %s more\n",
      of_many(static_cast<double>(j.names.size() - told), "name", "names").c_str());
  add_lengths(text, j.tasks);
  print(text, "  half of them take up to %s, 99 %% up to %s; half of the gaps up to %s\n",
    time_text(1e-9 * j.tasks.quantile(0.5)).c_str(),
    time_text(1e-9 * j.tasks.quantile(0.99)).c_str(),
    time_text(1e-9 * j.gaps.quantile(0.5)).c_str());
}

/// Phases are what the program has asked for by name, so they go before names of tasks where there is little room.
void add_phases(std::string& text, const whole_run& j, std::size_t most) {
  const std::size_t told = std::min(j.phases.size(), most);
  for(std::size_t i = 0; i != told; ++i) {
    const phase_times& p = j.phases[i];
    print(text, "  phase      %.24s: %s, %s, %s of it in tasks\n", p.name.c_str(),
      of_many(static_cast<double>(p.count), "time", "times").c_str(), time_text(p.seconds).c_str(),
      percent_text(p.working / std::max(1e-9, j.workers * p.seconds)).c_str());
  }
  if(told != j.phases.size() && most > 1)
    print(text, "             and %s more\n",
      of_many(static_cast<double>(j.phases.size() - told), "phase", "phases").c_str());
}

/// The longest times that a worker had nothing to do.
void add_gaps(std::string& text, const whole_run& j, std::size_t most) {
  static constexpr const char* words[] = {"", "; a message came", "; others had tasks"};
  for(std::size_t i = 0; i != std::min(j.longest_gaps.size(), most); ++i) {
    const idle_gap& g = j.longest_gaps[i];
    print(text, "  %-10s gap: %s on rank %u, before %.40s%s\n", i == 0 ? "longest" : "",
      time_text(g.seconds).c_str(), static_cast<unsigned>(g.rank), g.before.c_str(),
      words[static_cast<std::size_t>(g.waited)]);
  }
}

void add_rest(
  std::string& text, const whole_run& j, std::size_t places, std::size_t phases, bool has_room) {
  text += '\n';
  if(j.launches > 0)
    print(text, "  launched   tasks: %s, %s replayed or repeated\n", count_text(j.launches).c_str(),
      percent_text(j.replayed / j.launches).c_str());
  add_phases(text, j, phases);
  for(std::size_t i = 0; i != std::min(j.traces.size(), places); ++i) {
    const traced& t = j.traces[i];
    print(text, "  trace      %.32s: %s of %s replayed%s%s\n",
      t.name.empty() ? "(no name)" : t.name.c_str(),
      count_text(static_cast<double>(t.replayed)).c_str(),
      of_many(static_cast<double>(t.passes), "pass", "passes").c_str(), t.is_off ? ", off" : "",
      t.misses.empty()
        ? ""
        : ("; " + shortened(t.why(), has_room ? longest_miss : longest_without_room)).c_str());
    // What else there was.
    for(std::size_t k = 1; has_room && k < std::min<std::size_t>(t.misses.size(), 3); ++k)
      print(text, "             %s\n",
        shortened(t.misses[t.misses.size() - 1 - k].text(), longest_miss).c_str());
  }
  for(std::size_t i = 0; i != std::min(j.waits.size(), places); ++i) {
    const waits_at& w = j.waits[i];
    print(text, "  waited     at %.32s for %s: %s, workers without a task for %s\n",
      w.where.c_str(),
      w.what == "value"    ? "a value"
      : w.what == "window" ? "room in the window"
                           : "launches",
      of_many(static_cast<double>(w.count), "time", "times").c_str(), time_text(w.idle).c_str());
  }
  add_gaps(text, j, has_room ? gaps_kept : 1);
  if(j.ranks.size() > 1)
    print(text, "  messages   %s, %s\n", count_text(j.sent).c_str(), size_text(j.bytes).c_str());
  print(text, "  memory     %s%s", size_text(j.memory).c_str(),
    j.ranks.size() > 1 ? " on the largest rank" : "");
  if(j.grown > 1e6)
    print(text, ", %s of them in the second half", size_text(j.grown).c_str());
  text += '\n';
}

void add_failure(std::string& text, const whole_run& j) {
  if(j.ranks_of_run != 1)
    print(text, " of rank %u of %u", static_cast<unsigned>(j.ranks.front().rank), j.ranks_of_run);
  text += j.failure.starts_with(told_to_end) ? ", until it was told to end" : ", up to the failure";
}

/// Names of tasks; and, if there is room for them, more reasons and gaps than the first ones.
std::string text_with(
  const whole_run& j, const std::string& what, std::size_t names, bool has_room) {
  std::string text;
  print(text, "rondo digest%s%.120s", what.empty() ? "" : " ", what.c_str());
  if(!j.failure.empty())
    add_failure(text, j);
  print(text, ": %s on %s", time_text(j.seconds).c_str(),
    of_many(j.workers, "worker", "workers").c_str());
  if(j.ranks.size() > 1)
    print(text, " of %s", of_many(static_cast<double>(j.ranks.size()), "rank", "ranks").c_str());
  print(text, ", %s\n", of_many(static_cast<double>(j.tasks.count()), "task", "tasks").c_str());
  add_efficiencies(text, j.efficiency);
  add_shares(text, j);
  if(names != 0)
    add_over_time(text, j);
  add_tasks(text, j, names);
  add_rest(text, j, names > names_told / 2 ? 2 : 1, names != 0 ? phases_told : 1, has_room);
  const std::vector<verdict> found = judge(j);
  const verdict& v = found.front();
  text += "\n  => ";
  text += name_of(v.kind);
  text += ": " + v.why + "\n     Next: " + v.advice + ".\n";
  for(std::size_t i = 1; i < std::min<std::size_t>(found.size(), names == 0 ? 1 : 3); ++i)
    print(text, "     %s %s, %s of the time\n", i == 1 ? "Then:" : "     ", name_of(found[i].kind),
      percent_text(found[i].lost).c_str());
  if(j.seconds < short_run)
    text += "     (Of so short a run much is its beginning: let it run for longer.)\n";
  return text;
}

} // namespace

std::string text_of(const whole_run& j, const std::string& what) {
  if(std::string text = text_with(j, what, names_told, true); text.size() <= most_text)
    return text;
  for(std::size_t names = names_told;; --names)
    if(std::string text = text_with(j, what, names, false); text.size() <= most_text || names == 0)
      return text;
}

} // namespace rondo::detail::inline observe
