#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "costs.hpp"

namespace rondo::simulate {

using nlohmann::json;

namespace {

double number(double x, const char* what) {
  if(!std::isfinite(x) || x < 0)
    throw std::runtime_error(
      std::string("costs: ") + what + " is no number from 0 on: measure them again");
  return x;
}

double number(const json& j, const char* what) { return number(j.at(what).get<double>(), what); }

std::vector<double> sorted_numbers(const json& j, const char* what) {
  auto all = j.at(what).get<std::vector<double>>();
  if(all.empty())
    throw std::runtime_error(std::string("costs: there are no ") + what + ": measure them again");
  for(const double x : all)
    number(x, what);
  std::ranges::sort(all);
  return all;
}

} // namespace

// The parts: nobody else asks for them alone, so the header does without.

void to_json(json& j, const task_times& t) {
  j = {{"levels", t.levels}, {"spread", t.spread}, {"count", t.count}};
}
void from_json(const json& j, task_times& t) {
  t.levels = sorted_numbers(j, "levels");
  t.spread = sorted_numbers(j, "spread");
  t.count = j.at("count").get<std::uint64_t>();
}

void to_json(json& j, const launch_times& l) {
  j = {{"analysed", l.analysed}, {"replayed", l.replayed}};
}
void from_json(const json& j, launch_times& l) {
  l.analysed = number(j, "analysed");
  l.replayed = number(j, "replayed");
}

void to_json(json& j, const message_times& m) {
  j = {{"latency", m.latency}, {"per_byte", m.per_byte}, {"count", m.count}};
}
void from_json(const json& j, message_times& m) {
  m.latency = number(j, "latency");
  m.per_byte = number(j, "per_byte");
  m.count = j.at("count").get<std::uint64_t>();
}

void to_json(json& j, const costs& c) {
  j = {{"ranks", c.ranks}, {"workers", c.workers}, {"tasks", c.tasks}, {"launches", c.launches},
    {"any_launch", c.any_launch}, {"between_tasks", c.between_tasks},
    {"within_node", c.within_node}, {"between_nodes", c.between_nodes}, {"shared", c.shared}};
}
void from_json(const json& j, costs& c) {
  c.ranks = j.at("ranks").get<std::uint32_t>();
  c.workers = j.at("workers").get<std::uint32_t>();
  c.tasks = j.at("tasks").get<std::map<std::string, task_times>>();
  c.launches = j.at("launches").get<std::map<std::string, launch_times>>();
  c.any_launch = j.at("any_launch").get<launch_times>();
  c.between_tasks = number(j, "between_tasks");
  c.within_node = j.at("within_node").get<message_times>();
  c.between_nodes = j.at("between_nodes").get<message_times>();
  c.shared = number(j, "shared");
}

void to_json(json& j, const components& c) {
  j = {{"seconds", c.seconds}, {"computing", c.computing}, {"most_computing", c.most_computing},
    {"launching", c.launching}, {"in_runtime", c.in_runtime}, {"launches", c.launches},
    {"messages", c.messages}, {"bytes", c.bytes}};
}

} // namespace rondo::simulate
