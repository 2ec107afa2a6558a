#pragma once

/// \file
/// The rows of a ragged field for one color: how they lie in memory, and how they change.
///
/// *Places.* An element has the place that it would have in a field with a value for each: see block.hpp. For each place there
/// are two numbers, where its row begins and where it ends, in values. All values of owned rows are in one piece of memory.
///
/// *Packed* are rows that follow each other in the order of their elements, with nothing between them. Then the end of a row is the begin of the
/// next one, and if the owned elements are numbered from 0, as those of unstructured meshes are, that is one array: four
/// bytes for each row. A reader does the same in any case; it only finds both numbers at other addresses.
///
/// *Loose* are rows while they change, which goes as in a vector of vectors: a row that has no room where it is goes on at the end of all
/// values, and what it leaves there is lost for now. One that is there already grows in place. So rows that are
/// filled one after the other are packed by themselves. When a task ends that has changed as much as a pass over
/// all rows costs, they are packed again: so on average changes cost what they cost without that, up to a factor.
///
/// *Ghosts* are kept apart, since what arrives for some is written while others, and what is owned, are read: a pointer and a length
/// for each, into memory of the halo that has filled them. Their end is `is_ghost`.
///
/// The regions of the field say who may do what, as for other fields. One thread at a time changes lengths: values that others
/// read may move then.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <rondo/distributed/aligned_bytes.hpp>
#include <rondo/distributed/block.hpp>
#include <rondo/distributed/box.hpp>

namespace rondo::detail::inline distributed {

struct element_owners;
class parcel;
class parcel_reader;

class row_store {
public:
  struct of_field {
    const char* name; ///< Stays.
    std::size_t value_size;
    std::size_t alignment;
  };
  /// Has rows for the elements in these boxes; those of others are ghosts.
  row_store(const of_field& f, const block_layout& layout, const std::vector<box<3>>& boxes);

  static constexpr std::uint32_t is_ghost = std::numeric_limits<std::uint32_t>::max();
  struct ghost_row {
    const std::byte* values = nullptr;
    std::size_t size = 0;
  };

  /// By the places of owned elements.
  [[nodiscard]] const std::uint32_t* begins() const { return first_.data() + origin_; }
  [[nodiscard]] const std::uint32_t* ends() const { return ends_ + origin_; }
  [[nodiscard]] std::byte* values() const { return values_.get(); }
  /// Of a place with the end `is_ghost`.
  [[nodiscard]] ghost_row& ghost(std::int64_t place) {
    return ghosts_[static_cast<std::size_t>(place + origin_ - ghosts_from_)];
  }
  [[nodiscard]] const ghost_row& ghost(std::int64_t place) const {
    return ghosts_[static_cast<std::size_t>(place + origin_ - ghosts_from_)];
  }
  /// Of an owned element.
  [[nodiscard]] std::size_t size_of(std::int64_t place) const {
    return ends()[place] - begins()[place];
  }
  [[nodiscard]] std::byte* row(std::int64_t place) const {
    return values() + std::size_t{begins()[place]} * value_size_;
  }

  /// The row of an owned element gets another length, and as many of its values as fit stay. Others are not set. Returns where they are now.
  std::byte* resize(std::int64_t place, std::size_t size);
  /// Room for so many values more, in all rows.
  void reserve(std::size_t more);
  /// By the task that has changed lengths, at its end.
  void end_changes() {
    if(is_loose())
      tighten();
  }
  [[nodiscard]] bool is_loose() const { return !rooms_.empty(); }
  /// Values of all owned rows.
  [[nodiscard]] std::size_t total() const;

  [[nodiscard]] const char* name() const { return field_.name; }
  /// Of particles: whose the cells are that they go to.
  [[nodiscard]] const element_owners& owners() const { return *owners_; }
  void note_owners(const element_owners& o) { owners_ = &o; }

  /// All owned rows go to another rank, and come from one, where the color has the same elements. Nobody has changed them there.
  void put_into(parcel& p) const;
  void take_from(parcel_reader& p);

  /// All rows have no values, and their memory stays.
  void clear();
  /// What tasks add to rows of its ghosts. Made when it is needed for the first time.
  [[nodiscard]] row_store& added() { return *added_; }
  void make_added(const block_layout& layout, const std::vector<box<3>>& ghosts) {
    if(added_ == nullptr)
      added_ = std::make_unique<row_store>(field_, layout, ghosts);
  }

private:
  struct run {
    std::size_t first;
    std::size_t length;
  };

  /// Calls `f` with the number in the arrays of each owned row, in order.
  template<class F>
  void each_owned(F&& f) const {
    for(const run& r : owned_)
      for(std::size_t k = r.first; k != r.first + r.length; ++k)
        f(k);
  }
  [[nodiscard]] aligned_bytes allocate(std::size_t values) const {
    return allocate_aligned(values * value_size_, field_.alignment);
  }
  void loosen();
  void need(std::size_t values);
  void move_to_end(std::size_t k, std::size_t size);
  void tighten();
  [[nodiscard]] bool are_in_order();
  void pack();
  [[noreturn]] void refuse_size() const;
  [[noreturn]] void refuse_place(std::int64_t place) const;

  const of_field field_;
  const std::size_t value_size_;
  const std::int64_t origin_; ///< Of places, in the arrays.
  std::vector<run> owned_;    ///< In the arrays.
  std::size_t owned_rows_ = 0;
  bool begins_are_ends_ = false; ///< When packed.

  std::vector<std::uint32_t> first_; ///< One more than there are elements.
  std::vector<std::uint32_t> last_;  ///< Empty if packed, and begins are ends.
  std::vector<std::uint32_t>
    rooms_; ///< Where the room of each row ends. Empty if nothing has changed.
  const std::uint32_t* ends_ = nullptr; ///< In one of these.
  aligned_bytes values_;
  std::size_t capacity_ = 0; ///< In values, as all that follows.
  std::size_t used_ = 0;
  std::size_t changes_ = 0; ///< Since they were packed.

  std::int64_t ghosts_from_ = 0;
  std::vector<ghost_row> ghosts_;
  std::unique_ptr<row_store> added_;
  const element_owners* owners_ = nullptr;
};

} // namespace rondo::detail::inline distributed
