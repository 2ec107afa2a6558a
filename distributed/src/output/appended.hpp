#pragma once

/// \file
/// Files of VTK in XML: a header that describes arrays, and behind it all values as they are in memory.

#include <cstdint>
#include <string>
#include <string_view>

#include "format.hpp"

namespace rondo::detail::inline distributed {

class appended_format : public file_format {
public:
  void create(const std::string& path, file_contents& c) const override;

protected:
  /// The XML up to the values. `begin`: where offsets are counted from; the length doesn't depend on that.
  [[nodiscard]] virtual std::string description(
    const file_contents& c, std::uint64_t begin) const = 0;
};

extern const char* const byte_order_in_xml;

/// The XML declaration, and the tag that all is in.
[[nodiscard]] std::string begin_of_xml(const char* type);
/// The time as an array of the field data; empty if there is none.
[[nodiscard]] std::string time_in_xml(const file_contents& c);
/// `has_size`: readers don't know from elsewhere how many values it has.
[[nodiscard]] std::string array_in_xml(
  const file_contents::values& f, std::uint64_t begin, bool has_size);

} // namespace rondo::detail::inline distributed
