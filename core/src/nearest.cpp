#include <rondo/core/nearest.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace rondo::detail::inline core {

namespace {

/// How many letters have to be changed, added, or left out (Levenshtein); case doesn't matter.
std::size_t distance(std::string_view a, std::string_view b) {
  const auto is_same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::size_t> row(b.size() + 1); // from the first i letters of a to the first j of b
  for(std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for(std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for(std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (is_same(a[i - 1], b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

} // namespace

std::string_view nearest(std::string_view misspelled, std::span<const std::string_view> words) {
  std::string_view found;
  std::size_t least = std::size_t(-1);
  for(const auto word : words)
    if(const std::size_t d = distance(misspelled, word); d < least) {
      least = d;
      found = word;
    }
  return least < found.size() ? found : std::string_view();
}

std::string list_and_guess(std::string_view misspelled, std::span<const std::string_view> words) {
  std::string list;
  for(const auto word : words)
    list.append(list.empty() ? "" : ", ").append(word);
  if(const std::string_view found = nearest(misspelled, words); !found.empty())
    list.append("; did you mean ").append(found).append("?");
  return list;
}

} // namespace rondo::detail::inline core
