#include <rondo/distributed/selection.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <rondo/distributed/folding.hpp>

namespace rondo::detail::inline distributed {

/// Elements of a color, as runs of consecutive ones, or one by one where runs would take more memory.
struct element_list {
  struct run {
    std::int64_t first;
    std::int64_t length;
  };
  std::vector<run> runs;
  std::vector<std::int64_t> elements; ///< Empty if there are runs.
};

selection selection::of_list(const std::vector<std::int64_t>& elements) {
  std::vector<element_list::run> runs;
  for(const std::int64_t e : elements)
    if(!runs.empty() && runs.back().first + runs.back().length == e)
      ++runs.back().length;
    else
      runs.push_back({e, 1});
  if(runs.empty())
    return {};
  if(runs.size() == 1)
    return of_range(runs.front().first, runs.front().first + runs.front().length);
  element_list list;
  if(runs.size() * sizeof(element_list::run) <= elements.size() * sizeof(std::int64_t)) {
    runs.shrink_to_fit();
    list.runs = std::move(runs);
  }
  else
    list.elements = elements;
  selection made = of_range(0, static_cast<std::int64_t>(elements.size()));
  made.list_ = std::make_shared<const element_list>(std::move(list));
  return made;
}

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
void with_rows_of(std::size_t bytes, F&& f) {
  if(bytes == one_number::bytes)
    f(one_number{});
  else if(bytes != 0)
    f(any_row{bytes});
}
template<class F>
void with_rows(const brick& b, std::size_t size, F&& f) {
  with_rows_of(static_cast<std::size_t>(b.length) * size, f);
}

/// Calls `f` with where each piece of a list begins, and the kind of row that it is.
template<class F>
void each_piece(const element_list& l, std::size_t size, F&& f) {
  with_rows_of(l.elements.empty() ? 0 : size, [&](auto one) {
    for(const std::int64_t at : l.elements)
      f(at, one);
  });
  for(const element_list::run& r : l.runs)
    f(r.first, any_row{static_cast<std::size_t>(r.length) * size});
}
template<class F>
void each_run(const element_list& l, F&& f) {
  for(const std::int64_t at : l.elements)
    f(at, 1);
  for(const element_list::run& r : l.runs)
    f(r.first, r.length);
}

std::byte* begin_of(const brick& b, const color_block& in, std::size_t size) {
  return in.origin + b.first(in) * static_cast<std::int64_t>(size);
}

} // namespace

/// Of any selection, one after the other: where two of them are gone through side by side, of which one at least is a list.
class pieces {
public:
  pieces(const selection& s, const color_block& in) : s_(s), in_(in) { find(); }

  [[nodiscard]] std::int64_t left() const { return left_; } ///< Of this piece. 0: that was all.
  [[nodiscard]] std::int64_t at() const { return at_; }
  void go_on(std::int64_t by) {
    at_ += by;
    left_ -= by;
    if(left_ == 0) {
      ++next_;
      find();
    }
  }

  static bool is_a_list(const selection& a, const selection& b) {
    return a.list_ != nullptr || b.list_ != nullptr;
  }
  static bool is_one_row(const selection& s) {
    return s.list_ == nullptr && s.points_.rows == 1 && s.points_.planes == 1;
  }
  static std::byte* begin(const selection& s, const color_block& in, std::size_t size) {
    return begin_of(s.points_, in, size);
  }

private:
  void find() {
    left_ = 0;
    if(s_.list_ == nullptr) {
      const brick& b = s_.points_;
      if(next_ < static_cast<std::size_t>(b.rows * b.planes)) {
        const auto row = static_cast<std::int64_t>(next_);
        at_ = b.first(in_) + row % b.rows * in_.stride[0] + row / b.rows * in_.stride[1];
        left_ = b.length;
      }
    }
    else if(next_ < s_.list_->elements.size()) {
      at_ = s_.list_->elements[next_];
      left_ = 1;
    }
    else if(next_ < s_.list_->runs.size()) {
      at_ = s_.list_->runs[next_].first;
      left_ = s_.list_->runs[next_].length;
    }
  }

  const selection& s_;
  const color_block& in_;
  std::size_t next_ = 0;
  std::int64_t at_ = 0;
  std::int64_t left_ = 0;
};

namespace {

/// Calls `f(begin there, begin here, number of elements)` for all that is consecutive in both, until that returns false.
template<class F>
bool each_pair(const color_block& from, const selection& what, const color_block& into,
  const selection& where, std::size_t size, F&& f) {
  const auto element = static_cast<std::int64_t>(size);
  pieces read(what, from);
  pieces write(where, into);
  while(read.left() != 0 && write.left() != 0) {
    const std::int64_t n = std::min(read.left(), write.left());
    if(!f(from.origin + read.at() * element, into.origin + write.at() * element, n))
      return false;
    read.go_on(n);
    write.go_on(n);
  }
  return true;
}

} // namespace

void pack(const color_block& from, const selection& what, std::size_t size, std::byte* into) {
  const auto element = static_cast<std::int64_t>(size);
  if(what.list_ != nullptr) {
    each_piece(*what.list_, size, [&](std::int64_t at, auto row) {
      std::memcpy(into, from.origin + at * element, row.bytes);
      into += row.bytes;
    });
    return;
  }
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
  if(what.list_ != nullptr) {
    each_piece(*what.list_, size, [&](std::int64_t at, auto row) {
      std::memcpy(into.origin + at * element, from, row.bytes);
      from += row.bytes;
    });
    return;
  }
  with_rows(what.points_, size, [&](auto row) {
    each_row(what.points_, into, [&](std::int64_t at) {
      std::memcpy(into.origin + at * element, from, row.bytes);
      from += row.bytes;
    });
  });
}

