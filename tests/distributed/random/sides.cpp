#include "sides.hpp"

namespace random_programs {

outcome run_alone(const plan& p) {
  return p.dimensions == 1   ? run_alone<1>(p)
         : p.dimensions == 2 ? run_alone<2>(p)
                             : run_alone<3>(p);
}

outcome run_together(const plan& p, rondo::scheduler& s, const std::string& folder) {
  return p.dimensions == 1   ? run_together<1>(p, s, folder)
         : p.dimensions == 2 ? run_together<2>(p, s, folder)
                             : run_together<3>(p, s, folder);
}

std::string difference(const outcome& expected, const outcome& seen, bool is_first_rank) {
  std::string text;
  const auto compare = [&text](const char* what, const std::vector<std::uint64_t>& a,
                         const std::vector<std::uint64_t>& b) {
    for(std::size_t i = 0; i != a.size() || i != b.size(); ++i)
      if(i == a.size() || i == b.size() || a[i] != b[i]) {
        text += std::string(" ") + what + " " + std::to_string(i) + " of " +
                std::to_string(a.size()) + " is different;";
        return;
      }
  };
  compare("field", expected.fields, seen.fields);
  compare("result", expected.looks, seen.looks);
  compare("number of passes", expected.passes, seen.passes);
  if(is_first_rank)
    compare("note", expected.log, seen.log);
  return text;
}

} // namespace random_programs
