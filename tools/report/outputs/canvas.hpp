#pragma once

/// \file
/// What is drawn on: a picture in memory, by cairo.

#include "colors.hpp"

#include <memory>
#include <string>
#include <vector>

#include <cairo.h>

namespace rondo::report {

struct font {
  double size = 11;
  bool is_bold = false;
  color ink{0x20, 0x24, 0x28};
};
enum class align { left, center, right };

class canvas {
public:
  canvas(int width, int height);

  void fill(double x, double y, double width, double height, const color& c);
  /// One pixel wide each.
  void row(double x, double y, double height, const std::vector<color>& pixels);

  /// `middle`: the height at which the middle of its small letters is. Too long a text ends with dots.
  void text(double x, double middle, const std::string& text, const font& f, align at = align::left,
    double most = 1e9);
  [[nodiscard]] double width_of(const std::string& text, const font& f);

  /// The upper part of it. Throws std::runtime_error.
  void save(const std::string& file, int height) const;

private:
  struct ends {
    void operator()(cairo_surface_t* s) const noexcept { cairo_surface_destroy(s); }
    void operator()(cairo_t* c) const noexcept { cairo_destroy(c); }
  };

  void use(const font& f);
  double width_of(const std::string& text);
  void use(const color& c);

  std::unique_ptr<cairo_surface_t, ends> surface_;
  std::unique_ptr<cairo_t, ends> cairo_;
};

} // namespace rondo::report
