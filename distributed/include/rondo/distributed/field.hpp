#pragma once

/// \file
/// Fields: a value for each point of a topology.
///
/// \code
///   field<double> u{m, "u"};                 // m: a topology; all values are 0
///   s.execute<init>(m, u);                   // void init(grid::view, field<double>::accessor<wo>)
///   field<double> v{m, "v", {.halo = 1}};    // of a mesh with a deeper one
/// \endcode
///
/// Values live with the colors, on the ranks that have these. Only tasks see them, through accessors.
///
/// A field is a handle: it can be moved and kept in a std::vector, also while tasks use it. The topology that it was made
/// over may end first. Neither may outlive the scheduler.
///
/// \code
///   std::vector<field<double>> q;
///   for(const char* name : {"density", "momentum", "energy"})
///     q.emplace_back(m, name);
///   for(field<double>& f : q)
///     s.execute<init>(m, f);
/// \endcode

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/distributed/accessor.hpp>
#include <rondo/distributed/coherence.hpp>
#include <rondo/distributed/fixed_array.hpp>
#include <rondo/distributed/topology.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo {

struct field_options {
  /// How deep colors see into their neighbours in this field: no deeper than the mesh says, and as deep if nothing is said. Ghosts
  /// that deep are kept and exchanged.
  std::optional<std::int64_t> halo{};
};

namespace detail::inline distributed {

class color_carrier;
class contributions;
class growing_channel_numbers;
class halo;
class neighbour_colors;
class row_store;

// Parts of a field as their regions are numbered, the same on all ranks: the elements that a color owns, its ghosts, and the
// ends of messages. docs/protocols/observing.md
constexpr std::uint32_t number_of_owned(std::uint64_t color) {
  return static_cast<std::uint32_t>(2 * color);
}
constexpr std::uint32_t number_of_ghosts(std::uint64_t color) {
  return static_cast<std::uint32_t>(2 * color + 1);
}
constexpr std::uint32_t number_of_messages(unsigned peer, bool are_received) {
  constexpr std::uint32_t are_messages = std::uint32_t{1} << 31U;
  return are_messages | 2 * peer | std::uint32_t{are_received};
}
constexpr std::uint32_t number_of_exchange(std::uint32_t joint) {
  constexpr std::uint32_t is_exchange = std::uint32_t{3} << 30U;
  return is_exchange | joint;
}

/// What a field is a handle of: where tasks find it. The same for all types of values.
class field_state {
public:
  field_state(const field_state&) = delete;
  field_state& operator=(const field_state&) = delete;

  [[nodiscard]] const char* name() const { return name_.c_str(); }
  [[nodiscard]] topology_state& of() const { return *topology_; }
  /// Which it has values for.
  [[nodiscard]] const local_elements& elements() const { return elements_; }
  /// The same on all ranks; nothing else has it.
  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] std::size_t value_size() const { return value_size_; }
  [[nodiscard]] std::size_t value_alignment() const { return value_alignment_; }

  /// Of a ragged field: each element has a row of values, and blocks lead to these.
  [[nodiscard]] bool has_rows() const { return channels_of_rows_ != nullptr; }
  [[nodiscard]] row_store& rows(std::size_t color) const { return *rows_[color]; }
  [[nodiscard]] const growing_channel_numbers& channels_of_rows() const {
    return *channels_of_rows_;
  }

  /// How deep colors see into each other.
  [[nodiscard]] std::int64_t halo_depth() const;

  /// Colors are counted from the first one of this rank.
  [[nodiscard]] region<color_block>& owned(std::size_t color) { return parts_[color].owned; }
  [[nodiscard]] region<color_block>& ghosts(std::size_t color) { return parts_[color].ghosts; }
  [[nodiscard]] const color_block& block(std::size_t color) const { return blocks_[color]; }
  /// What a task over some color uses: one of this field's, or the only one.
  [[nodiscard]] std::size_t seen_by(std::size_t color) const { return color & its_own_; }

  /// The same on all ranks.
  coherence ghosts_are;
  /// When the loops began, and the conditions, whose bodies are being called.
  std::vector<coherence> ghosts_were;
  /// Of the `repeat` whose body is being called.
  bool is_written_in_body = false;
  /// Of this rank only.
  in_place_state read_in_place;
  /// The colors lie side by side: what others on this rank own is not copied.
  [[nodiscard]] bool is_together() const { return is_together_; }
  /// From now on each color lies for itself, since ghosts have to be copies. They are stale.
  void separate(const std::source_location& where);
  /// Launches again what `separate` has launched, in case that doesn't run. There is nothing to do if
  /// it did.
  void launch_moves(const std::source_location& where);
  /// Fills ghosts. Made when they are needed for the first time.
  std::unique_ptr<halo> filled_by;
  /// The same for those 1, 2, ... deep, if launches ask for no more.
  std::vector<std::unique_ptr<halo>> filled_near;
  /// Null if there is none yet.
  [[nodiscard]] halo* near_halo(short depth) const {
    const auto at = static_cast<std::size_t>(depth - 1);
    return at < filled_near.size() ? filled_near[at].get() : nullptr;
  }
  /// Hands on what is written to ghosts. The same.
  std::unique_ptr<contributions> contributed_by;
  const std::uint32_t channel; ///< Its number.
  /// Of particles: the space in which it is said whose their cells are.
  const neighbour_colors* owners_of_cells = nullptr;

