#pragma once

// The work of the loops: fields that shrink from pass to pass until they are small enough. How many
// passes that takes is known when it has happened.

#include <array>
#include <cstdint>
#include <vector>

namespace bench::loop {

struct alignas(64) field {
  std::array<double, 8> x;
};

struct alignas(64) norm {
  double value = 0;
};

class problem {
public:
  // Each task takes `microseconds`, measured here; about `passes` passes until it is over.
  problem(unsigned blocks, double microseconds, unsigned passes);

  // As in the beginning.
  void reset();

  // The tasks of a pass: relax(u[b], v[b]), relax(v[b], u[b]) and the residual of u[b], for each
  // block. With one block the residual answers by itself.
  void relax(const field& from, field& to) const;
  [[nodiscard]] norm residual(const field& of) const;
  [[nodiscard]] bool is_enough(const norm& n) const { return n.value < enough_; }
  [[nodiscard]] bool is_enough(const norm& a, const norm& b, const norm& c, const norm& d) const;

  // One pass without any runtime. Returns true if that is enough.
  bool pass();

  [[nodiscard]] unsigned blocks() const { return static_cast<unsigned>(u.size()); }

  std::vector<field> u, v;
  std::vector<norm> r;

private:
  unsigned rounds_ = 0;
  double shrink_;
  double enough_;
};

constexpr unsigned most_blocks = 4; // and otherwise one

} // namespace bench::loop
