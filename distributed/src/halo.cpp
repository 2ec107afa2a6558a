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

void halo::launch_copies(std::size_t color, const std::source_location& where) {
  noting_fetch(field_, [&] { copy_into(color, where); });
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
