#include <rondo/observe/wishes.hpp>

#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include <rondo/core/nearest.hpp>
#include <rondo/core/option_value.hpp>

namespace rondo::detail::inline observe {

namespace {

/// What stands behind `word=`; empty if it is another word, or nothing does.
std::string_view behind(std::string_view word, std::string_view text) {
  if(!text.starts_with(word) || text.size() <= word.size() + 1 || text[word.size()] != '=')
    return {};
  return text.substr(word.size() + 1);
}

[[noreturn]] void refuse(std::string_view what) {
  static constexpr std::string_view words[] = {"digest", "timeline"};
  const std::string_view meant = nearest(what.substr(0, what.find('=')), words);
  throw std::invalid_argument(
    "rondo: RONDO_OBSERVE=" + std::string(what) +
    ": expected digest, which is printed at the end, digest=FILE.json, timeline=FILE, or several "
    "with commas" +
    (meant.empty() || meant == what.substr(0, what.find('='))
        ? ""
        : "; did you mean " + std::string(meant) + "?"));
}

std::size_t memory_from(const char* text) {
  std::int64_t megabytes = 0;
  constexpr std::int64_t most = 1L << 20U;
  if(!read_number(text, megabytes) || megabytes < 1 || megabytes > most)
    throw std::invalid_argument("rondo: RONDO_TIMELINE_MEMORY=" + std::string(text) +
                                ": expected MiB for the events of a rank, such as 128");
  return static_cast<std::size_t>(megabytes) << 20U;
}

} // namespace

wishes wishes::from(std::string_view text) {
  wishes w;
  while(!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(one.size() == text.size() ? one.size() : one.size() + 1);
    const std::string_view file = behind("digest", one);
    const std::string_view timeline = behind("timeline", one);
    if(one != "digest" && file.empty() && timeline.empty())
      refuse(one);
    if((!file.empty() && !w.json_file.empty()) || (!timeline.empty() && !w.timeline_file.empty()))
      throw std::invalid_argument("rondo: RONDO_OBSERVE names two files for the same: " +
                                  (timeline.empty() ? w.json_file : w.timeline_file) + " and " +
                                  std::string(one.substr(one.find('=') + 1)));
    if(!file.empty())
      w.json_file = file;
    if(!timeline.empty())
      w.timeline_file = timeline;
    else
      w.wants_digest = true;
  }
  return w;
}

wishes wishes::from_environment() {
  const char* const text = std::getenv("RONDO_OBSERVE");
  wishes w = text != nullptr ? from(text) : wishes();
  if(const char* const memory = std::getenv("RONDO_TIMELINE_MEMORY"))
    w.timeline_memory = memory_from(memory);
  return w;
}

} // namespace rondo::detail::inline observe
