#pragma once

/// \file
/// A mistake that one rank sees is thrown by all: so none of them waits for those that have thrown.

#include <stdexcept>
#include <string>
#include <vector>

#include <rondo/distributed/team.hpp>

namespace rondo::detail::inline meshes {

/// The words of the first rank that has found a mistake; empty if none has. Called by all ranks of the team.
[[nodiscard]] inline std::string first_mistake(team& all, const std::string& own) {
  const std::vector<std::vector<char>> out(all.ranks(), {own.begin(), own.end()});
  for(const std::vector<char>& said : all.swap_mail(out))
    if(!said.empty())
      return {said.begin(), said.end()};
  return {};
}

/// Does something on each rank; a std::runtime_error of one is thrown on all.
template<class F>
void do_on_all(team& all, const F& f) {
  std::string own;
  try {
    f();
  }
  catch(const std::runtime_error& e) {
    own = e.what();
  }
  if(const std::string what = first_mistake(all, own); !what.empty())
    throw std::runtime_error(what);
}

} // namespace rondo::detail::inline meshes
