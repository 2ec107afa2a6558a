#include "wish.hpp"

#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include <rondo/core/option_value.hpp>

namespace rondo::detail::inline distributed {

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw std::invalid_argument(
    "rondo: RONDO_PLAN=" + std::string(text) + ": " + why +
    "; expected ranks=N,to=FILE, and if wanted workers=N, first=N, last=N");
}

unsigned number(std::string_view text, std::string_view value, unsigned least, unsigned most) {
  std::int64_t n = 0;
  if(!read_number(value, n) || n < least || n > most)
    refuse(text, std::string(value)
                   .append(" is no number from ")
                   .append(std::to_string(least))
                   .append(" to ")
                   .append(std::to_string(most)));
  return static_cast<unsigned>(n);
}

} // namespace

plan_wish plan_wish::from(std::string_view text) {
  plan_wish w;
  bool has_last = false;
  for(std::string_view left = text; !left.empty();) {
    const std::string_view one = left.substr(0, left.find(','));
    left.remove_prefix(one.size() == left.size() ? one.size() : one.size() + 1);
    const std::string_view word = one.substr(0, one.find('='));
    const std::string_view value =
      one.size() > word.size() ? one.substr(word.size() + 1) : one.substr(word.size());
    if(word == "ranks")
      w.ranks = number(text, value, 1, most_ranks);
    else if(word == "workers")
      w.workers = number(text, value, 1, 1024);
    else if(word == "first")
      w.first = number(text, value, 0, most_ranks);
    else if(word == "last") {
      w.last = number(text, value, 1, most_ranks);
      has_last = true;
    }
    else if(word == "to" && value.empty())
      refuse(text, "there is no file behind to=");
    else if(word == "to")
      w.file = std::string(value);
    else
      refuse(text, std::string(one).append(" is not known"));
  }
  if(w.ranks == 0 || w.file.empty())
    refuse(text, w.ranks == 0 ? "it does not say how many ranks" : "it does not say to which file");
  if(!has_last)
    w.last = w.ranks;
  if(w.first >= w.last || w.last > w.ranks)
    refuse(text, std::string("first has to be less than last, and last ")
                   .append(std::to_string(w.ranks))
                   .append(" at the most"));
  return w;
}

std::optional<plan_wish> plan_wish::from_environment() {
  const char* const text = std::getenv("RONDO_PLAN");
  if(text == nullptr || *text == '\0')
    return std::nullopt;
  return from(text);
}

} // namespace rondo::detail::inline distributed
