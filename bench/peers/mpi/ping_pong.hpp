#pragma once

// What is measured of a message that goes back and forth between two ranks, whoever sends it.

#include "peers/mpi/program.hpp"

namespace bench::mpi {

// bounce(buffer, n): n round trips of the buffer, which begin at rank 0. Each round trip, rank 0 has to get
// back what it has sent.
template<class Bounce>
void ping_pong(
  int argc, char** argv, const world& w, const std::string& program, const Bounce& bounce) {
  int reps = 7;
  int round_trips = 1000;
  std::vector<std::size_t> sizes = {8, 64, 512, 1024, 4096, 8192, 16384, 65536};
  CLI::App app;
  app.add_option("--reps", reps, "repetitions, of which the median is reported")
    ->check(CLI::PositiveNumber);
  app.add_option("--round-trips", round_trips, "in each repetition")->check(CLI::PositiveNumber);
  app.add_option("--bytes", sizes, "of the messages, e.g. 8,65536")->delimiter(',');
  app.parse(argc, argv);
  if(w.size != 2)
    throw std::runtime_error("ping-pong is for two ranks");

  nlohmann::json line = {{"program", program}, {"ranks", w.size}, {"round_trips", round_trips}};
  for(const std::size_t bytes : sizes) {
    std::vector<char> buffer(bytes);
    for(std::size_t k = 0; k < bytes; ++k)
      buffer[k] = w.rank == 0 ? static_cast<char>(k * 7 + 1) : 0;
    const std::vector<char> sent = buffer;
    stopwatch time;
    bounce(buffer, round_trips / 10 + 1);
    for(int rep = 0; rep < reps; ++rep)
      time.measure([&] { bounce(buffer, round_trips); });
    if(w.rank == 0 && buffer != sent)
      throw std::runtime_error("what came back is not what was sent");
    time.report(line, std::to_string(bytes) + "_bytes", 2.0 * round_trips);
  }
  print(w, line);
}

} // namespace bench::mpi
