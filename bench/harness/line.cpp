#include "harness/line.hpp"

#include "harness/clock.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace bench {

line::value::value(bool x) : text_(nlohmann::json(x).dump()) {}
line::value::value(int x) : text_(nlohmann::json(x).dump()) {}
line::value::value(unsigned x) : text_(nlohmann::json(x).dump()) {}
line::value::value(long x) : text_(nlohmann::json(x).dump()) {}
line::value::value(unsigned long x) : text_(nlohmann::json(x).dump()) {}
line::value::value(double x) : text_(nlohmann::json(x).dump()) {}
line::value::value(const char* x) : text_(nlohmann::json(x).dump()) {}
line::value::value(const std::string& x) : text_(nlohmann::json(x).dump()) {}

line::line(std::initializer_list<entry> entries) {
  for(const entry& e : entries)
    values_[e.name] = e.is;
}

std::string line::text() const {
  std::string all = "{";
  for(const auto& [name, is] : values_) {
    if(all.size() != 1)
      all += ',';
    all += nlohmann::json(name).dump();
    all += ':';
    all += is.text();
  }
  all += '}';
  return all;
}

void report(
  line& to, const std::vector<double>& times, const std::string& name, double n, double known) {
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  to["us_per_" + name] = median(times) / n - known;
  to["us_per_" + name + "_min"] = *least / n - known;
  to["us_per_" + name + "_max"] = *most / n - known;
  to["reps"] = times.size();
}

} // namespace bench
