#include <rondo/tracing/empty_future.hpp>

#include <stdexcept>
#include <string>

#include <rondo/core/place.hpp>

namespace rondo::detail::inline tracing {

void refuse_empty_future(
  const std::source_location& where, const char* launch, const char* what, const char* example) {
  std::string text = where.line() == 0 ? "rondo::flow: " : place(where) + ": ";
  text += *launch == '\0' ? "submit" : launch;
  text += ": ";
  text += what;
  text +=
    " an empty future, one that was default-constructed or moved from, so its value will never "
    "come; give it a value first, such as ";
  text += example;
  throw std::logic_error(text);
}

void refuse_empty_future(const std::source_location& where, const char* launch, const char* what,
  unsigned which, const char* example) {
  refuse_empty_future(
    where, launch, (what + std::string(" ") + std::to_string(which) + " is").c_str(), example);
}

} // namespace rondo::detail::inline tracing
