#include "sites.hpp"

#include <exception>
#include <utility>

#include "../names.hpp"

namespace rondo::detail::inline observe {

namespace {
std::uint64_t hash_of(const site_key& k) {
  std::uint64_t h = reinterpret_cast<std::uintptr_t>(k.name);
  for(const std::uint64_t part : {std::uint64_t{reinterpret_cast<std::uintptr_t>(k.file)},
        std::uint64_t{k.line}, std::uint64_t{k.flow}, std::uint64_t{k.step},
        std::uint64_t{static_cast<std::uint8_t>(k.kind)}})
    h = (h ^ (h >> 29U)) * 0x9e3779b97f4a7c15U + part;
  return h ^ (h >> 32U);
}
} // namespace

site_table::site_table() : keys_(1), sites_(1), places_(64) { sites_[0].what.name = "(others)"; }

void site_table::grow() {
  std::vector<std::uint32_t> larger(2 * places_.size());
  for(std::uint32_t n = 1; n != keys_.size(); ++n) {
    std::size_t at = hash_of(keys_[n]) & (larger.size() - 1);
    while(larger[at] != 0)
      at = (at + 1) & (larger.size() - 1);
    larger[at] = n;
  }
  places_ = std::move(larger);
}

std::uint32_t site_table::look_up(const site_key& key) noexcept {
  std::size_t at = hash_of(key) & (places_.size() - 1);
  for(; places_[at] != 0; at = (at + 1) & (places_.size() - 1))
    if(keys_[places_[at]] == key)
      return places_[at];
  return 0;
}

std::uint32_t site_table::add(const site_key& key, site what) {
  const auto number = static_cast<std::uint32_t>(sites_.size());
  if(number == most)
    return 0;
  keys_.resize(number); // one more is there if there was no memory for its site
  keys_.push_back(key);
  sites_.push_back(std::move(what));
  if(2 * sites_.size() > places_.size())
    grow(); // with this one
  else {
    std::size_t at = hash_of(key) & (places_.size() - 1);
    while(places_[at] != 0)
      at = (at + 1) & (places_.size() - 1);
    places_[at] = number;
  }
  return number;
}

std::uint32_t site_table::find(const site_key& key, const std::source_location& where) noexcept {
  try {
    if(const std::uint32_t number = look_up(key))
      return number;
    std::string at = key.line != 0 ? short_place(where) : std::string();
    return add(key, {{key.name, std::move(at), key.kind, key.flow}, key.step});
  }
  catch(const std::exception&) { // no memory
    return 0;
  }
}

std::uint32_t site_table::number_of(const known_site& k) noexcept {
  try {
    const std::uint32_t number = look_up(k.key);
    return number != 0 ? number : add(k.key, k.what);
  }
  catch(const std::exception&) {
    return 0;
  }
}

} // namespace rondo::detail::inline observe
