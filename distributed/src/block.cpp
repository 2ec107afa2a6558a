#include <rondo/distributed/block.hpp>

namespace rondo::detail {

namespace {

/// Rows of one number are columns of a mesh: too short for memcpy to be worth its call.
template<class Row>
void each_row(const brick& b, std::int64_t row, std::int64_t plane, Row&& f) {
  for(std::int64_t k = 0; k != b.planes; ++k)
    for(std::int64_t j = 0; j != b.rows; ++j)
      f(b.first + j * row + k * plane);
}

inline void move_row(std::byte* to, const std::byte* from, std::size_t bytes) {
  if(bytes == sizeof(double))
    std::memcpy(to, from, sizeof(double));
  else
    std::memcpy(to, from, bytes);
}

} // namespace

void pack(const color_block& from, const brick& what, std::size_t size, std::byte* into) {
  const auto element = static_cast<std::int64_t>(size);
  const auto bytes = static_cast<std::size_t>(what.length) * size;
  each_row(what, from.stride[0], from.stride[1], [&](std::int64_t at) {
    move_row(into, from.origin + at * element, bytes);
    into += bytes;
  });
}

void unpack(const std::byte* from, const color_block& into, const brick& what, std::size_t size) {
  const auto element = static_cast<std::int64_t>(size);
  const auto bytes = static_cast<std::size_t>(what.length) * size;
  each_row(what, into.stride[0], into.stride[1], [&](std::int64_t at) {
    move_row(into.origin + at * element, from, bytes);
    from += bytes;
  });
}

void copy(const color_block& from, const brick& what, const color_block& into, const brick& where,
  std::size_t size) {
  const auto element = static_cast<std::int64_t>(size);
  const auto bytes = static_cast<std::size_t>(what.length) * size;
  for(std::int64_t k = 0; k != what.planes; ++k)
    for(std::int64_t j = 0; j != what.rows; ++j)
      move_row(into.origin + (where.first + j * into.stride[0] + k * into.stride[1]) * element,
        from.origin + (what.first + j * from.stride[0] + k * from.stride[1]) * element, bytes);
}

} // namespace rondo::detail
