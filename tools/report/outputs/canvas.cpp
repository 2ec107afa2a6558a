#include "canvas.hpp"

#include "file_to_write.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>

namespace rondo::report {

namespace {

constexpr const char* dots = "\xe2\x80\xa6";

void check(cairo_status_t status) {
  if(status != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error(
      std::string("can't draw the picture: ") + cairo_status_to_string(status));
}

/// Without the last character, which in UTF-8 may be several bytes.
void shorten(std::string& text) {
  while(!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0U) == 0x80)
    text.pop_back();
  if(!text.empty())
    text.pop_back();
}

/// On one line.
std::string flat(std::string text) {
  for(char& c : text)
    if(static_cast<unsigned char>(c) < 0x20)
      c = ' ';
  return text;
}

} // namespace

canvas::canvas(int width, int height)
    : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)),
      cairo_(cairo_create(surface_.get())) {
  check(cairo_status(cairo_.get()));
  fill(0, 0, width, height, {255, 255, 255});
}

void canvas::fill(double x, double y, double width, double height, const color& c) {
  use(c);
  cairo_rectangle(cairo_.get(), x, y, width, height);
  cairo_fill(cairo_.get());
}

void canvas::row(double x, double y, double height, const std::vector<color>& pixels) {
  const auto width = static_cast<int>(pixels.size());
  const std::unique_ptr<cairo_surface_t, ends> image(
    cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, 1));
  check(cairo_surface_status(image.get()));
  cairo_surface_flush(image.get());
  auto* const to =
    reinterpret_cast<std::uint32_t*>(static_cast<void*>(cairo_image_surface_get_data(image.get())));
  const auto byte = [](float part) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(part, 0.0F, 255.0F)));
  };
  for(std::size_t i = 0; i != pixels.size(); ++i)
    to[i] = byte(pixels[i].red) << 16U | byte(pixels[i].green) << 8U | byte(pixels[i].blue);
  cairo_surface_mark_dirty(image.get());

  cairo_t* const c = cairo_.get();
  cairo_save(c);
  cairo_translate(c, x, y);
  cairo_scale(c, 1, height);
  cairo_set_source_surface(c, image.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(c), CAIRO_FILTER_NEAREST);
  cairo_rectangle(c, 0, 0, width, 1);
  cairo_fill(c);
  cairo_restore(c);
}

void canvas::text(
  double x, double middle, const std::string& text, const font& f, align at, double most) {
  use(f);
  std::string shown = flat(text);
  if(width_of(shown) > most) {
    while(!shown.empty() && width_of(shown + dots) > most)
      shorten(shown);
    shown += dots;
  }
  const double width = width_of(shown);
  const double left = at == align::left ? x : at == align::center ? x - width / 2 : x - width;
  use(f.ink);
  cairo_move_to(cairo_.get(), std::round(left), std::round(middle + 0.36 * f.size));
  cairo_show_text(cairo_.get(), shown.c_str());
}

double canvas::width_of(const std::string& text, const font& f) {
  use(f);
  return width_of(flat(text));
}

double canvas::width_of(const std::string& text) {
  cairo_text_extents_t extents{};
  cairo_text_extents(cairo_.get(), text.c_str(), &extents);
  return extents.x_advance;
}

void canvas::use(const font& f) {
  cairo_select_font_face(cairo_.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
    f.is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo_.get(), f.size);
}

void canvas::use(const color& c) {
  constexpr double most = 255;
  cairo_set_source_rgb(cairo_.get(), c.red / most, c.green / most, c.blue / most);
}

void canvas::save(const std::string& file, int height) const {
  check(cairo_status(cairo_.get()));
  cairo_surface_t* const all = surface_.get();
  cairo_surface_flush(all);
  const std::unique_ptr<cairo_surface_t, ends> part(cairo_image_surface_create_for_data(
    cairo_image_surface_get_data(all), CAIRO_FORMAT_RGB24, cairo_image_surface_get_width(all),
    std::min(height, cairo_image_surface_get_height(all)), cairo_image_surface_get_stride(all)));
  check(cairo_surface_status(part.get()));
  struct sink {
    file_to_write out;
    std::exception_ptr failure;
  } to{file_to_write(file), nullptr};
  const auto write = [](void* at, const unsigned char* bytes, unsigned n) {
    auto& s = *static_cast<sink*>(at);
    try { // no exception may pass through cairo
      s.out.write({static_cast<const char*>(static_cast<const void*>(bytes)), n});
      return CAIRO_STATUS_SUCCESS;
    }
    catch(...) {
      s.failure = std::current_exception();
      return CAIRO_STATUS_WRITE_ERROR;
    }
  };
  const cairo_status_t status = cairo_surface_write_to_png_stream(part.get(), write, &to);
  if(to.failure)
    std::rethrow_exception(to.failure);
  check(status);
  to.out.close();
}

} // namespace rondo::report
