#include "png.hpp"

#ifndef RONDO_REPORT_CAIRO

#include <stdexcept>

namespace rondo::report {

void write_png(const detail::timeline& /*t*/, const std::string& /*file*/, int /*width*/) {
  throw std::runtime_error("rondo-report was built without cairo: install libcairo2-dev (Debian), "
                           "cairo-devel (Fedora) or cairo "
                           "(Spack), and build it again");
}

} // namespace rondo::report

#else

#include "picture.hpp"

namespace rondo::report {

void write_png(const detail::timeline& t, const std::string& file, int width) {
  picture(t, width).save(file);
}

} // namespace rondo::report

#endif
