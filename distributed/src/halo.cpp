#include <rondo/distributed/halo.hpp>

#include <optional>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/row_halo.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/value_halo.hpp>

namespace rondo::detail::inline distributed {

namespace {

/// What `launch` launches fetches ghosts of the field.
template<class F>
void noting_fetch(field_state& of, const F& launch) {
  scheduler& home = of.of().home();
  const std::optional<std::size_t> first = home.launches().kept();
  launch();
  if(first)
    home.note_fetch(of, *first);
}

} // namespace

void halo::launch_messages(const std::source_location& where) {
  noting_fetch(field_, [&] { exchange(where); });
}

void halo::launch_copies(
  std::size_t color, const ghost_actions& what, const std::source_location& where) {
  noting_fetch(field_, [&] {
    if(what.fills)
      copy_into(color, where);
    if(what.waits)
      wait_for_neighbours(color, where);
  });
}

std::span<const region_access> named_neighbours::of(
  std::span<const ghost_actions> fields, std::size_t color) {
  std::span<const region_access> found;
  for(const ghost_actions& h : fields)
    if(h.names_neighbours) {
      const std::span<const region_access> more = h.of->neighbours_in_place(color);
      if(found.empty()) {
        found = more;
        continue;
      }
      if(found.data() != all_.data())
        all_.assign(found.begin(), found.end());
      all_.insert(all_.end(), more.begin(), more.end());
      found = all_;
    }
  return found;
}

std::unique_ptr<halo> make_halo(field_state& f) {
  if(f.has_rows())
    return std::make_unique<row_halo>(f, f.elements().plan, nullptr);
  return std::make_unique<value_halo>(f);
}

std::unique_ptr<halo> make_halo(field_state& f, short depth) {
  if(f.has_rows())
    return std::make_unique<row_halo>(f, f.of().elements_with_halo(depth).plan,
      std::make_unique<growing_channel_numbers>(f.of().home()));
  return std::make_unique<value_halo>(f, depth);
}

} // namespace rondo::detail::inline distributed
