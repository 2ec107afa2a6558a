// What a network is like, as a file says it.

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "play/network.hpp"

using namespace rondo::simulate;
using nlohmann::json;

namespace {

json good() {
  return json::parse(R"({"name": "n", "source": "s", "ranks_per_node": 4,
    "within_node": {"latency": 500, "per_message": 100.5, "per_byte": 0.25},
    "between_nodes": {"latency": 1500, "per_message": 200, "per_byte": 0.125},
    "per_message_of_card": 50})");
}

std::string error_of(const json& j) {
  try {
    network_from(j);
  }
  catch(const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST_CASE("a network is read") {
  const network n = network_from(good());
  CHECK(n.name == "n");
  CHECK(n.source == "s");
  CHECK(n.ranks_per_node == 4);
  CHECK(n.within_node.latency == 500);
  CHECK(n.within_node.per_message == 100.5);
  CHECK(n.within_node.per_byte == 0.25);
  CHECK(n.between_nodes.latency == 1500);
  CHECK(n.between_nodes.per_message == 200);
  CHECK(n.between_nodes.per_byte == 0.125);
  CHECK(n.per_message_of_card == 50);
  CHECK(json(n) == good());
}

TEST_CASE("what is missing is named, and what is expected") {
  const json all = good();
  for(const auto& [name, value] : all.items()) {
    json j = good();
    j.erase(name);
    CHECK_THAT(error_of(j), Catch::Contains("the network's " + name + " is missing: it is a"));
  }
  for(const char* const where : {"within_node", "between_nodes"})
    for(const char* const name : {"latency", "per_message", "per_byte"}) {
      json j = good();
      j[where].erase(name);
      CHECK(error_of(j) == "the network's " + std::string(where) + '.' + name +
                             " is missing: it is a number of nanoseconds from 0 to 1e12");
    }
}

TEST_CASE("names that are not known are refused") {
  json j = good();
  j["latency"] = 1;
  CHECK_THAT(error_of(j), Catch::Contains("the network's latency is not known: there are name, "));
  j = good();
  j["within_node"]["Latency"] = 1;
  CHECK(error_of(j) == "the network's within_node.Latency is not known: there are latency, "
                       "per_message, per_byte");
}

TEST_CASE("values that can't be are refused") {
  const auto with = [](const char* pointer, const json& value) {
    json j = good();
    j[json::json_pointer(pointer)] = value;
    return error_of(j);
  };
  CHECK(with("/within_node/latency", -1) == "the network's within_node.latency is -1, but must be "
                                            "a number of nanoseconds from 0 to 1e12");
  CHECK(with("/within_node/latency", 0).empty());
  CHECK_FALSE(with("/between_nodes/per_byte", "fast").empty());
  CHECK_FALSE(with("/between_nodes/per_byte", nullptr).empty());
  CHECK_FALSE(with("/between_nodes/per_byte", 1e13).empty());
  CHECK_FALSE(with("/per_message_of_card", -0.5).empty());
  CHECK(with("/ranks_per_node", 0).empty());
  CHECK(with("/ranks_per_node", 1.5) ==
        "the network's ranks_per_node is 1.5, but must be a whole number from 0 to 4294967295");
  CHECK_FALSE(with("/ranks_per_node", -1).empty());
  CHECK_FALSE(with("/ranks_per_node", 4294967296).empty());
  CHECK_FALSE(with("/name", 1).empty());
  CHECK(with("/within_node", 1) == "the network's within_node must be an object with the fields "
                                   "latency, per_message, per_byte");
  CHECK_THAT(error_of(json::array()), Catch::Contains("a network must be an object"));
}