  /// Colors go to other ranks: balance.hpp. First what has messages ends, on all ranks; then topologies move; then this.
  void end_messages();
  void move_colors(const color_carrier& carrier);

  /// Another handle becomes that of this field.
  void note_swap() const noexcept;

  struct value_layout {
    std::size_t size;
    std::size_t alignment;
    bool is_in_rows = false;
  };
  field_state(const topology& t, std::string name, const field_options& options, value_layout value,
    const std::source_location& where);
  ~field_state();

private:
  struct part {
    part(flow& f, color_block& b, const char* name, std::uint32_t field, std::uint64_t color)
        : owned(f, b, name, {field, number_of_owned(color)}),
          ghosts(f, b, name, {field, number_of_ghosts(color)}) {}
    region<color_block> owned;
    region<color_block> ghosts;
  };
  struct release {
    std::size_t bytes;
    void operator()(std::byte* p) const;
  };
  /// In a checked build accessors know what they may look at.
  void limit(std::vector<color_block>& blocks);
  static std::unique_ptr<std::byte, release> reserve(std::size_t bytes);
  [[nodiscard]] std::vector<color_block> blocks_side_by_side();
  [[nodiscard]] std::vector<color_block> blocks_of_rows();
  [[nodiscard]] std::unique_ptr<row_store> make_rows(std::size_t color) const;
  [[nodiscard]] std::vector<color_block> blocks_for_themselves(
    std::unique_ptr<std::byte, release>& memory) const;
  void move(std::size_t color);
  /// Of the colors that the rank has now.
  void lay_out();
  void make_parts();
  void move_values(const color_carrier& carrier);
  void move_rows(const color_carrier& carrier);
  /// Bytes between two colors' memory, and where a color's may begin.
  [[nodiscard]] std::size_t alignment() const;
  [[nodiscard]] std::size_t stagger() const;

  const std::shared_ptr<topology_state> topology_;
  const std::unique_ptr<growing_channel_numbers> channels_of_rows_; ///< Of ragged fields only.
  const std::uint32_t number_;
  std::string name_;
  std::size_t value_size_;
  std::size_t value_alignment_;
  std::size_t its_own_;             ///< No bit is set if all colors see the same.
  const std::int64_t thinner_halo_; ///< Or -1.
  const local_elements& elements_;
  bool is_together_;
  std::unique_ptr<std::byte, release> memory_;
  std::unique_ptr<std::byte, release> memory_apart_; ///< Some may still read the other one ...
  std::atomic<std::size_t> moves_left_{0};           ///< ... until so many colors have moved.
  std::vector<color_block> blocks_;
  std::vector<color_block> blocks_apart_;
  std::vector<std::unique_ptr<row_store>> rows_; ///< Of each color, the same.
  fixed_array<part> parts_;
#ifdef RONDO_CHECKS
  std::vector<block_limits> limits_;

public:
  bool was_used = false; ///< Written, or read and that was said.
#endif
};

} // namespace detail::inline distributed

/// A row of T for each element: ragged.hpp.
template<class T>
struct ragged;

namespace detail::inline distributed {
template<class>
inline constexpr bool is_ragged = false;
template<class T>
inline constexpr bool is_ragged<ragged<T>> = true;
} // namespace detail::inline distributed

/// What all kinds of fields have in common.
class field_handle {
public:
  [[nodiscard]] const char* name() const { return state().name(); }
  /// The same on all ranks; nothing else has it.
  [[nodiscard]] std::uint32_t number() const { return state().number(); }

  /// For launches.
  [[nodiscard]] detail::field_state& state() const {
    if(state_ == nullptr) [[unlikely]]
      detail::refuse_moved("rondo::field");
    return *state_;
  }

protected:
  explicit field_handle(std::unique_ptr<detail::field_state> s) : state_(std::move(s)) {}
  field_handle(field_handle&&) noexcept = default;
  field_handle& operator=(field_handle&& other) noexcept {
    if(other.state_ != nullptr)
      other.state_->note_swap();
    state_ = std::move(other.state_);
    return *this;
  }
  ~field_handle() = default;

private:
  std::unique_ptr<detail::field_state> state_;
};

template<class T>
class field : public field_handle {
  static_assert(std::is_trivially_copyable_v<T>,
    "rondo::field: values travel between ranks as bytes; "
    "their type must be trivially copyable");
  static_assert(alignof(T) <= 4096, "rondo::field: no value may be aligned to more than a page");

public:
  using value_type = T;
  template<privilege Owned, auto Ghosts = na, int Depth = whole_halo>
  using accessor =
    field_accessor<T, Owned, Ghosts, detail::accessor_arguments<T, Owned, Ghosts, Depth>::depth>;

  explicit field(const topology& t, std::string name = "field",
    std::source_location where = std::source_location::current())
      : field(t, std::move(name), field_options(), where) {}
  field(const topology& t, std::string name, const field_options& options,
    std::source_location where = std::source_location::current())
      : field_handle(std::make_unique<detail::field_state>(t, std::move(name), options,
          detail::field_state::value_layout{sizeof(T), alignof(T)}, where)) {}

  field(field&& other) noexcept = default;
  /// In the body of repeat() or iterate() nothing can be launched after this: passes are launched ahead, so nobody knows what the
  /// variable would stand for after the loop.
  field& operator=(field&& other) noexcept = default;
};

} // namespace rondo
