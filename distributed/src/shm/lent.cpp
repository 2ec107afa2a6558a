#include "lent.hpp"

namespace rondo::detail::inline distributed {

lending_office::loan lending_office::find(std::size_t bytes) {
  const std::size_t size = size_for(bytes);
  collect();
  // Fields that come after others mostly have the same sizes.
  if(const auto found = free_.lower_bound(size); found != free_.end() && found->first <= 2 * size) {
    const loan l{found->second, found->first};
    free_.erase(found);
    return l;
  }
  if(size > end_ - next_)
    return {};
  const loan l{next_, size};
  next_ += size;
  return l;
}

void lending_office::collect() {
  std::erase_if(dropped_, [this](const loan& l) {
    const bool is_back = reinterpret_cast<lent_memory*>(memory_.at(l.place))->is_back();
    if(is_back)
      free_.emplace(l.size, l.place);
    return is_back;
  });
}

} // namespace rondo::detail::inline distributed
