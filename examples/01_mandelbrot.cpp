// A loop whose iterations cost very different amounts, on all cores.
//
//     01_mandelbrot [FILE.png] [WIDTH]
//
// Points close to the Mandelbrot set take hundreds of steps, those far from it a few dozen, so
// cutting the picture into equal parts would leave cores idle. Nothing here says how to cut:
// for_each_index finds out.

#include "png.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <rondo/core/algorithm.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/options.hpp>

namespace {

constexpr int most_steps = 1000;

/// How fast the point escapes, as a smooth number; most_steps if it doesn't.
double escape(double cx, double cy) {
  double x = 0, y = 0;
  for(int step = 0; step < most_steps; ++step) {
    const double xx = x * x, yy = y * y;
    if(xx + yy > 256)
      return step + 1 - std::log2(std::log2(xx + yy) / 8);
    y = 2 * x * y + cy;
    x = xx - yy + cx;
  }
  return most_steps;
}

rgb colour(double escaped) {
  if(escaped >= most_steps)
    return {0, 0, 0};
  const double turn = 3.6 + 0.55 * std::sqrt(std::max(escaped, 0.0));
  const auto wave = [turn](double shift) {
    return static_cast<std::uint8_t>(127.5 - 127.5 * std::cos(turn + shift));
  };
  return {wave(0.0), wave(-0.6), wave(-1.4)};
}

/// One row, each pixel the mean of four points in it.
void draw_row(picture& p, std::size_t row) {
  constexpr double centre_x = -0.7437, centre_y = 0.1314, across = 0.0035;
  const double pixel = across / static_cast<double>(p.width);
  for(std::size_t column = 0; column < p.width; ++column) {
    const double left =
      centre_x + (static_cast<double>(column) - static_cast<double>(p.width) / 2) * pixel;
    const double top =
      centre_y - (static_cast<double>(row) - static_cast<double>(p.height) / 2) * pixel;
    unsigned red = 0, green = 0, blue = 0;
    for(int sample = 0; sample < 4; ++sample) {
      const rgb c = colour(escape(
        left + pixel * (0.25 + 0.5 * (sample % 2)), top - pixel * (0.25 + 0.5 * (sample / 2))));
      red += c.red;
      green += c.green;
      blue += c.blue;
    }
    p.at(column, row) = {static_cast<std::uint8_t>(red / 4), static_cast<std::uint8_t>(green / 4),
      static_cast<std::uint8_t>(blue / 4)};
  }
}

template<class F>
double seconds(F f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

int main(int argc, char** argv) {
  std::string path = "mandelbrot.png";
  std::size_t width = 1280;
  rondo::options o("A loop whose iterations cost very different amounts.");
  o.argument("FILE", &path, "where the picture goes");
  o.argument("WIDTH", &width, "pixels").between(16, 16384);
  o.parse(argc, argv);
  const std::size_t height = width * 9 / 16;

  picture serial{width, height};
  const double alone = seconds([&] {
    for(std::size_t row = 0; row < height; ++row)
      draw_row(serial, row);
  });

  rondo::executor ex; // one worker for each core this process may use
  picture parallel{width, height};
  const double together = seconds([&] {
    rondo::for_each_index(
      ex, rondo::extents{height}, [&](std::size_t row) { draw_row(parallel, row); });
  });

  if(parallel.pixels != serial.pixels) {
    std::cerr << "the two pictures differ: please report this\n";
    return 1;
  }
  show(std::cout, parallel);
  std::printf("\n%zu x %zu pixels   one core %.2f s   %u worker%s %.2f s   speed-up %.2f\n", width,
    height, alone, ex.workers(), ex.workers() == 1 ? "" : "s", together, alone / together);

  if(!write_png(parallel, path)) {
    std::cerr << "can't write " << path << '\n';
    return 1;
  }
  std::printf("picture: %s\n", path.c_str());
}
