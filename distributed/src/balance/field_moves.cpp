// Fields go with their colors to other ranks.
#include <utility>

#include <rondo/distributed/color_carrier.hpp>
#include <rondo/distributed/contributions.hpp>
#include <rondo/distributed/field.hpp>
#include <rondo/distributed/halo.hpp>
#include <rondo/distributed/neighbour_colors.hpp>
#include <rondo/distributed/row_store.hpp>

namespace rondo::detail::inline distributed {

void field_state::end_messages() {
  filled_by.reset();
  filled_near.clear();
  contributed_by.reset();
  parts_.clear(); // and with them traces that name their regions
}

void field_state::move_colors(const color_carrier& carrier) {
#ifdef RONDO_CHECKS
  limits_.clear();
#endif
  if(has_rows())
    move_rows(carrier);
  else
    move_values(carrier);
  ghosts_are = {.is_stale = true, .is_apart = ghosts_are.is_apart};
  read_in_place = {};
  make_parts();
}

/// Into memory of their new rank, also those that stay: that of all colors of a rank is one piece.
void field_state::move_values(const color_carrier& carrier) {
  const auto old_memory = std::move(memory_);
  const auto old_memory_apart = std::move(memory_apart_);
  const std::vector<color_block> old = std::move(blocks_);
  blocks_apart_.clear();
  lay_out();
  const std::vector<selection>& owned_before = topology_->owned_before();
  for(const color_carrier::kept& k : carrier.stay())
    copy(old[k.from], owned_before[k.from], blocks_[k.to], elements_.owned[k.to], value_size_);
  const auto bytes = [this](const selection& s) {
    return static_cast<std::size_t>(s.size()) * value_size_;
  };
  carrier.carry_parcels(
    [&](std::size_t before, parcel& p) {
      const selection& owned = owned_before[before];
      pack(old[before], owned, value_size_, p.grow(bytes(owned)));
    },
    [&](std::size_t now, parcel_reader& p) {
      const selection& owned = elements_.owned[now];
      unpack(p.take_bytes(bytes(owned)), blocks_[now], owned, value_size_);
    });
}

void field_state::move_rows(const color_carrier& carrier) {
  std::vector<std::unique_ptr<row_store>> old = std::exchange(rows_, {});
  rows_.resize(elements_.layouts.size());
  carrier.carry_parcels([&](std::size_t before, parcel& p) { old[before]->put_into(p); },
    [&](std::size_t now, parcel_reader& p) {
      rows_[now] = make_rows(now);
      rows_[now]->take_from(p);
    });
  for(const color_carrier::kept& k : carrier.stay())
    rows_[k.to] = std::move(old[k.from]);
  lay_out();
  if(owners_of_cells != nullptr)
    note_owners(*this, *owners_of_cells);
}

} // namespace rondo::detail::inline distributed
