// What is found out about a run, in sentences and for a terminal.

#include <algorithm>
#include <array>
#include <cstdio>

#include "analysis.hpp"

namespace rondo::report {

namespace {

template<class... T>
std::string printed(const char* format, T... values) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

std::string called(const site& s) {
  return s.place.empty() || s.name == s.place ? s.name : s.name + " (" + s.place + ")";
}

/// What it would have to be to be worth a sentence: a part of the run's time.
constexpr double worth_a_word = 0.1;

void say_path(const analysis& a, std::vector<std::string>& words) {
  std::string parts;
  unsigned said = 0;
  for(const part_row& p : a.parts) {
    if(said == 3 || (said != 0 && p.share < worth_a_word))
      break;
    parts += (said++ == 0 ? "" : ", ") + p.what + " " + percent(p.share);
  }
  if(said != 0)
    words.push_back("The critical path is " + parts + ".");
}

void say_efficiencies(const analysis& a, std::vector<std::string>& words) {
  const efficiencies& e = a.efficiencies;
  if(a.run.ranks.size() < 2) {
    words.push_back("Tasks took " + percent(e.parallel) + " of the time of all workers.");
    return;
  }
  words.push_back(printed(
    "Tasks took %s of the time of all workers: parallel efficiency %.2f = load balance %.2f x "
    "serialization %.2f x transfer %.2f.",
    percent(e.parallel).c_str(), e.parallel, e.balance, e.serialization, e.transfer));
  if(1 - e.transfer >= worth_a_word)
    words.push_back("If messages took no time the run would take " +
                    duration(e.transfer * a.seconds()) + " in place of " + duration(a.seconds()) +
                    ".");
}

void say_delays(const analysis& a, std::vector<std::string>& words) {
  // What Rondo itself launches is nobody's to change.
  const auto weight = [&a](const table_row& r) {
    const std::string& name = a.spans.sites[r.site].name;
    const bool is_internal = name.starts_with("iterate: ") || name.starts_with("halo: ");
    return is_internal ? 0 : r.delay_mean * static_cast<double>(r.count);
  };
  const auto longest = std::ranges::max_element(a.table, {}, weight);
  if(longest == a.table.end() || longest->delay_mean <= 0)
    return;
  // Tasks that wait for a worker are no loss while there are more than workers; while these sleep they are.
  if(longest->delay_mean > longest->mean)
    words.push_back(called(a.spans.sites[longest->site]) + " was ready " +
                    duration(longest->delay_mean) + " before it began, in the mean; 99 % of them " +
                    duration(longest->delay_p99) + " at the most.");
}

void say_imbalance(const analysis& a, std::vector<std::string>& words) {
  for(const table_row& r : a.table)
    if(r.share >= worth_a_word && r.imbalance >= 1.2 && a.run.ranks.size() > 1) {
      words.push_back(printed("One rank has %.2f times as much of %s as ranks in the mean.",
        r.imbalance, called(a.spans.sites[r.site]).c_str()));
      return;
    }
}

void say_waits(const analysis& a, std::vector<std::string>& words) {
  // Room in the window is waited for by a program that is far ahead: no harm.
  const auto at = std::ranges::find_if(
    a.waits, [](const wait_row& w) { return w.what.find("window") == std::string::npos; });
  if(at == a.waits.end())
    return;
  const wait_row& w = *at;
  // The last one, for the end of all, is none.
  if(w.count > 1 && w.seconds >= worth_a_word * a.seconds())
    words.push_back(printed("The main thread has waited %llu times at %s %s, for %s in all%s.",
      static_cast<unsigned long long>(w.count), w.place.c_str(), w.what.c_str(),
      duration(w.seconds).c_str(), a.run.ranks.size() > 1 ? ", all ranks together" : ""));
}

/// "it waited for a message from rank 1", of the task that has ended the gap; empty if that is not known.
std::string reason_of(const analysis& a, const idle_gap& gap) {
  const std::uint32_t n = a.graph.node_of[gap.span];
  if(n == none || !a.spans.all[gap.span].is_first || !a.ready[n].is_known)
    return {};
  const readiness& r = a.ready[n];
  if(r.at <= gap.begin)
    return "it was ready before";
  switch(r.cause) {
  case readiness::cause_type::launch:
    return "it was launched late";
  case readiness::cause_type::task:
    return "it waited for " + called(a.spans.sites[a.spans.all[a.graph.nodes[r.of].first].site]);
  case readiness::cause_type::message:
    return printed("it waited for a message from rank %u",
      static_cast<unsigned>(a.run.ranks[a.graph.arrows[r.of].from_rank].rank));
  default:
    return {};
  }
}

std::string text_of(const analysis& a, const idle_gap& gap) {
  const lane& l = a.spans.lanes[gap.lane];
  const std::string reason = reason_of(a, gap);
  return duration(1e-9 * static_cast<double>(gap.length())) + " on " + l.label +
         (a.run.ranks.size() > 1 ? " of rank " + std::to_string(l.rank) : "") + ", until " +
         called(a.spans.sites[a.spans.all[gap.span].site]) + " began" +
         (reason.empty() ? "" : ": " + reason);
}

void say_gaps(const analysis& a, std::vector<std::string>& words) {
  double workers = 0;
  for(const detail::timeline_rank& r : a.run.ranks)
    workers += r.workers;
  const double asleep = time_asleep(a.spans) / std::max(1e-9, workers * a.seconds());
  if(asleep >= worth_a_word)
    words.push_back("Workers slept for " + percent(asleep) + " of their time.");
  if(!a.gaps.empty() &&
     static_cast<double>(a.gaps.front().length()) >= worth_a_word * 1e9 * a.seconds())
    words.push_back("The longest time without a task was " + text_of(a, a.gaps.front()) + ".");
}

} // namespace

std::string duration(double seconds) {
  static constexpr struct {
    double least;
    double unit;
    const char* name;
  } units[] = {{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {1e-6, 1e-6, "us"}, {0, 1e-9, "ns"}};
  for(const auto& u : units)
    if(seconds >= u.least)
      return printed("%.3g %s", seconds / u.unit, u.name);
  return "0 ns";
}

std::string percent(double part) {
  return part > 0 && part < 0.01 ? "< 1 %" : printed("%.0f %%", 100 * part);
}

std::vector<std::string> words_of(const analysis& a) {
  std::vector<std::string> words;
  if(!a.run.failure.empty())
    words.push_back("The program has failed: " + a.run.failure);
  if(a.run.ranks.size() < a.run.ranks_of_run)
    words.push_back(printed("Only %zu of %u ranks have left what they saw.", a.run.ranks.size(),
      static_cast<unsigned>(a.run.ranks_of_run)));
  if(a.spans.dropped != 0)
    words.push_back(printed("The oldest %llu events are missing: there was no room for more "
                            "(RONDO_TIMELINE_MEMORY).",
      static_cast<unsigned long long>(a.spans.dropped)));
  say_path(a, words);
  if(!a.table.empty())
    say_efficiencies(a, words);
  say_waits(a, words);
  say_imbalance(a, words);
  say_delays(a, words);
  say_gaps(a, words);
  return words;
}

std::string text_of(const analysis& a) {
  std::string text = a.run.program + "\n" + a.run.began + ", " + duration(a.seconds()) + "; " +
                     hardware_of(a.run) + "\n";
  if(a.skew() != 0)
    text += "clocks of ranks agree to " + duration(1e-9 * static_cast<double>(a.skew())) + "\n";
  text += "\n";
  for(const std::string& sentence : words_of(a))
    text += sentence + "\n";
  text += "\ncritical path\n";
  for(const part_row& p : a.parts)
    text += printed(
      "  %-40s %9s %6s\n", p.what.c_str(), duration(p.seconds).c_str(), percent(p.share).c_str());
  text += printed("\n%-42s %9s %9s %9s %6s %9s %6s %9s\n", "task", "count", "mean", "longest",
    "share", "most/mean", "path", "delay");
  for(const table_row& r : a.table)
    text += printed("  %-40s %9llu %9s %9s %6s %9.2f %6s %9s\n",
      called(a.spans.sites[r.site]).c_str(), static_cast<unsigned long long>(r.count),
      duration(r.mean).c_str(), duration(r.longest).c_str(), percent(r.share).c_str(), r.imbalance,
      percent(r.critical_share).c_str(),
      r.delay_mean == not_known ? "?" : duration(r.delay_mean).c_str());
  if(!a.waits.empty())
    text += "\nwaits of the main thread\n";
  for(const wait_row& w : a.waits)
    text += printed("  %-40s %9llu %9s  %s\n", w.place.c_str(),
      static_cast<unsigned long long>(w.count), duration(w.seconds).c_str(), w.what.c_str());
  if(!a.gaps.empty())
    text += "\nlongest times without a task\n";
  for(const idle_gap& gap : a.gaps)
    text += "  " + text_of(a, gap) + "\n";
  return text;
}

} // namespace rondo::report
