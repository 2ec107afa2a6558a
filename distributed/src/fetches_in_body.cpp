#include <rondo/distributed/fetches_in_body.hpp>

#include <algorithm>
#include <utility>

#include <rondo/distributed/field.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline distributed {

void fetches_in_body::note(field_state& of, kept_launches which) {
  if(which.first == which.last)
    return;
  if(!all_.empty() && all_.back().of == &of && all_.back().launches.last == which.first)
    all_.back().launches.last = which.last; // mostly messages and then color after color
  else
    all_.push_back({&of, which});
}

void fetches_in_body::launch_before_loop(flow& f, const std::vector<field_state*>& fields) {
  const std::vector<fetch> all = std::exchange(all_, {});
  std::vector<kept_launches> unwritten;
  for(const fetch& x : all)
    if(std::ranges::find(fields, x.of) != fields.end() && !x.of->is_written_in_body)
      unwritten.push_back(x.launches);
  f.launch_before_loop(unwritten);
}

} // namespace rondo::detail::inline distributed
