#include "gmsh/cursor.hpp"

#include <cstring>

namespace rondo::detail::gmsh {

std::string_view cursor::line() {
  const char* begin = at_;
  const void* const found = std::memchr(at_, '\n', bytes_left());
  const char* end = found != nullptr ? static_cast<const char*>(found) : file_->end();
  at_ = found != nullptr ? end + 1 : end;
  while(begin != end && is_blank(*begin))
    ++begin;
  while(end != begin && is_blank(end[-1]))
    --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

void cursor::end_of_section(std::string_view name) {
  if(!skip_blanks())
    fail_at_end();
  const char* const here = at_;
  const std::string expected = "$End" + std::string(name);
  if(line() != expected)
    file_->fail(here, expected + " should be here, and there is " + file_->word(here) +
                        ": a count is wrong, or the file is damaged");
}

} // namespace rondo::detail::gmsh
