#include "protobuf.hpp"

namespace rondo::report {

namespace {

// The lowest three bits of what precedes a field: how its value is written.
constexpr std::uint64_t as_varint = 0;
constexpr std::uint64_t as_fixed64 = 1;
constexpr std::uint64_t as_bytes = 2;

constexpr std::uint64_t head(std::uint32_t field, std::uint64_t how) {
  return (std::uint64_t{field} << 3U) | how;
}

} // namespace

void protobuf::add(std::uint32_t field, std::uint64_t number) {
  varint(head(field, as_varint));
  varint(number);
}

void protobuf::add(std::uint32_t field, std::string_view text) {
  varint(head(field, as_bytes));
  varint(text.size());
  bytes_ += text;
}

void protobuf::add_fixed64(std::uint32_t field, std::uint64_t number) {
  varint(head(field, as_fixed64));
  for(int i = 0; i != 8; ++i)
    bytes_ += static_cast<char>((number >> (8U * static_cast<unsigned>(i))) & 0xffU);
}

void protobuf::varint(std::uint64_t number) {
  for(; number >= 0x80; number >>= 7U)
    bytes_ += static_cast<char>((number & 0x7fU) | 0x80U);
  bytes_ += static_cast<char>(number);
}

} // namespace rondo::report
