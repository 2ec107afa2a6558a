// A front of tasks that runs across a table: which pieces of two strands of DNA are alike?
//
//     09_wavefront [LENGTH [TILE [STRANDS]]]        (4000 250 4)
//
// The score of the best pieces that end at letter i of one strand and letter j of the other follows
// from those at (i - 1, j - 1), (i - 1, j) and (i, j - 1): the algorithm of Smith and Waterman. So
// the table is filled from one corner to the other, and what may be done at the same time is a
// diagonal, short at first, long in the middle, short in the end.
//
// A tile of the table needs the lower edge of the tile above it and the right edge of the one to
// its left, and leaves its own edges in the same places. Nothing else is said here: each task
// writes two regions. The front comes about by itself.
//
// The strand is compared with several others. Each comparison launches the same tasks, with other
// letters: a trace remembers them after the first one. Nobody waits in between, so in one corner the
// next table has begun while in the other one the last is not done.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <rondo/flow.hpp>
#include <rondo/options.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

constexpr int same = 2, different = -1, gap = -2;

/// The best pieces end at these letters, counted from 1; of equally good ones the first.
struct best_end {
  int score = 0;
  std::size_t i = 0, j = 0;
  bool operator==(const best_end&) const = default;
  bool is_better_than(const best_end& other) const {
    return std::tuple(-score, i, j) < std::tuple(-other.score, other.i, other.j);
  }
};
struct better {
  best_end identity(const best_end&) const { return {}; }
  void operator()(best_end& into, const best_end& part) const {
    if(part.is_better_than(into))
      into = part;
  }
};

/// The scores along an edge of a tile. A lower edge begins with that of the letter before the
/// tile.
using edge = std::vector<int>;

/// One tile: letters i0 + 1, ... of the first strand, which stand to its left, and j0 + 1, ... of
/// the second one, which stand above it.
void fill(edge& left, edge& above, best_end& best, std::string_view a, std::size_t i0,
  std::string_view b, std::size_t j0) {
  if(j0 == 0)
    std::fill(left.begin(), left.end(), 0);
  if(i0 == 0)
    std::fill(above.begin(), above.end(), 0);
  for(std::size_t i = 0; i != a.size(); ++i) {
    int diagonal = above[0];
    int before = above[0] = left[i];
    for(std::size_t j = 0; j != b.size(); ++j) {
      const int match = diagonal + (a[i] == b[j] ? same : different);
      diagonal = above[j + 1];
      before = above[j + 1] = std::max({0, match, diagonal + gap, before + gap});
      if(before > best.score)
        best = {before, i0 + i + 1, j0 + j + 1};
    }
    left[i] = before;
  }
}

/// The same without tiles.
best_end one_after_the_other(std::string_view a, std::string_view b) {
  best_end best;
  edge left(a.size()), above(b.size() + 1);
  fill(left, above, best, a, 0, b, 0);
  return best;
}

/// What the front pushes along: an edge for each row of tiles and one for each column.
class table {
public:
  table(rondo::flow& flow, std::size_t length, std::size_t tile)
      : flow_(flow), tile_(tile), best_region_(flow, best_, "best") {
    for(std::size_t k = 0; k < length; k += tile) {
      const std::size_t n = std::min(tile, length - k);
      left_.emplace_back(flow, n, "edge to the left");
      above_.emplace_back(flow, n + 1, "edge above");
    }
  }

  /// Launches all tiles, row by row, as a loop would fill them. Each task has a best end of its own;
  /// these are put together in the order of the launches.
  rondo::future<best_end> launch(std::string_view a, std::string_view b) {
    for(std::size_t i = 0; i != left_.size(); ++i)
      for(std::size_t j = 0; j != above_.size(); ++j)
        flow_.submit(fill, rondo::write(left_[i].at), rondo::write(above_[j].at),
          rondo::reduce(best_region_, better()), a.substr(i * tile_, tile_), i * tile_,
          b.substr(j * tile_, tile_), j * tile_);
    return flow_.submit(
      [](best_end& best) { return std::exchange(best, best_end()); }, rondo::write(best_region_));
  }
  std::size_t tiles() const { return left_.size() * above_.size(); }

private:
  struct kept_edge {
    kept_edge(rondo::flow& flow, std::size_t size, const char* name)
        : scores(size), at(flow, scores, name) {}
    edge scores;
    rondo::region<edge> at;
  };

  rondo::flow& flow_;
  std::size_t tile_;
  best_end best_;
  rondo::region<best_end> best_region_;
  std::deque<kept_edge> left_, above_; // stay where they are
};

// ---- strands ---------------------------------------------------------------------------------------

std::string random_strand(std::mt19937& random, std::size_t length) {
  std::string letters(length, ' ');
  for(char& c : letters)
    c = "ACGT"[random() % 4];
  return letters;
}

/// Another strand, with a piece of the first one somewhere, of which one letter in ten has changed.
std::string relative(std::mt19937& random, const std::string& of) {
  std::string letters = random_strand(random, of.size());
  const std::size_t n = of.size() / 8, from = random() % (of.size() - n + 1);
  const std::size_t to = random() % (of.size() - n + 1);
  for(std::size_t k = 0; k != n; ++k)
    if(random() % 10 != 0)
      letters[to + k] = of[from + k];
  return letters;
}

} // namespace

int main(int argc, char** argv) {
  std::size_t length = 4000, tile = 250, strands = 4;
  rondo::options o("Which pieces of two strands of DNA are alike?");
  o.argument("LENGTH", &length, "letters of a strand").between(1, 1'000'000);
  o.argument("TILE", &tile, "letters along each edge of a tile").between(1, 1'000'000);
  o.argument("STRANDS", &strands, "that the first one is compared with").between(1, 1'000);
  o.parse(argc, argv);

  std::mt19937 random(1); // the same numbers on any machine
  const std::string one = random_strand(random, length);
  std::vector<std::string> others;
  for(std::size_t k = 0; k != strands; ++k)
    others.push_back(relative(random, one));

  rondo::executor ex; // one worker for each core this process may use
  rondo::flow flow(ex);
  table scores(flow, length, tile);
  rondo::trace trace("comparison");
  std::vector<rondo::future<best_end>> found;
  for(const std::string& other : others) {
    auto guard = trace.make_guard();
    found.push_back(scores.launch(one, other));
  }
  flow.wait(); // only here

  for(std::size_t k = 0; k != strands; ++k) {
    const best_end& best = found[k].get();
    std::printf(
      "strand %zu: score %d, up to letters %zu and %zu\n", k + 1, best.score, best.i, best.j);
    if(best != one_after_the_other(one, others[k])) {
      std::fprintf(stderr, "without tiles it's another result: please report this\n");
      return EXIT_FAILURE;
    }
  }
  std::printf("tiles of each: %zu, on %u worker%s, with the result of the whole table\n%s",
    scores.tiles(), ex.workers(), ex.workers() == 1 ? "" : "s", trace.text().c_str());
}
