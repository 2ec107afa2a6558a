#include <rondo/distributed/field.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <sys/mman.h>

#include <rondo/distributed/contributions.hpp>
#include <rondo/distributed/growing_channel.hpp>
#include <rondo/distributed/halo.hpp>
#include <rondo/distributed/row_store.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/tracing/flow.hpp>

#include "checks/limits.hpp"
#include "the_field.hpp"

namespace rondo::detail::inline distributed {

namespace {
constexpr std::size_t least_alignment = 64;
constexpr std::size_t huge_page = std::size_t{1} << 21U;
constexpr std::size_t small = std::size_t{1} << 14U; ///< Of an index, say: not worth a huge page.

std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// More than any machine has, and far from where sums overflow.
constexpr std::size_t too_many = std::numeric_limits<std::size_t>::max() / 4;

std::size_t size_of(std::int64_t elements, std::size_t value_size) {
  const auto n = static_cast<std::size_t>(elements);
  return n < too_many / value_size ? n * value_size : too_many;
}

/// Says which field it was.
class no_memory : public std::bad_alloc {
public:
  no_memory(const std::string& name, std::size_t bytes)
      : text_("rondo::field \"" + name + "\": no memory for its " +
              (bytes < too_many ? std::to_string(bytes) : "more than 2^62") +
              " bytes on this rank; use more ranks, or a smaller mesh") {}
  const char* what() const noexcept override { return text_.c_str(); }

private:
  std::string text_;
};
} // namespace

/// Memory that is zero, and lies near the core that touches it first.
std::unique_ptr<std::byte, field_state::release> field_state::reserve(std::size_t bytes) {
  const bool is_small = bytes <= small;
  bytes = is_small ? small : rounded(bytes, huge_page);
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if(p == MAP_FAILED)
    throw std::bad_alloc();
  if(!is_small)
    madvise(p, bytes, MADV_HUGEPAGE); // or not: it is only slower
  return {static_cast<std::byte*>(p), release{bytes}};
}

void field_state::release::operator()(std::byte* p) const { munmap(p, bytes); }

namespace {
/// Refused before anything is counted: tasks that make fields are wrong, and may be several.
std::uint32_t channel_for_a_field(
  scheduler& s, const std::string& name, const std::source_location& where) {
  s.refuse_in_body(the_field(name.c_str()), where);
  return s.new_channel();
}
/// Only the field's own place is known to somebody who looks for a halo that can't be.
const local_elements& elements_with(topology_state& t, std::int64_t halo, const std::string& name,
  const std::source_location& where) {
  try {
    return t.elements_with_halo(halo);
  }
  catch(const std::invalid_argument& e) {
    throw std::invalid_argument(
      place(where) + ": " + the_field(name.c_str()) + ": " + without_kind(e.what()));
  }
}
/// Returns null if it needs none. If there are too few the field is not made, and has no number of its own, either.
std::unique_ptr<growing_channel_numbers> channels_for_rows(
  scheduler& s, bool is_in_rows, std::uint32_t of_the_field) {
  if(!is_in_rows)
    return nullptr;
  try {
    return std::make_unique<growing_channel_numbers>(s);
  }
  catch(...) {
    s.give_back_channel(of_the_field);
    throw;
  }
}
} // namespace

field_state::field_state(const topology& t, std::string name, const field_options& options,
  value_layout value, const std::source_location& where)
    : channel(channel_for_a_field(t.home(), name, where)), topology_(t.share()),
      channels_of_rows_(channels_for_rows(t.home(), value.is_in_rows, channel)),
      number_(t.home().new_number()), name_(std::move(name)), value_size_(value.size),
      value_alignment_(value.alignment), its_own_(t.is_replicated() ? 0 : ~std::size_t{0}),
      thinner_halo_(options.halo.value_or(-1)),
      elements_(options.halo ? elements_with(*topology_, *options.halo, name_, where)
                             : topology_->elements()),
      is_together_(false) {
  lay_out();
  make_parts();
  t.home().add(*this);
  const auto halo_of_its_own = static_cast<std::uint64_t>(thinner_halo_ + 1) << 56U;
  t.home().note_made(step_kind::field, where, number_,
    (std::uint64_t{t.number()} << 32U | value.size) ^ halo_of_its_own ^
      static_cast<std::uint64_t>(value.is_in_rows) << 31U,
    name_);
}

void field_state::lay_out() {
  is_together_ = elements_.together.has_value() && !has_rows() && !ghosts_are.is_apart;
  blocks_ = has_rows()     ? blocks_of_rows()
            : is_together_ ? blocks_side_by_side()
                           : blocks_for_themselves(memory_);
  limit(blocks_);
}

void field_state::make_parts() {
  const topology_state& t = *topology_;
  parts_.reserve(blocks_.size());
  for(std::size_t c = 0; c != blocks_.size(); ++c) {
    parts_.emplace_back(
      t.home().launches(), blocks_[c], name_.c_str(), number_, t.is_replicated() ? 0 : t.mine()[c]);
    parts_[c].owned.note_elements(static_cast<std::uint64_t>(elements_.owned[c].size()));
    parts_[c].ghosts.note_elements(0); // to copy them is a small part of a task
  }
}

std::size_t field_state::alignment() const { return std::max(least_alignment, value_alignment_); }

/// Sizes that are multiples of a page's make rows of different colors and fields fall into the same
/// sets of a cache.
std::size_t field_state::stagger() const { return 9 * alignment(); }

std::vector<color_block> field_state::blocks_side_by_side() {
  const block_layout& l = *elements_.together;
  // As above: fields are used together, point by point.
  const std::size_t begin = channel % 8 * stagger();
  const std::size_t bytes = size_of(l.elements, value_size_);
  try {
    memory_ = reserve(begin + bytes);
  }
  catch(const std::bad_alloc&) {
    throw no_memory(name_, bytes);
  }
  color_block b;
  b.origin = memory_.get() + begin + l.origin * static_cast<std::int64_t>(value_size_);
  b.stride[0] = l.stride[0];
  b.stride[1] = l.stride[1];
  return std::vector<color_block>(elements_.layouts.size(), b);
}

std::vector<color_block> field_state::blocks_for_themselves(
  std::unique_ptr<std::byte, release>& memory) const {
  std::size_t bytes = 0;
  std::vector<std::size_t> begins;
  for(const block_layout& l : elements_.layouts) {
    begins.push_back(bytes);
    bytes = std::min(
      bytes + rounded(size_of(l.elements, value_size_), alignment()) + stagger(), too_many);
  }
  try {
    memory = reserve(bytes);
  }
  catch(const std::bad_alloc&) {
    throw no_memory(name_, bytes);
  }
  std::vector<color_block> blocks;
  for(std::size_t c = 0; c != begins.size(); ++c) {
    const block_layout& l = elements_.layouts[c];
    color_block b;
    b.origin = memory.get() + begins[c] + l.origin * static_cast<std::int64_t>(value_size_);
    b.stride[0] = l.stride[0];
    b.stride[1] = l.stride[1];
    blocks.push_back(b);
  }
  return blocks;
}

std::unique_ptr<row_store> field_state::make_rows(std::size_t color) const {
  return std::make_unique<row_store>(row_store::of_field{name_.c_str(), value_size_, alignment()},
    elements_.layouts[color], elements_.owned[color].boxes());
}

/// Blocks lead to rows as they would to values; strides go for places.
std::vector<color_block> field_state::blocks_of_rows() {
  std::vector<color_block> blocks;
  rows_.resize(elements_.layouts.size());
  for(std::size_t c = 0; c != elements_.layouts.size(); ++c) {
    if(rows_[c] == nullptr)
      rows_[c] = make_rows(c);
    const block_layout& l = elements_.layouts[c];
    color_block b;
    b.origin = reinterpret_cast<std::byte*>(rows_[c].get());
    b.stride[0] = l.stride[0];
    b.stride[1] = l.stride[1];
    blocks.push_back(b);
  }
  return blocks;
}

#ifdef RONDO_CHECKS
void field_state::limit(std::vector<color_block>& blocks) {
  if(limits_.empty())
    limits_ = limits_of(*topology_, elements_, {name_.c_str(), value_size_, thinner_halo_});
  for(std::size_t c = 0; c != blocks.size(); ++c)
    blocks[c].limits = &limits_[c];
}
#else
void field_state::limit(std::vector<color_block>& /*blocks*/) {}
#endif

std::int64_t field_state::halo_depth() const {
  const point<3> of_mesh = topology_->outline().halo;
  return thinner_halo_ >= 0 ? thinner_halo_ : *std::max_element(of_mesh.begin(), of_mesh.end());
}

void field_state::separate(const std::source_location& where) {
  blocks_apart_ = blocks_for_themselves(memory_apart_);
  limit(blocks_apart_);
  moves_left_.store(blocks_apart_.size(), std::memory_order_relaxed);
  is_together_ = false;
  read_in_place = {};
  launch_moves(where);
}

void field_state::launch_moves(const std::source_location& where) {
  for(std::size_t c = 0; c != blocks_apart_.size(); ++c)
    topology_->home().launches().submit(
      named(
        "field: separate", [this, c](color_block&, color_block&) { move(c); }, where),
      write(owned(c), where), write(ghosts(c), where));
}

void field_state::note_swap() const noexcept { topology_->home().note_swap(); }

void field_state::move(std::size_t color) {
  color_block& to = blocks_apart_[color];
  if(blocks_[color].origin == to.origin)
    return; // in an earlier pass of a loop
  const selection& owned = elements_.owned[color];
  copy(blocks_[color], owned, to, owned, value_size_);
  blocks_[color] = to;
  // A launch that reads a color's memory in place writes or reads ghosts of its own, and those are written here: so when
  // the last color moves, nobody uses the old memory any more. acq_rel: nor reads it later.
  if(moves_left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
    memory_.reset();
}

field_state::~field_state() {
  topology_->home().let_go();
  topology_->home().remove(*this);
  topology_->home().give_back_channel(channel);
}

} // namespace rondo::detail::inline distributed
