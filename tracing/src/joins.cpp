#include "joins.hpp"

#include <algorithm>
#include <cstddef>

namespace rondo::detail::inline tracing {

namespace {

/// A join is to spare at least so many edges: it is a launch, if one without any code.
constexpr std::size_t worthwhile = 32;

/// One after the other, round and round.
class groups {
public:
  explicit groups(const std::vector<slot_access>& all) : all_(all) {}

  /// Calls `use(last, count, next, next_count)` for each group: the index of its last access, of how many it
  /// consists, and the same of the group after it: the index is that of its first access. Not at all if all
  /// accesses are one group, which then never ends.
  template<class Use>
  void each(Use&& use) const {
    std::vector<std::size_t> begins;
    for(std::size_t i = 0; i != all_.size(); ++i)
      if(begins_at(i))
        begins.push_back(i);
    for(std::size_t g = 0; g != begins.size(); ++g) {
      const std::size_t next = (g + 1) % begins.size();
      use(before(begins[next]), size_of(begins, g), begins[next], size_of(begins, next));
    }
  }

private:
  [[nodiscard]] std::size_t before(std::size_t i) const { return (i == 0 ? all_.size() : i) - 1; }
  [[nodiscard]] bool begins_at(std::size_t i) const {
    return all_[i].mode == access_mode::write || all_[i].mode != all_[before(i)].mode;
  }
  [[nodiscard]] std::size_t size_of(const std::vector<std::size_t>& begins, std::size_t g) const {
    return g + 1 != begins.size() ? begins[g + 1] - begins[g] : all_.size() - begins[g] + begins[0];
  }

  const std::vector<slot_access>& all_;
};

} // namespace

std::vector<join> find_joins(const std::vector<std::vector<slot_access>>& by_slot) {
  std::vector<join> found;
  for(std::uint32_t s = 0; s != by_slot.size(); ++s) {
    const std::vector<slot_access>& all = by_slot[s];
    groups(all).each([&](std::size_t last, std::size_t count, std::size_t next, std::size_t more) {
      // Folds are done one after the other: only the first one waits for others, and only the last one is
      // waited for.
      const bool are_folds =
        all[last].mode == access_mode::reduce || all[next].mode == access_mode::reduce;
      if(!are_folds && count * more > count + more + worthwhile)
        found.push_back({all[last].launch, s});
    });
  }
  std::sort(found.begin(), found.end(), [](const join& a, const join& b) {
    return a.behind != b.behind ? a.behind < b.behind : a.slot < b.slot;
  });
  return found;
}

} // namespace rondo::detail::inline tracing
