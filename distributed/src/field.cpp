#include <rondo/distributed/field.hpp>

#include <cstdlib>
#include <new>

#include <sys/mman.h>

#include <rondo/distributed/halo.hpp>
#include <rondo/distributed/scheduler.hpp>

namespace rondo::detail {

namespace {
constexpr std::size_t alignment = 64;
/// Sizes that are multiples of a page's make rows of different colors and fields fall into the same
/// sets of a cache.
constexpr std::size_t stagger = 9 * alignment;
constexpr std::size_t huge_page = std::size_t{1} << 21U;

std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }
} // namespace

/// Memory that is zero, and belongs to whoever touches it first.
std::unique_ptr<std::byte, field_base::release> field_base::reserve(std::size_t bytes) {
  bytes = rounded(bytes, huge_page);
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if(p == MAP_FAILED)
    throw std::bad_alloc();
  madvise(p, bytes, MADV_HUGEPAGE); // or not: it is only slower
  return {static_cast<std::byte*>(p), release{bytes}};
}

void field_base::release::operator()(std::byte* p) const { munmap(p, bytes); }

field_base::field_base(
  topology& t, std::string name, std::size_t value_size, const std::source_location& where)
    : channel(t.home().new_channels(1)), topology_(t), number_(t.home().new_number()),
      name_(std::move(name)), value_size_(value_size) {
  t.home().refuse_in_body("a field");
  std::size_t bytes = 0;
  std::vector<std::size_t> begins;
  for(const block_layout& l : t.layouts()) {
    begins.push_back(bytes);
    bytes += rounded(static_cast<std::size_t>(l.elements) * value_size, alignment) + stagger;
  }
  memory_ = reserve(bytes);
  for(std::size_t c = 0; c != begins.size(); ++c) {
    const block_layout& l = t.layouts()[c];
    color_block b;
    b.origin = memory_.get() + begins[c] + l.origin * static_cast<std::int64_t>(value_size);
    b.stride[0] = l.stride[0];
    b.stride[1] = l.stride[1];
    blocks_.push_back(b);
  }
  for(color_block& b : blocks_)
    parts_.emplace_back(t.home().launches(), b, name_.c_str());
  t.home().add(*this);
  t.home().note_made(
    step_kind::field, where, number_, std::uint64_t{t.number()} << 32U | value_size, name_);
}

field_base::~field_base() {
  topology_.home().let_go();
  topology_.home().remove(*this);
}

} // namespace rondo::detail
