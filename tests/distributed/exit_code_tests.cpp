// What is told of ranks that return different exit codes. See mpi/run_program.cpp for what they get.

#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/transports.hpp>

#include "exit_code.hpp"

using namespace rondo;

namespace {

std::string text_of(const std::vector<int>& codes) { return detail::text_of_exit_codes(codes); }

/// What each rank gets.
std::vector<int> agreed(const std::vector<int>& codes) {
  const auto transports = make_local_transports(static_cast<unsigned>(codes.size()));
  std::vector<int> all(codes.size());
  std::vector<std::thread> ranks;
  for(std::size_t r = 0; r != codes.size(); ++r)
    ranks.emplace_back([&, r] { all[r] = detail::agree_on_exit_code(*transports[r], codes[r]); });
  for(std::thread& r : ranks)
    r.join();
  return all;
}

} // namespace

TEST_CASE("exit codes are told with the ranks that have returned them") {
  CHECK(text_of({0, 1, 2}) == "0 (rank 0), 1 (rank 1), 2 (rank 2)");
  CHECK(text_of({3, 0}) == "3 (rank 0), 0 (rank 1)");
  CHECK(text_of({0, 0, -1, 0, 0, 0}) == "0 (ranks 0, 1, 3 to 5), -1 (rank 2)");
}

TEST_CASE("of many exit codes, or many ranks that have one, some are told") {
  CHECK(text_of({0, 1, 2, 3, 4, 5, 6, 7}) ==
        "0 (rank 0), 1 (rank 1), 2 (rank 2), 3 (rank 3), 4 (rank 4), 5 (rank 5), ...");
  CHECK(text_of({0, 9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9}) ==
        "0 (ranks 0, 2, 4, 6, 8, 10), 9 (ranks 1, 3, 5, 7, 9, 11)");
  CHECK(text_of({0, 9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9, 9}) ==
        "0 (ranks 0, 2, 4, 6, 8, 10, ...), 9 (ranks 1, 3, 5, 7, 9, 11, ...)");
}

TEST_CASE("ranks get the same exit code, the first that is not 0") {
  using codes = std::vector<int>;
  CHECK(agreed({5}) == codes{5});
  CHECK(agreed({0, 0, 0}) == codes{0, 0, 0});
  CHECK(agreed({4, 4}) == codes{4, 4});
  CHECK(agreed({0, 0, -6, 2, 0}) == codes{-6, -6, -6, -6, -6});
  CHECK(agreed({0, 0, 0, 0, 0, 0, 1}) == codes{1, 1, 1, 1, 1, 1, 1});
  CHECK(agreed({2, 0, 0, 0}) == codes{2, 2, 2, 2});
}
