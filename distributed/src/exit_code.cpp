#include "exit_code.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "agree.hpp"
#include "direct.hpp"
#include "failure.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// More codes, or more pieces of the ranks that have one, are only hinted at.
constexpr std::size_t most_told = 6;

/// Ranks one after the other that have the same code.
struct ranks_of_code {
  std::size_t first;
  std::size_t last;
};
struct told_code {
  int code;
  std::vector<ranks_of_code> ranks;
};

/// In the order in which ranks have them first.
std::vector<told_code> told_codes(std::span<const int> of_ranks) {
  std::vector<told_code> all;
  for(std::size_t rank = 0; rank != of_ranks.size(); ++rank) {
    const int code = of_ranks[rank];
    auto found =
      std::find_if(all.begin(), all.end(), [code](const told_code& c) { return c.code == code; });
    if(found == all.end())
      found = all.insert(all.end(), {code, {}});
    if(!found->ranks.empty() && found->ranks.back().last + 1 == rank)
      found->ranks.back().last = rank;
    else
      found->ranks.push_back({rank, rank});
  }
  return all;
}

/// `add(element)` for each of them, with commas, as long as there are not too many.
template<class T, class F>
void add_list(std::string& text, const std::vector<T>& all, F&& add) {
  for(std::size_t k = 0; k != all.size(); ++k) {
    if(k != 0)
      text += ", ";
    if(k == most_told) {
      text += "...";
      return;
    }
    add(all[k]);
  }
}

std::vector<int> codes_of_ranks(transport& t, int own) {
  std::vector<int> all;
  for(const std::vector<std::byte>& bytes :
    collect_on_first(t, std::as_bytes(std::span(&own, 1)))) {
    int code = 0;
    std::memcpy(&code, bytes.data(), sizeof code);
    all.push_back(code);
  }
  return all;
}

} // namespace

std::string text_of_exit_codes(std::span<const int> of_ranks) {
  std::string text;
  add_list(text, told_codes(of_ranks), [&text](const told_code& c) {
    text += std::to_string(c.code);
    const bool is_one = c.ranks.size() == 1 && c.ranks.front().first == c.ranks.front().last;
    text += is_one ? " (rank " : " (ranks ";
    add_list(text, c.ranks, [&text](const ranks_of_code& r) {
      text += std::to_string(r.first);
      if(r.last != r.first)
        text += (r.last == r.first + 1 ? ", " : " to ") + std::to_string(r.last);
    });
    text += ')';
  });
  return text;
}

int agree_on_exit_code(transport& t, int own) {
  constexpr std::uint64_t all_is_well = 1;
  if(t.ranks() == 1 || agree_on_least(t, own == 0 ? all_is_well : 0) == all_is_well)
    return own;
  // Nobody goes on before rank 0 has told it, since launchers end all ranks as soon as one has ended with such a code.
  int of_all = own;
  if(const std::vector<int> codes = codes_of_ranks(t, own); !codes.empty()) {
    of_all = *std::find_if(codes.begin(), codes.end(), [](int code) { return code != 0; });
    if(std::any_of(codes.begin(), codes.end(), [own](int code) { return code != own; })) {
      std::string what = "ranks return different exit codes, ";
      what += text_of_exit_codes(codes);
      what += ", so run returns ";
      what += std::to_string(of_all);
      what += " on all of them; return the same on all ranks, such as what was reduced "
              "(docs/mistakes.md)";
      tell(t, what);
    }
  }
  return static_cast<int>(told_by_first(t, of_all));
}

} // namespace rondo::detail::inline distributed
