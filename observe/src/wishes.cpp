#include <rondo/observe/wishes.hpp>

#include <cstdlib>
#include <stdexcept>

namespace rondo::detail::inline observe {

wishes wishes::from(std::string_view text) {
  constexpr std::string_view with_file = "digest=";
  wishes w;
  while(!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(one.size() == text.size() ? one.size() : one.size() + 1);
    if(one == "digest")
      w.wants_digest = true;
    else if(one.starts_with(with_file) && one.size() != with_file.size()) {
      w.wants_digest = true;
      w.json_file = one.substr(with_file.size());
    }
    else
      throw std::invalid_argument(
        "rondo: RONDO_OBSERVE=" + std::string(one) +
        ": expected digest, which is printed at the end, or digest=FILE.json");
  }
  return w;
}

wishes wishes::from_environment() {
  const char* const text = std::getenv("RONDO_OBSERVE");
  return text != nullptr ? from(text) : wishes();
}

} // namespace rondo::detail::inline observe
