#include <rondo/distributed/selection.hpp>

#include <cstring>

#include <rondo/distributed/folding.hpp>

namespace rondo::detail::inline distributed {

namespace {

/// Calls `f` for each row with where it begins. Elements, from the origin.
template<class Row>
void each_row(const brick& b, const color_block& in, Row&& f) {
  if(b.rows == 1 && b.planes == 1) { // halos of lines of points, and of slices
    f(b.first(in));
    return;
  }
  for(std::int64_t k = 0; k != b.planes; ++k) {
    std::int64_t at = b.first(in) + k * in.stride[1];
    for(std::int64_t j = 0; j != b.rows; ++j, at += in.stride[0])
      f(at);
  }
}

/// A row of which the compiler knows the length: columns of a mesh are made of these, and too short
/// for memcpy to be worth its call.
struct one_number {
  static constexpr std::size_t bytes = sizeof(double);
};
struct any_row {
  std::size_t bytes;
};

/// Calls `f` with the kind of rows, if there is anything in them: a color without elements has no memory.
template<class F>
void with_rows(const brick& b, std::size_t size, F&& f) {
  const std::size_t bytes = static_cast<std::size_t>(b.length) * size;
  if(bytes == one_number::bytes)
    f(one_number{});
  else if(bytes != 0)
    f(any_row{bytes});
}

} // namespace

void pack(const color_block& from, const selection& what, std::size_t size, std::byte* into) {
  const auto element = static_cast<std::int64_t>(size);
  with_rows(what.points_, size, [&](auto row) {
    each_row(what.points_, from, [&](std::int64_t at) {
      std::memcpy(into, from.origin + at * element, row.bytes);
      into += row.bytes;
    });
  });
}

void unpack(
  const std::byte* from, const color_block& into, const selection& what, std::size_t size) {
  const auto element = static_cast<std::int64_t>(size);
  with_rows(what.points_, size, [&](auto row) {
    each_row(what.points_, into, [&](std::int64_t at) {
      std::memcpy(into.origin + at * element, from, row.bytes);
      from += row.bytes;
    });
  });
}

namespace {
std::byte* begin_of(const brick& b, const color_block& in, std::size_t size) {
  return in.origin + b.first(in) * static_cast<std::int64_t>(size);
}
} // namespace

bool is_same_memory(const color_block& from, const selection& what, const color_block& into,
  const selection& where, std::size_t size) {
  return begin_of(what.points_, from, size) == begin_of(where.points_, into, size);
}

void copy(const color_block& from, const selection& what, const color_block& into,
  const selection& where, std::size_t size) {
  if(is_same_memory(from, what, into, where, size))
    return;
  const brick& points = what.points_;
  const auto element = static_cast<std::int64_t>(size);
  const std::byte* const first = begin_of(points, from, size);
  std::byte* const into_first = begin_of(where.points_, into, size);
  with_rows(points, size, [&](auto row) {
    for(std::int64_t k = 0; k != points.planes; ++k) {
      const std::byte* read = first + k * from.stride[1] * element;
      std::byte* write = into_first + k * into.stride[1] * element;
      for(std::int64_t j = 0; j != points.rows; ++j) {
        std::memcpy(write, read, row.bytes);
        read += from.stride[0] * element;
        write += into.stride[0] * element;
      }
    }
  });
}

void begin_fold(
  const color_block& in, const selection& what, std::size_t size, const folding& how) {
  each_row(what.points_, in, [&](std::int64_t at) {
    how.begin(in.origin + at * static_cast<std::int64_t>(size), what.points_.length);
  });
}

void fold(const std::byte* from, const color_block& into, const selection& what, std::size_t size,
  const folding& how) {
  const brick& points = what.points_;
  const auto element = static_cast<std::int64_t>(size);
  std::byte* const first = begin_of(points, into, size);
  const folded_rows rows{points.length, points.rows, into.stride[0], points.length};
  for(std::int64_t k = 0; k != points.planes; ++k)
    how.fold(
      first + k * into.stride[1] * element, from + k * points.rows * points.length * element, rows);
}

void fold(const color_block& from, const selection& what, const color_block& into,
  const selection& where, std::size_t size, const folding& how) {
  const brick& points = what.points_;
  const auto element = static_cast<std::int64_t>(size);
  const std::byte* const first = begin_of(points, from, size);
  std::byte* const into_first = begin_of(where.points_, into, size);
  const folded_rows rows{points.length, points.rows, into.stride[0], from.stride[0]};
  for(std::int64_t k = 0; k != points.planes; ++k)
    how.fold(into_first + k * into.stride[1] * element, first + k * from.stride[1] * element, rows);
}

box<3> selection::bounds() const {
  box<3> b;
  const std::int64_t length[] = {points_.length, points_.rows, points_.planes};
  for(std::size_t a = 0; a != 3; ++a) {
    b.lo[a] = points_.at[a];
    b.hi[a] = points_.at[a] + length[a];
  }
  return b;
}

std::string describe(const selection& s) {
  const box<3> b = s.bounds();
  std::size_t axes = 3;
  while(axes != 1 && b.lo[axes - 1] == 0 && b.hi[axes - 1] == 1)
    --axes;
  std::string text;
  for(std::size_t a = 0; a != axes; ++a) {
    text += a == 0 ? "[" : " x [";
    text += std::to_string(b.lo[a]) + ", " + std::to_string(b.hi[a]) + ")";
  }
  return text;
}

} // namespace rondo::detail::inline distributed
