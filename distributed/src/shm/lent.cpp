#include "lent.hpp"

namespace rondo::detail::inline distributed {

lending_office::block lending_office::find(std::size_t bytes) {
  const std::size_t size = size_for(bytes);
  collect();
  // Fields that come after others mostly have the same sizes.
  if(const auto found = free_.lower_bound(size); found != free_.end() && found->first <= 2 * size) {
    const block b{found->second, found->first};
    free_.erase(found);
    return b;
  }
  if(size > end_ - next_)
    return {};
  const block b{next_, size};
  next_ += size;
  return b;
}

void lending_office::collect() {
  std::erase_if(dropped_, [this](const block& b) {
    const bool is_back = reinterpret_cast<lent_memory*>(memory_.at(b.place))->is_back();
    if(is_back)
      free_.emplace(b.size, b.place);
    return is_back;
  });
}

} // namespace rondo::detail::inline distributed
