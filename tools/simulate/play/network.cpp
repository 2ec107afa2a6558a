#include "network.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

namespace rondo::simulate {

namespace {

/// Far above each time that a message takes, and far below what the clock of a simulation can count: a quarter of an hour.
constexpr double longest_time = 1e12;

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw std::runtime_error("the network's " + name + " " + what);
}

/// An object of JSON with no other fields than these, each of which is there.
class fields {
public:
  fields(
    const nlohmann::json& j, const std::string& name, std::initializer_list<std::string_view> names)
      : json_(j), prefix_(name.empty() ? "" : name + '.') {
    std::string all;
    for(const std::string_view n : names)
      all.append(all.empty() ? "" : ", ").append(n);
    if(!j.is_object()) {
      const std::string expected = "must be an object with the fields " + all;
      if(name.empty())
        throw std::runtime_error("a network " + expected);
      refuse(name, expected);
    }
    for(const auto& [key, value] : j.items())
      if(std::ranges::find(names, key) == names.end())
        refuse(prefix_ + key, "is not known: there are " + all);
  }

  [[nodiscard]] const nlohmann::json& at(const std::string& name, const char* expected) const {
    const auto at = json_.find(name);
    if(at == json_.end())
      refuse(prefix_ + name, std::string("is missing: it is ") + expected);
    return *at;
  }

  [[nodiscard]] std::string text(const std::string& name) const {
    constexpr auto expected = "a text";
    const nlohmann::json& value = at(name, expected);
    if(!value.is_string())
      refuse(prefix_ + name, "is " + value.dump() + ", but must be " + expected);
    return value.get<std::string>();
  }

  /// Nanoseconds.
  [[nodiscard]] double time(const std::string& name) const {
    constexpr auto expected = "a number of nanoseconds from 0 to 1e12";
    const nlohmann::json& value = at(name, expected);
    const double x = value.is_number() ? value.get<double>() : -1;
    if(!(x >= 0 && x <= longest_time)) // nor is it no number
      refuse(prefix_ + name, "is " + value.dump() + ", but must be " + expected);
    return x;
  }

  [[nodiscard]] std::uint32_t count(const std::string& name) const {
    constexpr auto expected = "a whole number from 0 to 4294967295";
    const nlohmann::json& value = at(name, expected);
    const double x = value.is_number_integer() ? value.get<double>() : -1;
    if(!(x >= 0 && x <= UINT32_MAX))
      refuse(prefix_ + name, "is " + value.dump() + ", but must be " + expected);
    return value.get<std::uint32_t>();
  }

private:
  const nlohmann::json& json_;
  std::string prefix_;
};

link link_from(const nlohmann::json& j, const std::string& name) {
  const fields f(j, name, {"latency", "per_message", "per_byte"});
  return {f.time("latency"), f.time("per_message"), f.time("per_byte")};
}

nlohmann::json json_of(const link& l) {
  return {{"latency", l.latency}, {"per_message", l.per_message}, {"per_byte", l.per_byte}};
}

} // namespace

network network_from(const nlohmann::json& j) {
  const fields f(j, "",
    {"name", "source", "ranks_per_node", "within_node", "between_nodes", "per_message_of_card"});
  constexpr auto link_fields = "an object with the fields latency, per_message, per_byte";
  network n;
  n.name = f.text("name");
  n.source = f.text("source");
  n.ranks_per_node = f.count("ranks_per_node");
  n.within_node = link_from(f.at("within_node", link_fields), "within_node");
  n.between_nodes = link_from(f.at("between_nodes", link_fields), "between_nodes");
  n.per_message_of_card = f.time("per_message_of_card");
  return n;
}

void to_json(nlohmann::json& j, const network& n) {
  j = {{"name", n.name}, {"source", n.source}, {"ranks_per_node", n.ranks_per_node},
    {"within_node", json_of(n.within_node)}, {"between_nodes", json_of(n.between_nodes)},
    {"per_message_of_card", n.per_message_of_card}};
}

} // namespace rondo::simulate
