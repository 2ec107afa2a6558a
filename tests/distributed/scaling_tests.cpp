// What a rank pays, and that docs/scaling.md says so.

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include "scaling/costs.hpp"

#include <catch2/catch.hpp>

TEST_CASE("the table of docs/scaling.md is what the plans say") {
  std::ifstream file(RONDO_SOURCE_DIR "/docs/scaling.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string table = scaling::table();
  INFO("costs_program prints:\n" << table);
  CHECK(text.str().find(table) != std::string::npos);
}

TEST_CASE("what a rank pays does not grow with the number of ranks, or as its logarithm") {
  for(const unsigned dimensions : {2U, 3U}) {
    const scaling::costs few = scaling::costs_of(dimensions, 1000);
    const scaling::costs many = scaling::costs_of(dimensions, 1'000'000);
    CAPTURE(dimensions);
    CHECK(few.reads_in_place);
    CHECK(many.reads_in_place);
    CHECK(many.neighbours <= 2 * few.neighbours);
    CHECK(many.bytes_sent <= 2 * few.bytes_sent);
    CHECK(many.plan_bytes <= 2 * few.plan_bytes);
    CHECK(many.channel_bytes <= 2 * few.channel_bytes);
    CHECK(many.looked_at <= 2 * few.looked_at);
    CHECK(many.partition_bytes <= 256U << 10U);
    CHECK(many.reduction_steps <= few.reduction_steps + 12);
    CHECK(many.values_moved <= 2 * few.values_moved + 8);
    CHECK(many.broadcast_steps <= few.broadcast_steps + 12);
  }
}
