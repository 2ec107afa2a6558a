#include "harness/report.hpp"

#include "harness/clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace bench {

double row::median() const { return bench::median(samples); }
double row::min() const { return *std::min_element(samples.begin(), samples.end()); }
double row::max() const { return *std::max_element(samples.begin(), samples.end()); }

nlohmann::json to_json(
  const std::string& name, const nlohmann::json& machine, const std::vector<row>& rows) {
  auto out = nlohmann::json::array();
  for(const auto& r : rows) {
    nlohmann::json j = {{"case", r.test}, {"system", r.system}, {"workers", r.workers},
      {"metric", r.metric}, {"unit", r.unit}};
    if(r.error.empty())
      j.update(
        {{"median", r.median()}, {"min", r.min()}, {"max", r.max()}, {"n", r.samples.size()}});
    else
      j.update(
        {{"median", nullptr}, {"min", nullptr}, {"max", nullptr}, {"n", 0}, {"failed", r.error}});
    out.push_back(std::move(j));
  }
  return {{"bench", name}, {"machine", machine}, {"rows", std::move(out)}};
}

namespace {

using block = std::vector<const row*>;

// Median of the best row of that role; NaN when there is none. A serial row counts for any number of workers.
double best(const block& rows, role who, unsigned workers) {
  double b = std::numeric_limits<double>::quiet_NaN();
  for(const row* r : rows)
    if(r->who == who && r->error.empty() && (r->workers == workers || who == role::serial))
      b = std::fmin(b, r->median());
  return b;
}

std::string ratio(double value, double reference) {
  return std::isnan(reference) || reference <= 0 ? "" : fmt::format("{:.3g}x", value / reference);
}

std::string number(double v) {
  return std::fabs(v) >= 1000 ? fmt::format("{:.0f}", v) : fmt::format("{:.3g}", v);
}

void print_block(const block& rows) {
  fmt::print("\n{}: {} [{}]\n", rows[0]->test, rows[0]->metric, rows[0]->unit);
  fmt::print("  {:<26} {:>7} {:>9} {:>9} {:>9} {:>3} {:>10} {:>9} {:>9}\n", "system", "workers",
    "median", "min", "max", "n", "/best peer", "/serial", "/tuned");
  for(const row* r : rows) {
    if(!r->error.empty()) {
      fmt::print("  {:<26} {:>7} FAILED: {}\n", r->system, r->workers, r->error);
      continue;
    }
    const double m = r->median();
    fmt::print("{} {:<26} {:>7} {:>9} {:>9} {:>9} {:>3} {:>10} {:>9} {:>9}\n",
      r->who == role::rondo ? '>' : ' ', r->system, r->workers, number(m), number(r->min()),
      number(r->max()), r->samples.size(), ratio(m, best(rows, role::peer, r->workers)),
      ratio(m, best(rows, role::serial, r->workers)),
      ratio(m, best(rows, role::tuned, r->workers)));
  }
}

} // namespace

void print_table(const std::vector<row>& rows) {
  std::vector<block> blocks;
  for(const auto& r : rows) {
    const auto same = [&](const block& b) {
      return b[0]->test == r.test && b[0]->metric == r.metric;
    };
    const auto at = std::find_if(blocks.begin(), blocks.end(), same);
    if(at == blocks.end())
      blocks.push_back({&r});
    else
      at->push_back(&r);
  }
  for(auto& b : blocks) {
    std::stable_sort(b.begin(), b.end(), [](const row* x, const row* y) {
      return std::pair(x->workers, static_cast<int>(x->who)) <
             std::pair(y->workers, static_cast<int>(y->who));
    });
    print_block(b);
  }
}

} // namespace bench
