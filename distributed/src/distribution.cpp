#include <rondo/distributed/distribution.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <rondo/distributed/bisection.hpp>
#include <rondo/distributed/color_numbers.hpp>

namespace rondo {

struct distribution::boxes {
  detail::cut_mesh mesh;
  detail::bisection of_ranks;
};

distribution::distribution(const detail::cut_mesh& mesh, std::int64_t halo, unsigned ranks)
    : colors_(mesh.size()), ranks_(ranks),
      boxes_(std::make_shared<const boxes>(mesh, detail::bisection(mesh, halo, ranks))) {}

distribution::distribution(std::vector<color_id> begins)
    : colors_(begins.back()), ranks_(static_cast<unsigned>(begins.size() - 1)),
      begins_(std::make_shared<const std::vector<color_id>>(std::move(begins))) {}

color_set distribution::of(unsigned rank) const {
  if(begins_ != nullptr)
    return color_set(color_range{(*begins_)[rank], (*begins_)[rank + 1]});
  if(boxes_ == nullptr)
    return color_set(share_of_rank(rank));
  std::vector<color_id> colors;
  const box<3> mine = boxes_->of_ranks.of(rank);
  colors.reserve(static_cast<std::size_t>(mine.size()));
  mine.for_each_row([&](point<3> place, std::int64_t length) {
    for(const std::int64_t end = place[0] + length; place[0] != end; ++place[0])
      colors.push_back(number_at(boxes_->mesh, place));
  });
  return color_set(std::move(colors));
}

unsigned distribution::rank_of(color_id color) const {
  if(begins_ != nullptr) // the last range that begins no later: those before it may be empty
    return static_cast<unsigned>(
      std::upper_bound(begins_->begin(), begins_->end(), color) - begins_->begin() - 1);
  if(boxes_ == nullptr)
    return sees_to(color);
  return boxes_->of_ranks.rank_at(place_of(boxes_->mesh, color));
}

} // namespace rondo
