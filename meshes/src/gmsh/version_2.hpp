#pragma once

/// \file
/// Format 2.2: all nodes, then all elements, each with its own group.
///
/// There is one group for each record: an element that belongs to several is there as often, under other numbers, one record behind the other. It is
/// read as one element.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "gmsh/binary_cursor.hpp"
#include "gmsh/outline.hpp"

namespace rondo::detail::gmsh {

/// One record of an element, its corners not looked at yet.
struct record_2 {
  std::int64_t number;
  const element_kind* kind = nullptr;
  std::int64_t group; ///< 0 for none.
  const char* corners;
  const char* at;
};

/// Goes from record to record. A text has the type and the number of tags in each record, a binary file in the head of a block of them.
template<class Cursor>
class records_2 {
public:
  records_2(const input& file, const char* at, std::int64_t left_in_block, const element_kind* kind,
    std::int64_t tags)
      : c_(file, at), left_in_block_(left_in_block), kind_(kind), tags_(tags) {}

  /// Where the next record is, or the head before it; and what has to be known to go on from there.
  [[nodiscard]] stretch here() {
    return {.dimension = 0,
      .kind = kind_,
      .at = c_.next(),
      .left_in_block = left_in_block_,
      .tags = tags_};
  }
  [[nodiscard]] std::int64_t left_in_block() const { return left_in_block_; }

  record_2 next() {
    record_2 r{};
    if constexpr(Cursor::is_binary) {
      if(left_in_block_ == 0)
        read_head();
      --left_in_block_;
      r.at = c_.next();
      r.number = checked_number(c_.file(), r.at, "an element", c_.integer());
    }
    else {
      r.at = c_.next();
      r.number = checked_number(c_.file(), r.at, "an element", c_.integer());
      kind_ = &kind_of(c_.file(), r.at, c_.integer(), r.number);
      tags_ = c_.size();
    }
    r.kind = kind_;
    if(tags_ > 0) {
      r.group = std::abs(c_.integer());
      c_.skip_integers(tags_ - 1);
    }
    r.corners = c_.next();
    c_.skip_integers(kind_->corners);
    return r;
  }

  [[nodiscard]] Cursor& cursor() { return c_; }

private:
  void read_head() {
    const char* const head = c_.next();
    const std::int64_t type = c_.integer();
    left_in_block_ = c_.integer();
    tags_ = c_.integer();
    if(left_in_block_ < 1 || tags_ < 0)
      c_.file().fail(head, "the head of a block says that it has " +
                             std::to_string(left_in_block_) + " elements with " +
                             std::to_string(tags_) + " tags");
    kind_ = &kind_of(c_.file(), head, type, Cursor(c_).integer());
  }

  Cursor c_;
  std::int64_t left_in_block_;
  const element_kind* kind_;
  std::int64_t tags_;
};

template<class Cursor>
struct version_2 {
  using cursor_type = Cursor;
  static constexpr bool has_entities = false;

  static void nodes(Cursor& c, outline& to) {
    const std::int64_t count = count_on_line(c);
    const char* const at = c.next();
    for(std::int64_t n = count; n > 0;) {
      // A damaged count has to end where the file does.
      const std::int64_t some = std::min(n, longest_stretch);
      for(std::int64_t i = 0; i != some; ++i) {
        c.skip_integers(1);
        c.skip_reals(3);
      }
      n -= some;
    }
    if(count > 0)
      to.nodes.push_back({.nodes = count, .reals = 3, .numbers = at, .coordinates = at});
  }

  static void elements(Cursor& c, outline& to) {
    const std::int64_t count = count_on_line(c);
    records_2<Cursor> records(c.file(), c.at(), 0, nullptr, 0);
    record_2 last{};
    for(std::int64_t n = 0; n != count; ++n) {
      const stretch here = records.here();
      const record_2 r = records.next();
      if(!repeats(c.file(), last, r)) {
        if(n == 0 || r.kind->dimension != to.elements.back().dimension ||
           to.elements.back().elements == longest_stretch) {
          to.elements.push_back(here);
          to.elements.back().dimension = r.kind->dimension;
        }
        ++to.elements.back().elements;
      }
      ++to.elements.back().records;
      last = r;
    }
    c.go_to(records.cursor().at());
    if(records.left_in_block() != 0)
      c.fail("the last block has more elements than the section says there are");
  }

  template<class Wanted, class Take>
  static void read_nodes(
    const input& file, const node_block& block, const Wanted& wanted, const Take& take) {
    Cursor c(file, block.numbers);
    for(std::int64_t n = block.nodes; n > 0; --n) {
      const char* const at = c.next();
      if(!wanted(checked_number(file, at, "a node", c.integer()), at)) {
        c.skip_reals(3);
        continue;
      }
      const double x = c.real(), y = c.real(), z = c.real();
      take({x, y, z});
    }
  }

  template<class Visit>
  static void read_elements(const input& file, const groups&, const stretch& row, std::int64_t from,
    std::int64_t to, const Visit& visit) {
    records_2<Cursor> records(file, row.at, row.left_in_block, row.kind, row.tags);
    record_2 last{};
    std::array<std::int64_t, 8> corners{};
    std::int64_t index = -1;
    for(std::int64_t n = row.records; n > 0; --n) {
      const record_2 r = records.next();
      const bool again = repeats(file, last, r);
      last = r;
      index += !again;
      if(index >= to)
        return;
      if(index < from)
        continue;
      read_corners(file, r, corners);
      visit(element{r.number, r.kind, std::span(&r.group, r.group != 0),
        std::span(corners.data(), r.kind->corners), again, r.at});
    }
  }

private:
  /// As a text on a line of its own, in binary files too.
  static std::int64_t count_on_line(Cursor& c) {
    if constexpr(Cursor::is_binary) {
      const char* const at = c.at();
      const std::string_view word = c.line();
      std::int64_t count = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
      if(error != std::errc{} || end != word.data() + word.size() || count < 0)
        c.file().fail(at, "a count should be here, and there is " + c.file().word(at));
      return count;
    }
    else
      return c.size();
  }

  static void read_corners(
    const input& file, const record_2& r, std::array<std::int64_t, 8>& corners) {
    Cursor c(file, r.corners);
    for(std::size_t i = 0; i != r.kind->corners; ++i) {
      const char* const at = c.next();
      corners[i] = checked_number(file, at, "a node", c.integer());
    }
  }

  static bool repeats(const input& file, const record_2& last, const record_2& r) {
    if(r.kind != last.kind || r.group == last.group || r.group == 0 || last.group == 0)
      return false;
    std::array<std::int64_t, 8> here{}, there{};
    read_corners(file, r, here);
    read_corners(file, last, there);
    return here == there;
  }
};

} // namespace rondo::detail::gmsh
