#include <rondo/distributed/color_carrier.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include <rondo/distributed/partition.hpp>
#include <rondo/distributed/team.hpp>

namespace rondo::detail::inline distributed {

void parcel_reader::refuse(const char* what) const {
  throw std::logic_error("rondo: balance: of what color " + std::to_string(color_) +
                         " has brought along " + what +
                         " is taken than was put in; `move` of the index space takes what it has "
                         "put, in the same order and with the same types (docs/balance.md)");
}

color_carrier::color_carrier(team& all, const partition& from, const partition& to)
    : all_(all), from_(from.mine()), to_(to.mine()) {
  const auto add = [](std::vector<peer>& peers, unsigned rank, std::size_t color) {
    const auto at =
      std::find_if(peers.begin(), peers.end(), [rank](const peer& p) { return p.rank == rank; });
    if(at != peers.end())
      at->colors.push_back(color);
    else
      peers.push_back({rank, {color}});
  };
  for(std::size_t c = 0; c != from_.size(); ++c) {
    const unsigned goes_to = to.rank_of(from_[c]);
    if(goes_to != from.rank())
      add(outgoing_, goes_to, c);
    else
      kept_.push_back({c, to_.local(from_[c])});
  }
  for(std::size_t c = 0; c != to_.size(); ++c)
    if(const unsigned comes_from = from.rank_of(to_[c]); comes_from != from.rank())
      add(incoming_, comes_from, c);
  std::int64_t left = static_cast<std::int64_t>(from_.size() - kept_.size());
  all_.add_up({&left, 1});
  moved_ = static_cast<std::uint64_t>(left);
}

void color_carrier::carry_parcels(const std::function<void(std::size_t, parcel&)>& pack,
  const std::function<void(std::size_t, parcel_reader&)>& unpack) const {
  std::vector<team::letter_to> out;
  for(const peer& p : outgoing_) {
    parcel all;
    for(const std::size_t c : p.colors) {
      all.put(std::uint64_t{0}); // the size of what follows
      const std::size_t begin = all.bytes().size();
      pack(c, all);
      const std::uint64_t size = all.bytes().size() - begin;
      std::memcpy(all.bytes().data() + begin - sizeof size, &size, sizeof size);
    }
    out.push_back({p.rank, std::move(all.bytes())});
  }
  std::vector<unsigned> from;
  for(const peer& p : incoming_)
    from.push_back(p.rank);
  const std::vector<std::vector<std::byte>> in = all_.swap_letters(std::move(out), from);
  for(std::size_t p = 0; p != in.size(); ++p) {
    std::span<const std::byte> rest = in[p];
    for(const std::size_t c : incoming_[p].colors) {
      std::uint64_t size = 0;
      std::memcpy(&size, rest.data(), sizeof size);
      parcel_reader reader(rest.subspan(sizeof size, size), to_[c]);
      unpack(c, reader);
      reader.end();
      rest = rest.subspan(sizeof size + size);
    }
  }
}

} // namespace rondo::detail::inline distributed