namespace {

/// Where one of them is a list. Most often the other one is a single row.
void copy_pieces(const color_block& from, const selection& what, const color_block& into,
  const selection& where, std::size_t size) {
  if(pieces::is_one_row(where))
    return pack(from, what, size, pieces::begin(where, into, size));
  if(pieces::is_one_row(what))
    return unpack(pieces::begin(what, from, size), into, where, size);
  each_pair(
    from, what, into, where, size, [size](const std::byte* read, std::byte* write, std::int64_t n) {
      std::memcpy(write, read, static_cast<std::size_t>(n) * size);
      return true;
    });
}

} // namespace

bool is_same_memory(const color_block& from, const selection& what, const color_block& into,
  const selection& where, std::size_t size) {
  if(pieces::is_a_list(what, where))
    return each_pair(from, what, into, where, size,
      [](const std::byte* here, const std::byte* there, std::int64_t /*n*/) {
        return here == there;
      });
  return begin_of(what.points_, from, size) == begin_of(where.points_, into, size);
}

void copy(const color_block& from, const selection& what, const color_block& into,
  const selection& where, std::size_t size) {
  if(pieces::is_a_list(what, where)) {
    if(!is_same_memory(from, what, into, where, size))
      copy_pieces(from, what, into, where, size);
    return;
  }
  const brick& points = what.points_;
  const auto element = static_cast<std::int64_t>(size);
  const std::byte* const first = begin_of(points, from, size);
  std::byte* const into_first = begin_of(where.points_, into, size);
  if(first == into_first)
    return;
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
  if(what.list_ != nullptr) {
    each_run(*what.list_, [&](std::int64_t at, std::int64_t length) {
      how.begin(in.origin + at * static_cast<std::int64_t>(size), length);
    });
    return;
  }
  each_row(what.points_, in, [&](std::int64_t at) {
    how.begin(in.origin + at * static_cast<std::int64_t>(size), what.points_.length);
  });
}

void fold(const std::byte* from, const color_block& into, const selection& what, std::size_t size,
  const folding& how) {
  const brick& points = what.points_;
  const auto element = static_cast<std::int64_t>(size);
  if(what.list_ != nullptr) {
    each_run(*what.list_, [&](std::int64_t at, std::int64_t length) {
      how.fold(into.origin + at * element, from, {.length = length, .count = 1});
      from += length * element;
    });
    return;
  }
  std::byte* const first = begin_of(points, into, size);
  const folded_rows rows{points.length, points.rows, into.stride[0], points.length};
  for(std::int64_t k = 0; k != points.planes; ++k)
    how.fold(
      first + k * into.stride[1] * element, from + k * points.rows * points.length * element, rows);
}

void fold(const color_block& from, const selection& what, const color_block& into,
  const selection& where, std::size_t size, const folding& how) {
  if(pieces::is_a_list(what, where)) {
    if(pieces::is_one_row(what))
      return fold(pieces::begin(what, from, size), into, where, size, how);
    each_pair(
      from, what, into, where, size, [&how](const std::byte* part, std::byte* all, std::int64_t n) {
        how.fold(all, part, {.length = n, .count = 1});
        return true;
      });
    return;
  }
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
  if(list_ != nullptr) {
    b = {{std::numeric_limits<std::int64_t>::max(), 0, 0},
      {std::numeric_limits<std::int64_t>::min(), 1, 1}};
    each_run(*list_, [&b](std::int64_t at, std::int64_t n) {
      b.lo[0] = std::min(b.lo[0], at);
      b.hi[0] = std::max(b.hi[0], at + n);
    });
    return b;
  }
  const std::int64_t length[] = {points_.length, points_.rows, points_.planes};
  for(std::size_t a = 0; a != 3; ++a) {
    b.lo[a] = points_.at[a];
    b.hi[a] = points_.at[a] + length[a];
  }
  return b;
}

std::vector<box<3>> selection::boxes() const {
  if(list_ == nullptr)
    return {bounds()};
  std::vector<box<3>> all;
  each_run(*list_, [&all](std::int64_t at, std::int64_t n) {
    if(!all.empty() && all.back().hi[0] == at) // one by one
      all.back().hi[0] += n;
    else
      all.push_back({{at, 0, 0}, {at + n, 1, 1}});
  });
  return all;
}

bool operator==(const selection& a, const selection& b) {
  if(a.size() != b.size() || a.size() == 0)
    return a.size() == b.size();
  return (a.list_ != nullptr && a.list_ == b.list_) || a.boxes() == b.boxes();
}

namespace {

std::string text_of(const box<3>& b) {
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

} // namespace

std::string describe(const selection& s) {
  constexpr std::size_t most_boxes = 6;
  const std::vector<box<3>> all = s.boxes();
  std::string text;
  for(std::size_t k = 0; k != std::min(all.size(), most_boxes); ++k)
    text.append(k == 0 ? "" : " + ").append(text_of(all[k]));
  if(all.size() > most_boxes)
    text += " + ..., " + std::to_string(s.size()) + " elements in " + std::to_string(all.size()) +
            " runs";
  return text;
}

} // namespace rondo::detail::inline distributed
