#pragma once

#include <nlohmann/json_fwd.hpp>

namespace bench {

// What a reader needs to judge the figures: processor, cores allowed, compiler, build, load.
nlohmann::json describe_machine();

// How many cores other programs kept busy since this was made: what they took, a bench's threads
// did not have. Counts all of the machine but this process and its ended children.
class others_watch {
public:
  others_watch();
  [[nodiscard]] double cores() const;

private:
  struct sample {
    double wall, machine, own;
  };
  static sample now();
  sample begin_;
};

} // namespace bench
