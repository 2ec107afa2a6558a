#include "forkjoin/problems.hpp"

namespace bench::forkjoin {

namespace {

// Looks at all pairs, as the published versions of this benchmark do.
bool no_queen_attacks(const board& b, int rows) {
  for(int i = 0; i < rows; ++i)
    for(int j = i + 1; j < rows; ++j) {
      const int d = b[j] - b[i];
      if(d == 0 || d == j - i || d == i - j)
        return false;
    }
  return true;
}

} // namespace

int placements(const board& b, int row, int size, std::array<board, 16>& next) {
  int count = 0;
  for(int column = 0; column < size; ++column) {
    next[count] = b;
    next[count][row] = static_cast<signed char>(column);
    if(no_queen_attacks(next[count], row + 1))
      ++count;
  }
  return count;
}

} // namespace bench::forkjoin
