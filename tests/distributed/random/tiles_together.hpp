#pragma once

/// \file
/// What random programs do with unstructured meshes, with a scheduler.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rondo/unstructured.hpp>

#include "plan.hpp"
#include "tiling.hpp"

namespace random_programs {

class tiles_together {
public:
  /// `file`: for what is saved; it is written once at the beginning. If it is empty nothing is.
  tiles_together(rondo::scheduler& s, const tiling& t, std::string file);
  ~tiles_together();
  tiles_together(const tiles_together&) = delete;
  tiles_together& operator=(const tiles_together&) = delete;

  /// `Given`: a number, a future, or the number of the pass. Returns the result of reductions.
  template<class Given>
  std::optional<rondo::future<std::uint64_t>> launch(
    const op& o, std::uint64_t id, const Given& given);
  std::vector<rondo::future<std::uint64_t>> digests();
  [[nodiscard]] const rondo::topology& cells() const;

private:
  struct parts;

  void save();
  void load(const op& o);

  rondo::scheduler& scheduler_;
  const std::string file_;
  std::unique_ptr<parts> parts_;
};

} // namespace random_programs
