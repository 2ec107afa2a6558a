#include <rondo/distributed/row_store.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include <rondo/distributed/color_carrier.hpp>

#include "../the_field.hpp"

namespace rondo::detail::inline distributed {

namespace {
constexpr std::size_t most_values = std::numeric_limits<std::uint32_t>::max() - 1;
}

row_store::row_store(
  const of_field& f, const block_layout& layout, const std::vector<box<3>>& boxes)
    : field_(f), value_size_(f.value_size), origin_(layout.origin),
      first_(static_cast<std::size_t>(layout.elements) + 1) {
  for(const box<3>& b : boxes)
    b.for_each_row([&](const point<3>& p, std::int64_t length) {
      if(length != 0)
        owned_.push_back({static_cast<std::size_t>(layout.origin + layout.place(p)),
          static_cast<std::size_t>(length)});
    });
  std::sort(
    owned_.begin(), owned_.end(), [](const run& a, const run& b) { return a.first < b.first; });
  for(const run& r : owned_)
    owned_rows_ += r.length;
  const auto elements = static_cast<std::size_t>(layout.elements);
  begins_are_ends_ = owned_.empty() || (owned_.size() == 1 && owned_[0].first == 0);
  if(begins_are_ends_) {
    std::fill(
      first_.begin() + static_cast<std::ptrdiff_t>(owned_rows_) + 1, first_.end(), is_ghost);
    ends_ = first_.data() + 1;
    ghosts_from_ = static_cast<std::int64_t>(owned_rows_);
    ghosts_.resize(elements - owned_rows_);
    return;
  }
  last_.assign(elements, is_ghost);
  for(const run& r : owned_)
    std::fill_n(last_.begin() + static_cast<std::ptrdiff_t>(r.first), r.length, 0);
  ends_ = last_.data();
  if(elements != owned_rows_)
    ghosts_.resize(elements);
}

void row_store::refuse_size() const {
  throw std::length_error("rondo: " + the_field(field_.name, "ragged field") +
                          ": the rows of one color have more than 2^32 - 2 values in all; use more "
                          "colors");
}

void row_store::refuse_place(std::int64_t place) const {
  throw std::logic_error(
    "rondo: " + the_field(field_.name, "ragged field") + ": the row of element " +
    std::to_string(place) +
    " can't be changed: the color doesn't own that element; m.owned() has those "
    "that it owns");
}

void row_store::loosen() {
  if(last_.empty()) {
    last_.assign(first_.begin() + 1, first_.end());
    ends_ = last_.data();
  }
  rooms_ = last_;
  rooms_.resize(first_.size()); // so that it is never empty
}

void row_store::need(std::size_t values) {
  if(values <= capacity_)
    return;
  if(values > most_values)
    refuse_size();
  const std::size_t capacity = std::max({values, 2 * capacity_, 64 / value_size_});
  aligned_bytes larger = allocate(capacity);
  if(used_ != 0)
    std::memcpy(larger.get(), values_.get(), used_ * value_size_);
  values_ = std::move(larger);
  capacity_ = capacity;
}

void row_store::reserve(std::size_t more) { need(used_ + more); }

std::byte* row_store::resize(std::int64_t place, std::size_t size) {
  const auto k = static_cast<std::size_t>(place + origin_);
  if(k >= first_.size() - 1 || ends_[k] == is_ghost)
    refuse_place(place);
  if(!is_loose())
    loosen();
  const std::size_t before = last_[k] - first_[k];
  if(size > rooms_[k] - first_[k])
    move_to_end(k, size);
  last_[k] = static_cast<std::uint32_t>(first_[k] + size);
  changes_ += 1 + (size > before ? size - before : before - size);
  return row(place);
}

/// A row that is at the end grows there. Another one that has grown before gets room for as much again, since it may go on like that.
void row_store::move_to_end(std::size_t k, std::size_t size) {
  const std::size_t before = last_[k] - first_[k];
  if(rooms_[k] == used_) {
    need(first_[k] + size);
    used_ = first_[k] + size;
  }
  else {
    const std::size_t room = std::max(size, 2 * before);
    need(used_ + room);
    if(before != 0)
      std::memcpy(values_.get() + used_ * value_size_, values_.get() + first_[k] * value_size_,
        before * value_size_);
    changes_ += before;
    first_[k] = static_cast<std::uint32_t>(used_);
    used_ += room;
  }
  rooms_[k] = static_cast<std::uint32_t>(used_);
}

void row_store::clear() {
  if(used_ == 0)
    return;
  if(!is_loose())
    loosen();
  for(const run& r : owned_)
    for(std::size_t k = r.first; k != r.first + r.length; ++k)
      first_[k] = last_[k] = rooms_[k] = 0;
  used_ = 0;
  changes_ = 0;
}

void row_store::put_into(parcel& p) const {
  std::vector<std::uint32_t> sizes;
  sizes.reserve(owned_rows_);
  each_owned([&](std::size_t k) { sizes.push_back(ends_[k] - first_[k]); });
  p.put(sizes);
  std::byte* to = p.grow(total() * value_size_);
  each_owned([&](std::size_t k) {
    if(const std::size_t bytes = (ends_[k] - first_[k]) * value_size_; bytes != 0) {
      std::memcpy(to, values_.get() + first_[k] * value_size_, bytes);
      to += bytes;
    }
  });
}

void row_store::take_from(parcel_reader& p) {
  const std::vector<std::uint32_t> sizes = p.take<std::uint32_t>();
  need(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
  auto size = sizes.begin();
  each_owned([&](std::size_t k) {
    if(const std::size_t n = *size++; n != 0) {
      std::byte* const to = resize(static_cast<std::int64_t>(k) - origin_, n);
      std::memcpy(to, p.take_bytes(n * value_size_), n * value_size_);
    }
  });
  end_changes();
}

std::size_t row_store::total() const {
  std::size_t all = 0;
  each_owned([&](std::size_t k) { all += ends_[k] - first_[k]; });
  return all;
}

void row_store::tighten() {
  if(changes_ < (owned_rows_ + used_) / 2)
    return;
  if(!are_in_order())
    pack();
  if(begins_are_ends_) {
    first_[owned_rows_] = static_cast<std::uint32_t>(used_);
    ends_ = first_.data() + 1;
    std::vector<std::uint32_t>().swap(last_);
  }
  std::vector<std::uint32_t>().swap(rooms_);
  changes_ = 0;
}

/// With nothing between them. Rows without values, which are anywhere, are then where they belong.
bool row_store::are_in_order() {
  std::uint32_t end = 0;
  for(const run& r : owned_)
    for(std::size_t k = r.first; k != r.first + r.length; ++k) {
      if(first_[k] == last_[k])
        first_[k] = last_[k] = end;
      else if(first_[k] != end)
        return false;
      end = last_[k];
    }
  used_ = end;
  return true;
}

void row_store::pack() {
  const std::size_t all = total();
  aligned_bytes packed = allocate(all);
  std::size_t at = 0;
  each_owned([&](std::size_t k) {
    const std::size_t size = last_[k] - first_[k];
    if(size != 0)
      std::memcpy(packed.get() + at * value_size_, values_.get() + first_[k] * value_size_,
        size * value_size_);
    first_[k] = static_cast<std::uint32_t>(at);
    at += size;
    last_[k] = static_cast<std::uint32_t>(at);
  });
  values_ = std::move(packed);
  capacity_ = used_ = all;
}

} // namespace rondo::detail::inline distributed
