#pragma once

/// \file
/// What belongs to colors goes with them to other ranks.
///
/// \code
///   // std::vector<table> tables, one for each color of this rank
///   void move(const topo::color_carrier& carrier) override {
///     tables = carrier.carry<table>(
///       [&](std::size_t old, topo::parcel& p) { p.put(tables[old].rows); },       // of one that leaves
///       [&](topo::parcel_reader& p) { return table{p.take<std::int64_t>()}; },    // of one that has come
///       [&](std::size_t old) { return std::move(tables[old]); });                 // of one that stays
///   }
/// \endcode
///
/// All ranks call it, in the same order, while nothing that was launched runs. Each rank sends one message to each rank that gets colors of it,
/// and one with its size before.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/distributed/color_set.hpp>

namespace rondo::detail::inline distributed {

class partition;
class team;

/// Of which the bytes say all.
template<class T>
inline constexpr bool is_parcelled = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;
template<class T, std::size_t Extent>
inline constexpr bool is_parcelled<std::span<T, Extent>> = false; // a pointer and a length

/// Bytes, as they are written.
class parcel {
public:
  template<class T>
    requires is_parcelled<T>
  void put(const T& value) {
    append(&value, sizeof(T));
  }
  /// With their number.
  template<class T>
    requires is_parcelled<T>
  void put(const std::vector<T>& values) {
    put(values.size());
    append(values.data(), values.size() * sizeof(T));
  }
  /// Room for so many bytes more, to be filled.
  std::byte* grow(std::size_t more) {
    bytes_.resize(bytes_.size() + more);
    return bytes_.data() + bytes_.size() - more;
  }
  [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }

private:
  void append(const void* from, std::size_t size) {
    if(size != 0)
      std::memcpy(grow(size), from, size);
  }
  std::vector<std::byte> bytes_;
};

/// The same, as they are read: of one color, and no farther.
class parcel_reader {
public:
  parcel_reader(std::span<const std::byte> bytes, color_id color) : rest_(bytes), color_(color) {}
  /// What `put` got.
  template<class T>
    requires is_parcelled<T>
  T take_one() {
    T value;
    std::memcpy(&value, take_bytes(sizeof(T)), sizeof(T));
    return value;
  }
  /// If that was a std::vector<T>.
  template<class T>
    requires is_parcelled<T>
  std::vector<T> take() {
    const auto size = take_one<std::size_t>();
    if(size > rest_.size() / sizeof(T))
      refuse("more");
    std::vector<T> values(size);
    if(size != 0)
      std::memcpy(values.data(), take_bytes(size * sizeof(T)), size * sizeof(T));
    return values;
  }
  const std::byte* take_bytes(std::size_t size) {
    if(size > rest_.size())
      refuse("more");
    const std::byte* const at = rest_.data();
    rest_ = rest_.subspan(size);
    return at;
  }
  /// All has been taken.
  void end() const {
    if(!rest_.empty())
      refuse("less");
  }

private:
  [[noreturn]] void refuse(const char* what) const;

  std::span<const std::byte> rest_;
  color_id color_;
};

class color_carrier {
public:
  color_carrier(team& all, const partition& from, const partition& to);

  /// The colors of this rank, as they were and as they are going to be.
  [[nodiscard]] const color_set& from() const { return from_; }
  [[nodiscard]] const color_set& to() const { return to_; }
  /// Colors that go to another rank, of all.
  [[nodiscard]] std::uint64_t moved() const { return moved_; }

  /// Returns something for each color of this rank, as they are going to be. Colors are counted on the rank, as they were.
  template<class T>
  [[nodiscard]] std::vector<T> carry(const std::function<void(std::size_t, parcel&)>& pack,
    const std::function<T(parcel_reader&)>& unpack,
    const std::function<T(std::size_t)>& keep) const {
    std::vector<std::optional<T>> all(to_.size());
    carry_parcels(pack, [&](std::size_t now, parcel_reader& p) { all[now] = unpack(p); });
    for(const kept& k : kept_)
      all[k.to] = keep(k.from);
    std::vector<T> made;
    made.reserve(all.size());
    for(std::optional<T>& t : all)
      made.push_back(*std::move(t));
    return made;
  }
  /// The parts of it: `unpack` gets the number of a color as it is going to be.
  void carry_parcels(const std::function<void(std::size_t, parcel&)>& pack,
    const std::function<void(std::size_t, parcel_reader&)>& unpack) const;
  struct kept {
    std::size_t from;
    std::size_t to;
  };
  [[nodiscard]] const std::vector<kept>& stay() const { return kept_; }

private:
  /// With another rank: colors in the order of their numbers.
  struct peer {
    unsigned rank;
    std::vector<std::size_t> colors;
  };

  team& all_;
  color_set from_;
  color_set to_;
  std::uint64_t moved_ = 0;
  std::vector<peer> outgoing_;
  std::vector<peer> incoming_;
  std::vector<kept> kept_;
};

} // namespace rondo::detail::inline distributed
