#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

// A picture that a program without meshes draws, and the shortest way to a file that everything opens: PNG without
// compression. Programs with meshes say s.write("u.png", m, u).

struct rgb {
  std::uint8_t red, green, blue;
  bool operator==(const rgb&) const = default;
};

struct picture {
  std::size_t width, height;
  std::vector<rgb> pixels = std::vector<rgb>(width * height);

  rgb& at(std::size_t x, std::size_t y) { return pixels[y * width + x]; }
  const rgb& at(std::size_t x, std::size_t y) const { return pixels[y * width + x]; }
};

namespace png {

inline void big_endian(std::string& out, std::uint32_t value) {
  for(int shift = 24; shift >= 0; shift -= 8)
    out += static_cast<char>(value >> shift & 0xff);
}

/// The CRC of ISO 3309, byte by byte from a table.
inline std::uint32_t crc(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for(std::uint32_t n = 0; n < 256; ++n) {
      t[n] = n;
      for(int bit = 0; bit < 8; ++bit)
        t[n] = (t[n] & 1) != 0 ? 0xedb88320U ^ (t[n] >> 1) : t[n] >> 1;
    }
    return t;
  }();
  std::uint32_t c = 0xffffffffU;
  for(const char byte : bytes)
    c = table[(c ^ static_cast<unsigned char>(byte)) & 0xff] ^ (c >> 8);
  return ~c;
}

inline std::uint32_t adler(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for(const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

/// A zlib stream of stored blocks.
inline std::string stored(std::string_view bytes) {
  std::string out = "\x78\x01";
  const std::uint32_t sum = adler(bytes);
  do {
    const auto block = bytes.substr(0, 0xffff);
    bytes.remove_prefix(block.size());
    const auto size = static_cast<unsigned>(block.size());
    const unsigned complement = ~size & 0xffff;
    out += bytes.empty() ? '\1' : '\0';
    for(const unsigned half : {size & 0xff, size >> 8, complement & 0xff, complement >> 8})
      out += static_cast<char>(half);
    out += block;
  } while(!bytes.empty());
  big_endian(out, sum);
  return out;
}

inline void chunk(std::string& out, std::string_view type, std::string_view data) {
  big_endian(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t checked = out.size();
  out += type;
  out += data;
  big_endian(out, crc(std::string_view(out).substr(checked)));
}

} // namespace png

/// Returns false if the file can't be written.
inline bool write_png(const picture& p, const std::string& path) {
  std::string header;
  png::big_endian(header, static_cast<std::uint32_t>(p.width));
  png::big_endian(header, static_cast<std::uint32_t>(p.height));
  header += std::string_view("\x08\x02\0\0\0", 5); // 8 bits, colours, the only compression, ...

  std::string rows;
  rows.reserve(p.height * (3 * p.width + 1));
  for(std::size_t y = 0; y < p.height; ++y) {
    rows += '\0'; // unfiltered
    for(std::size_t x = 0; x < p.width; ++x)
      for(const std::uint8_t part : {p.at(x, y).red, p.at(x, y).green, p.at(x, y).blue})
        rows += static_cast<char>(part);
  }

  std::string out = "\x89PNG\r\n\x1a\n";
  png::chunk(out, "IHDR", header);
  png::chunk(out, "IDAT", png::stored(rows));
  png::chunk(out, "IEND", {});
  std::ofstream file(path, std::ios::binary);
  file << out << std::flush;
  return file.good();
}
