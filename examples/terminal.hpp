#pragma once

#include "png.hpp"

#include <cstdlib>
#include <ostream>
#include <string>
#include <string_view>
#include <unistd.h>

// Shows a picture in the terminal: in true colour where the terminal says it can, else as text.

/// The mean colour of the part of `p` that is cell (column, row) of a grid.
inline rgb mean(
  const picture& p, std::size_t column, std::size_t columns, std::size_t row, std::size_t rows) {
  unsigned red = 0, green = 0, blue = 0, count = 0;
  for(std::size_t y = row * p.height / rows; y < (row + 1) * p.height / rows; ++y)
    for(std::size_t x = column * p.width / columns; x < (column + 1) * p.width / columns; ++x) {
      red += p.at(x, y).red;
      green += p.at(x, y).green;
      blue += p.at(x, y).blue;
      ++count;
    }
  const auto part = [count](unsigned sum) {
    return static_cast<std::uint8_t>(count == 0 ? 0 : sum / count);
  };
  return {part(red), part(green), part(blue)};
}

inline bool true_colour() {
  const char* const kind = std::getenv("COLORTERM");
  return isatty(STDOUT_FILENO) != 0 && kind != nullptr &&
         (std::string_view(kind) == "truecolor" || std::string_view(kind) == "24bit");
}

inline void show(std::ostream& out, const picture& p, std::size_t columns = 78) {
  // A character cell is about twice as high as wide.
  const std::size_t rows = columns * p.height / p.width / 2;
  const auto code = [](const char* ground, rgb c) {
    return std::string("\x1b[") + ground + ";2;" + std::to_string(c.red) + ';' +
           std::to_string(c.green) + ';' + std::to_string(c.blue) + 'm';
  };
  for(std::size_t row = 0; row < rows; ++row) {
    for(std::size_t column = 0; column < columns; ++column) {
      if(true_colour()) {
        // Two pixels in one cell: the upper half in the foreground's colour.
        out << code("38", mean(p, column, columns, 2 * row, 2 * rows))
            << code("48", mean(p, column, columns, 2 * row + 1, 2 * rows)) << "\u2580";
      }
      else {
        constexpr std::string_view dark_to_bright = " .:-=+*#%@";
        const rgb c = mean(p, column, columns, row, rows);
        const unsigned brightness = (c.red * 2U + c.green * 5U + c.blue) / 8;
        out << dark_to_bright[brightness * dark_to_bright.size() / 256];
      }
    }
    out << (true_colour() ? "\x1b[0m\n" : "\n");
  }
}
