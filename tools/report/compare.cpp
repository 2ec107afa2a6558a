#include "compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>

namespace rondo::report {

namespace {

/// "20 % less" of what it was.
std::string change(double before, double after) {
  if(before <= 0)
    return after <= 0 ? "the same" : "new";
  const double by = after / before - 1;
  if(std::abs(by) < 0.005)
    return "the same";
  std::array<char, 40> text{};
  if(by > 1)
    std::snprintf(text.data(), text.size(), "%.1f times as much", after / before);
  else
    std::snprintf(
      text.data(), text.size(), "%.0f %% %s", 100 * std::abs(by), by < 0 ? "less" : "more");
  return text.data();
}

} // namespace

comparison compared(const analysis& before, const analysis& after) {
  comparison c;
  c.before = before.run.program;
  c.seconds_before = before.seconds();
  std::map<std::string, changed_row> rows;
  const analysis* const runs[] = {&before, &after};
  for(std::size_t i = 0; i != 2; ++i)
    for(const table_row& r : runs[i]->table) {
      changed_row& row = rows[runs[i]->spans.sites[r.site].name];
      row.count[i] += static_cast<double>(r.count);
      row.total[i] += r.total;
      row.share[i] += r.share;
    }
  for(auto& [name, row] : rows) {
    row.name = name;
    for(std::size_t i = 0; i != 2; ++i)
      row.mean[i] = row.total[i] / std::max(1.0, row.count[i]);
    c.rows.push_back(row);
  }
  std::ranges::stable_sort(
    c.rows, std::greater(), [](const changed_row& r) { return std::abs(r.total[1] - r.total[0]); });

  c.words.push_back("The run took " + duration(after.seconds()) + " in place of " +
                    duration(before.seconds()) + ": " + change(before.seconds(), after.seconds()) +
                    ".");
  for(const changed_row& r : c.rows) {
    // What changed the time of all workers by a hundredth.
    const double workers = after.efficiencies.parallel > 0 ? after.seconds() : 1;
    if(c.words.size() == 5 || std::abs(r.total[1] - r.total[0]) < 0.01 * workers)
      break;
    c.words.push_back(r.name + " took " + duration(r.total[1]) + " in place of " +
                      duration(r.total[0]) + " (" + change(r.total[0], r.total[1]) +
                      "); each of them " + change(r.mean[0], r.mean[1]) + ".");
  }
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
    "Parallel efficiency %.2f in place of %.2f; transfer %.2f in place of %.2f.",
    after.efficiencies.parallel, before.efficiencies.parallel, after.efficiencies.transfer,
    before.efficiencies.transfer);
  c.words.emplace_back(text.data());
  return c;
}

std::string text_of(const comparison& c, const analysis& after) {
  std::string text = "before: " + c.before + "\nafter:  " + after.run.program + "\n\n";
  for(const std::string& sentence : c.words)
    text += sentence + "\n";
  text +=
    "\ntask                                        count            total               mean\n";
  for(const changed_row& r : c.rows) {
    std::array<char, 200> line{};
    std::snprintf(line.data(), line.size(), "  %-36s %6.0f %6.0f  %8s %8s  %8s %8s\n",
      r.name.c_str(), r.count[0], r.count[1], duration(r.total[0]).c_str(),
      duration(r.total[1]).c_str(), duration(r.mean[0]).c_str(), duration(r.mean[1]).c_str());
    text += line.data();
  }
  return text;
}

} // namespace rondo::report
