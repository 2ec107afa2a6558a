#include "columns.hpp"

#include <stdexcept>

#include <zlib.h>

namespace rondo::report {

std::string base64(const std::vector<unsigned char>& bytes) {
  static constexpr char letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for(std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const std::uint32_t three = std::uint32_t{bytes[i]} << 16U |
                                (left > 1 ? std::uint32_t{bytes[i + 1]} << 8U : 0U) |
                                (left > 2 ? std::uint32_t{bytes[i + 2]} : 0U);
    text += letters[three >> 18U];
    text += letters[three >> 12U & 63U];
    text += left > 1 ? letters[three >> 6U & 63U] : '=';
    text += left > 2 ? letters[three & 63U] : '=';
  }
  return text;
}

std::string columns::text() const {
  if(bytes_.empty())
    return {};
  std::vector<unsigned char> packed(compressBound(bytes_.size()));
  uLongf size = packed.size();
  // The fastest level: the others take several times as long for some percent less.
  if(compress2(packed.data(), &size, bytes_.data(), bytes_.size(), 1) != Z_OK)
    throw std::runtime_error("there is no memory to compress the page");
  packed.resize(size);
  return base64(packed);
}

} // namespace rondo::report
