#include "costs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <rondo/distributed/bisection.hpp>
#include <rondo/distributed/broadcast_steps.hpp>
#include <rondo/distributed/color_grid.hpp>
#include <rondo/distributed/color_moves.hpp>
#include <rondo/distributed/coloring.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/distributed/reduction_steps.hpp>
#include <rondo/distributed/reduction_tree.hpp>
#include <rondo/distributed/structured_points.hpp>

#include "../meshes.hpp"

namespace scaling {

using namespace rondo;

namespace {

constexpr unsigned workers = 4;
constexpr unsigned most_looked_at = 100; ///< Ranks; all of them would take minutes.
/// Of an end of a channel, with messages of so many bytes, on another node than the other end: channel.cpp.
constexpr std::uint64_t buffers_of_end(std::uint64_t bytes) { return bytes <= 1024 ? 2 : 1; }

template<std::size_t D>
std::int64_t side_of(unsigned ranks) {
  constexpr std::int64_t of_rank = D == 2 ? 1024 : 64;
  std::int64_t points = ranks, side = 0;
  for(std::size_t a = 0; a != D; ++a)
    points *= of_rank;
  const auto power = [](std::int64_t n) { return D == 2 ? n * n : n * n * n; };
  for(std::int64_t step = std::int64_t{1} << 20U; step != 0; step /= 2)
    if(power(side + step) <= points)
      side += step;
  return side;
}

std::uint64_t bytes_of(const exchange_plan& plan) {
  std::uint64_t bytes = plan.copies.size() * sizeof(exchange_plan::copy);
  for(const auto* const messages : {&plan.incoming, &plan.outgoing})
    for(const exchange_plan::message& m : *messages)
      bytes += sizeof(m) + m.parts.size() * sizeof(exchange_plan::part);
  return bytes;
}

void add_messages(costs& most, const exchange_plan& plan) {
  std::vector<unsigned> peers;
  std::uint64_t sent = 0, kept = 0;
  const auto bytes_of_message = [](const exchange_plan::message& m) {
    return static_cast<std::uint64_t>(m.size) * sizeof(double);
  };
  for(const auto& m : plan.outgoing)
    sent += bytes_of_message(m);
  for(const auto* const messages : {&plan.incoming, &plan.outgoing})
    for(const exchange_plan::message& m : *messages) {
      peers.push_back(m.peer);
      kept += buffers_of_end(bytes_of_message(m)) * bytes_of_message(m);
    }
  std::sort(peers.begin(), peers.end());
  const auto end = std::unique(peers.begin(), peers.end());
  most.neighbours = std::max(most.neighbours, static_cast<std::uint64_t>(end - peers.begin()));
  most.messages = std::max<std::uint64_t>(most.messages, plan.outgoing.size());
  most.bytes_sent = std::max(most.bytes_sent, sent);
  most.channel_bytes = std::max(most.channel_bytes, kept);
  most.plan_bytes = std::max(most.plan_bytes, bytes_of(plan));
  most.looked_at = std::max(most.looked_at, plan.looked_at);
}

template<std::size_t D>
costs costs_in(unsigned ranks) {
  structured_shape<D> shape;
  shape.extents.fill(side_of<D>(ranks));
  shape.colors = default_color_grid(shape, ranks, workers);
  const structured_coloring<D> mesh(shape);
  const detail::structured_points<D> points(mesh);
  const distribution who = mesh.over(ranks);
  costs most;
  most.colors_mean = static_cast<double>(mesh.colors()) / ranks;
  const detail::bisection cut(detail::cut_mesh::of(shape.extents, shape.colors), shape.halo, ranks);
  most.kinds = cut.kinds();
  most.colors = cut.most_colors();
  most.partition_bytes = cut.bytes() + most.colors * sizeof(color_id);
  most.reduction_bytes = partial<double>::bytes(mesh.colors());

  const unsigned looked_at = std::min(ranks, most_looked_at);
  for(unsigned i = 0; i != looked_at; ++i) {
    const auto rank = ranks == looked_at ? i : static_cast<unsigned>(meshes::mix(ranks, i) % ranks);
    const detail::partition of(who, rank);
    add_messages(most, plan_exchange(of, points));
    most.reads_in_place =
      most.reads_in_place && (of.local_colors() < 2 || points.together(of.mine()).has_value());
    const detail::color_moves moves = of.moves();
    most.values_moved = std::max<std::uint64_t>(most.values_moved, moves.outgoing.size());
    most.reduction_steps = std::max<std::uint64_t>(most.reduction_steps, of.steps().size());
  }
  most.broadcast_by_root = broadcast_steps(0, ranks).size();
  for(unsigned rank = ranks - 1; rank != 0; rank &= rank - 1)
    ++most.broadcast_steps;
  most.broadcast_steps = std::max(most.broadcast_steps, most.broadcast_by_root);
  return most;
}

std::string in_kib(std::uint64_t bytes) { return std::to_string((bytes + 1023) / 1024) + " KiB"; }

/// With two digits.
std::string fixed(double x) {
  const auto hundredths = static_cast<std::uint64_t>(x * 100 + 0.5);
  const std::string digits = std::to_string(100 + hundredths % 100);
  return std::to_string(hundredths / 100) + "." + digits.substr(1);
}

struct row {
  const char* name;
  std::function<std::string(const costs&)> value;
};

std::string number(std::uint64_t n) { return std::to_string(n); }

const std::array rows{
  row{"colors, mean", [](const costs& c) { return fixed(c.colors_mean); }},
  row{"colors, most", [](const costs& c) { return number(c.colors); }},
  row{"neighbours are read in place",
    [](const costs& c) { return std::string(c.reads_in_place ? "yes" : "no"); }},
  row{"neighbour ranks", [](const costs& c) { return number(c.neighbours); }},
  row{"messages sent, ghosts of a field", [](const costs& c) { return number(c.messages); }},
  row{"bytes sent in these", [](const costs& c) { return in_kib(c.bytes_sent); }},
  row{"memory: partition", [](const costs& c) { return in_kib(c.partition_bytes); }},
  row{"memory: plan", [](const costs& c) { return in_kib(c.plan_bytes); }},
  row{"memory: channels of a field", [](const costs& c) { return in_kib(c.channel_bytes); }},
  row{"set-up: kinds of pieces cut", [](const costs& c) { return number(c.kinds); }},
  row{"set-up: neighbours of colors looked at", [](const costs& c) { return number(c.looked_at); }},
  row{"reduction: steps", [](const costs& c) { return number(c.reduction_steps); }},
  row{"reduction: messages before these", [](const costs& c) { return number(c.values_moved); }},
  row{"reduction: bytes of a message", [](const costs& c) { return number(c.reduction_bytes); }},
  row{"value from rank 0: steps", [](const costs& c) { return number(c.broadcast_steps); }},
};

} // namespace

costs costs_of(unsigned dimensions, unsigned ranks) {
  return dimensions == 2 ? costs_in<2>(ranks) : costs_in<3>(ranks);
}

std::string table() {
  constexpr std::array ranks{1000U, 10'000U, 99'991U, 100'000U};
  std::string text;
  for(const unsigned dimensions : {2U, 3U}) {
    std::vector<costs> all;
    text += "| " + std::to_string(dimensions) + "D";
    for(const unsigned n : ranks) {
      all.push_back(costs_of(dimensions, n));
      text += " | " + std::to_string(n) + " ranks";
    }
    text += " |\n|---|---|---|---|---|\n";
    for(const row& r : rows) {
      text += std::string("| ") + r.name;
      for(const costs& c : all)
        text += " | " + r.value(c);
      text += " |\n";
    }
    text += '\n';
  }
  text.pop_back();
  return text;
}

} // namespace scaling
