#include "colors.hpp"

#include <array>
#include <cstddef>
#include <set>

namespace rondo::report {

namespace {

// Hues are Paul Tol's, which people with any kind of colour vision tell apart.
constexpr std::array<std::uint32_t, 12> hues{0x4477aa, 0xee8866, 0x228833, 0x66ccee, 0xaa3377,
  0xccbb44, 0x44bb99, 0xffaabb, 0x999933, 0x77aadd, 0xcc6677, 0xddcc77};

color color_from(std::uint32_t hue, float brightness) {
  const auto part = [&](unsigned shift) {
    return static_cast<float>((hue >> shift) & 0xffU) * brightness;
  };
  return {part(16), part(8), part(0)};
}

std::uint32_t hash_of(std::string_view text) { // FNV-1a
  std::uint32_t hash = 2166136261U;
  for(const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

bool is_phase(const slice& s) {
  return s.time != nullptr && s.time->what == detail::told_time::what_type::phase;
}

std::set<std::string> names_in(const detail::timeline& t) {
  std::set<std::string> names;
  for(const auto& rank : t.ranks)
    for(const auto& lane : rank.lanes) {
      std::set<std::pair<bool, std::uint32_t>> seen;
      const auto add = [&](const slice& s) {
        if(seen.emplace(s.time != nullptr, s.site).second)
          names.insert(name_of(lane, s));
      };
      for(const auto& piece : lane.tasks)
        add({0, 0, piece.site, &piece, nullptr});
      for(const auto& time : lane.times)
        if(const slice s{0, 0, time.site, nullptr, &time}; is_phase(s))
          add(s);
    }
  return names;
}

} // namespace

color_table::color_table(const detail::timeline& t) {
  std::set<std::size_t> taken;
  for(const std::string& name : names_in(t)) {
    if(taken.size() == hues.size())
      taken.clear();
    std::size_t hue = hash_of(name) % hues.size();
    while(taken.contains(hue))
      hue = (hue + 1) % hues.size();
    taken.insert(hue);
    constexpr std::array<float, 3> brightness{1, 0.75F, 0.5625F};
    colors_.emplace(name, color_from(hues[hue], brightness[colors_.size() / hues.size() % 3]));
  }
}

color color_table::of(const std::string& name) const {
  const auto at = colors_.find(name);
  return at == colors_.end() ? grey_of_waits : at->second;
}

color color_table::of(const detail::timeline_lane& lane, const slice& s) const {
  if(is_phase(s))
    return mixed(of(name_of(lane, s)), {255, 255, 255}, 0.6F);
  if(s.time != nullptr)
    return s.time->what == detail::told_time::what_type::slept ? grey_of_sleep : grey_of_waits;
  return of(name_of(lane, s));
}

color mixed(const color& a, const color& b, float share_of_b) {
  const auto mix = [&](float x, float y) { return x + (y - x) * share_of_b; };
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

} // namespace rondo::report
