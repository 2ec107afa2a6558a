#pragma once

/// \file
/// Fields: a value for each point of a topology.
///
/// \code
///   field<double> u{m, "u"};                 // m: a topology; all values are 0
///   s.execute<init>(m, u);                   // void init(grid::view, field<double>::accessor<wo>)
/// \endcode
///
/// Values live with the colors, on the ranks that have these. Only tasks see them, through accessors.
/// A field must not outlive its topology.

#include <cstddef>
#include <deque>
#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

#include <rondo/distributed/accessor.hpp>
#include <rondo/distributed/topology.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo {

namespace detail {

class halo;

/// What is the same for all types of values.
class field_base {
public:
  field_base(const field_base&) = delete;
  field_base& operator=(const field_base&) = delete;

  [[nodiscard]] const char* name() const { return name_.c_str(); }
  [[nodiscard]] topology& of() const { return topology_; }
  /// The same on all ranks; nothing else has it.
  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] std::size_t value_size() const { return value_size_; }

  /// Colors are counted from the first one of this rank.
  [[nodiscard]] region<color_block>& owned(std::size_t color) { return parts_[color].owned; }
  [[nodiscard]] region<color_block>& ghosts(std::size_t color) { return parts_[color].ghosts; }
  [[nodiscard]] const color_block& block(std::size_t color) const { return blocks_[color]; }

  /// Ghosts are older than what they are copies of.
  bool is_stale = false;
  /// Filled when they are needed for the first time.
  std::unique_ptr<halo> exchange;
  const std::uint32_t channel; ///< Its number.

protected:
  field_base(
    topology& t, std::string name, std::size_t value_size, const std::source_location& where);
  ~field_base();

private:
  struct part {
    part(flow& f, color_block& b, const char* name) : owned(f, b, name), ghosts(f, b, name) {}
    region<color_block> owned;
    region<color_block> ghosts;
  };
  struct release {
    std::size_t bytes;
    void operator()(std::byte* p) const;
  };
  static std::unique_ptr<std::byte, release> reserve(std::size_t bytes);

  topology& topology_;
  const std::uint32_t number_;
  std::string name_;
  std::size_t value_size_;
  std::unique_ptr<std::byte, release> memory_;
  std::vector<color_block> blocks_;
  std::deque<part> parts_;
};

} // namespace detail

template<class T>
class field : public detail::field_base {
  static_assert(std::is_trivially_copyable_v<T>,
    "rondo::field: values travel between ranks as bytes; "
    "their type must be trivially copyable");

public:
  using value_type = T;
  template<privilege Owned, privilege Ghosts = na>
  using accessor = field_accessor<T, Owned, Ghosts>;

  explicit field(topology& t, std::string name = "field",
    std::source_location where = std::source_location::current())
      : field_base(t, std::move(name), sizeof(T), where) {}
};

} // namespace rondo
