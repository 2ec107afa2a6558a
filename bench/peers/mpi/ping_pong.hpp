#pragma once

// What is measured of a message that goes back and forth between two ranks, whatever sends it.

#include "peers/mpi/program.hpp"

#include <utility>

namespace bench::mpi {

struct ping_pong_options {
  int reps = 7;
  int round_trips = 1000;
  std::vector<std::size_t> sizes = {8, 64, 512, 1024, 4096, 8192, 16384, 65536};
  bool both_ways = false;
};

// Before the ranks look for each other: on one rank there is help as well.
inline ping_pong_options read_ping_pong_options(int argc, char** argv, const world& w) {
  ping_pong_options o;
  arguments args;
  args.add("--reps", o.reps, "repetitions, of which the median is reported").positive();
  args.add("--round-trips", o.round_trips, "in each repetition").positive();
  args.add("--bytes", o.sizes, "of the messages, e.g. 8,65536").delimiter(',');
  args.add_flag("--both-ways", o.both_ways, "both ranks send at the same time");
  args.parse(argc, argv);
  if(w.size != 2)
    throw std::runtime_error("ping-pong is for two ranks");
  return o;
}

// How to move it is said by what is handed over:
//
//   send(buffer), receive(buffer)   which return when that is done
//   exchange(out, in)               both at the same time
//
// Half of a round trip is one message; with --both-ways it is one in each direction, as in an exchange of
// halos. What has come back has to be what was sent.
template<class Messages>
void ping_pong(
  const ping_pong_options& o, const world& w, const std::string& program, Messages& messages) {
  const auto bounce = [&](std::vector<char>& buffer, int n) {
    for(int k = 0; k < n; ++k) {
      if(w.rank == 0)
        messages.send(buffer);
      messages.receive(buffer);
      if(w.rank == 1)
        messages.send(buffer);
    }
  };
  const auto swap = [&](std::vector<char>& buffer, int n) {
    std::vector<char> other(buffer.size());
    for(int k = 0; k < 2 * n; ++k) {
      messages.exchange(buffer, other);
      std::swap(buffer, other);
    }
  };
  const auto round_trips_of = [&](std::vector<char>& buffer, int n) {
    o.both_ways ? swap(buffer, n) : bounce(buffer, n);
  };
  bench::line line = {{"program", o.both_ways ? program + ", both ways" : program},
    {"ranks", w.size}, {"round_trips", o.round_trips}};
  for(const std::size_t bytes : o.sizes) {
    std::vector<char> buffer(bytes);
    for(std::size_t k = 0; k < bytes; ++k)
      buffer[k] = static_cast<char>(k * 7 + 1 + static_cast<std::size_t>(w.rank));
    const std::vector<char> sent = buffer;
    stopwatch time;
    round_trips_of(buffer, o.round_trips / 10 + 1);
    for(int rep = 0; rep < o.reps; ++rep)
      time.measure([&] { round_trips_of(buffer, o.round_trips); });
    if((w.rank == 0 || o.both_ways) && buffer != sent)
      throw std::runtime_error("what came back is not what was sent");
    time.report(line, std::to_string(bytes) + "_bytes", 2.0 * o.round_trips);
  }
  print(w, line);
}

} // namespace bench::mpi
