// What a rank remembers of its launches, and how that is read by others.

#include <rondo/distributed/history.hpp>

#include <algorithm>
#include <utility>

#include <rondo/core/place.hpp>

#include "aside.hpp"
#include "check.hpp"

namespace rondo::detail::inline distributed {

void launch_history::look() {
  if(check_ != nullptr)
    check_->look_between_launches();
}

void launch_history::begin_section(std::uint64_t launch, std::uint64_t in_loop) {
  section_ = {count_.load(std::memory_order_relaxed), launch, in_loop};
  // Release, each: as in note().
  const std::uint64_t n = section_count_.load(std::memory_order_relaxed);
  atomic_section& s = sections_[n % sections_kept];
  s.event.store(section_.event, std::memory_order_release);
  s.launch.store(launch, std::memory_order_release);
  s.in_loop.store(in_loop, std::memory_order_release);
  section_count_.store(n + 1, std::memory_order_release);
}

std::shared_ptr<std::atomic<std::uint64_t>> launch_history::begin_loop(
  const std::source_location& where, std::uint64_t most, std::uint64_t lag) {
  note(step_kind::iterate, where, {lag, most});
  const std::uint64_t launch =
    section_.launch + (count_.load(std::memory_order_relaxed) - 1 - section_.event);
  loop_ = launch;
  hash_before_ = hash_;
  begin_section(launch, 1);
  auto certain = std::make_shared<std::atomic<std::uint64_t>>(0);
  const std::lock_guard lock(mutex_);
  loops_[loop_count_++ % loops_kept] = {{launch, hash_}, where, certain};
  return certain;
}

void launch_history::end_loop() {
  hash_ = hash_before_; // whatever was launched in vain
  begin_section(loop_ + 1, 0);
}

void launch_history::note_passes(std::uint64_t launch, std::uint64_t passes) {
  const std::lock_guard lock(mutex_);
  for(loop& l : loops_)
    if(l.certain != nullptr && l.state.launch == launch) {
      l.state.passes = passes;
      l.state.has_ended = true;
    }
}

void launch_history::call(std::uint32_t number, std::string name) {
  const std::lock_guard lock(mutex_);
  names_[number % names_.size()] = std::move(name);
}

void launch_history::copy(history_excerpt& into) {
  into.end = count_.load(std::memory_order_acquire);
  into.begin = into.end > kept ? into.end - kept : 0;
  for(std::uint64_t e = into.begin; e != into.end; ++e)
    into.hashes[e % kept] = hashes_[e % kept].load(std::memory_order_acquire);

  const std::uint64_t last = section_count_.load(std::memory_order_acquire);
  const std::uint64_t first = last > sections_kept ? last - sections_kept : 0;
  std::array<launch_section, sections_kept> all;
  for(std::uint64_t i = first; i != last; ++i) {
    const atomic_section& s = sections_[i % sections_kept];
    all[i - first] = {s.event.load(std::memory_order_acquire),
      s.launch.load(std::memory_order_acquire), s.in_loop.load(std::memory_order_acquire)};
  }

  // Events that the launching thread has begun to overwrite meanwhile are not used.
  const std::uint64_t now = section_count_.load(std::memory_order_acquire);
  const std::uint64_t oldest = now + 1 > sections_kept ? now + 1 - sections_kept : 0;
  const std::uint64_t launched = count_.load(std::memory_order_acquire);
  into.begin = std::max(into.begin, launched + 1 > kept ? launched + 1 - kept : 0);
  into.section_count = 0;
  for(std::uint64_t i = std::max(first, oldest); i < last; ++i)
    if(all[i - first].event < into.end) // else it is newer than the count
      into.sections[into.section_count++] = all[i - first];
  if(into.section_count != 0)
    into.begin = std::max(into.begin, into.sections[0].event);
  if(into.section_count == 0 || into.begin > into.end)
    into.begin = into.end;

  const std::lock_guard lock(mutex_);
  into.loop_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(loop_count_, loops_kept));
  for(std::size_t i = 0; i != into.loop_count; ++i) {
    into.loops[i] = loops_[i].state;
    into.loops[i].certain = loops_[i].certain->load(std::memory_order_relaxed);
  }
}

launch_history::comparison launch_history::compare(const point& with) const {
  const std::uint64_t end = count_.load(std::memory_order_acquire);
  const std::uint64_t last = section_count_.load(std::memory_order_acquire);
  std::uint64_t last_event = end; // of the section, and one more
  for(std::uint64_t i = last; i != 0 && last - i < sections_kept - 1; --i) {
    const atomic_section& s = sections_[(i - 1) % sections_kept];
    const launch_section begin{s.event.load(std::memory_order_acquire),
      s.launch.load(std::memory_order_acquire), s.in_loop.load(std::memory_order_acquire)};
    if(section_count_.load(std::memory_order_acquire) + 1 > i + sections_kept)
      return comparison::forgotten;
    const bool is_loop = begin.in_loop != 0;
    const bool is_here = is_loop == (with.in_loop != 0) &&
                         (is_loop ? begin.launch == with.launch : begin.launch <= with.launch);
    const std::uint64_t on = is_loop ? with.in_loop - begin.in_loop : with.launch - begin.launch;
    if(is_here && (last_event <= begin.event || on >= last_event - begin.event))
      // A loop that has been left here may be longer elsewhere: nobody knows.
      return i == last ? comparison::not_yet : comparison::forgotten;
    if(is_here) {
      const std::uint64_t event = begin.event + on;
      const std::uint32_t hash = hashes_[event % kept].load(std::memory_order_acquire);
      if(count_.load(std::memory_order_acquire) + 1 > event + kept)
        return comparison::forgotten;
      return hash == with.hash ? comparison::equal : comparison::different;
    }
    if(i == last && (begin.launch < with.launch || (begin.launch == with.launch && !is_loop)))
      return comparison::not_yet; // a loop that has not begun, or not ended, here
    last_event = begin.event;
  }
  return comparison::forgotten;
}

std::string launch_history::objects(std::uint64_t what) {
  const std::lock_guard lock(mutex_);
  std::string list;
  for(int shift = 48; shift >= 0; shift -= 8)
    if(const std::uint64_t number = what >> static_cast<unsigned>(shift) & 0xffU; number != 0)
      list.append(list.empty() ? "" : ", ").append(names_[number]);
  return list;
}

namespace {
std::string at(const std::source_location& where) {
  std::string text = " at ";
  return text += place(where);
}
} // namespace

std::uint32_t launch_history::column(std::uint64_t event) const {
  return entries_[event % kept].where.load(std::memory_order_acquire).column();
}

std::string launch_history::describe(std::uint64_t event) {
  const entry& e = entries_[event % kept];
  const char* const name = e.name.load(std::memory_order_acquire);
  const std::source_location where = e.where.load(std::memory_order_acquire);
  const std::uint64_t all = e.what.load(std::memory_order_acquire);
  const std::uint64_t launched = count_.load(std::memory_order_acquire);
  if(event >= launched || launched + 1 > event + kept)
    return "something that was launched long ago";
  const std::uint64_t what = all & subject_bits;
  const auto text = [&]() -> std::string {
    switch(static_cast<step_kind>(all >> 56U)) {
    case step_kind::execute:
    case step_kind::reduce:
      return std::string(name) + "(" + without_asides(objects(what)) + ")";
    case step_kind::once:
      return std::string(name) + "(...)";
    case step_kind::repeat:
      return "repeat, " + std::to_string(what) + " passes";
    case step_kind::end_of_repeat:
      return "the end of a pass of repeat";
    case step_kind::iterate:
      return what == subject_bits ? "iterate"
                                  : "iterate, " + std::to_string(what) + " passes at most";
    case step_kind::pass:
      return "pass " + std::to_string(what) + " of iterate";
    case step_kind::when:
      return "when";
    case step_kind::topology:
    case step_kind::field:
      return "making " + with_asides(objects(what));
    case step_kind::balance:
      return "balance of " + without_asides(objects(what));
    case step_kind::end:
      return "the end of the program";
    }
    return "?";
  }();
  return where.line() == 0 ? text : text + at(where);
}

std::string launch_history::describe_passes(std::uint64_t launch) {
  const std::lock_guard lock(mutex_);
  for(const loop& l : loops_)
    if(l.certain != nullptr && l.state.launch == launch)
      return "iterate" + at(l.where) +
             (l.state.has_ended
                 ? ", which ends after " + std::to_string(l.state.passes) + " passes"
                 : ", which goes on for " + std::to_string(l.certain->load()) + " passes at least");
  return "a loop of long ago";
}

// ---- comparing -------------------------------------------------------------------------------

std::uint64_t history_excerpt::first_of(std::size_t section) const {
  return std::max(begin, sections[section].event);
}

std::uint64_t history_excerpt::last_of(std::size_t section) const {
  return section + 1 == section_count ? end : std::min(end, sections[section + 1].event);
}

launch_section history_excerpt::position_of(std::uint64_t event) const {
  std::size_t i = section_count;
  while(i > 1 && sections[i - 1].event > event)
    --i;
  const launch_section& s = sections[i - 1];
  const std::uint64_t on = event - s.event;
  return s.in_loop == 0 ? launch_section{event, s.launch + on, 0}
                        : launch_section{event, s.launch, s.in_loop + on};
}

bool is_ahead(const history_excerpt& a, const history_excerpt& b) {
  if(a.begin == a.end || b.begin == b.end)
    return b.begin == b.end && a.begin != a.end;
  const launch_section x = a.position_of(a.end - 1);
  const launch_section y = b.position_of(b.end - 1);
  return std::pair(x.launch, x.in_loop) > std::pair(y.launch, y.in_loop);
}

namespace {

/// The first launch of two sections that has different hashes.
bool find_in_sections(const history_excerpt& a, std::size_t i, const history_excerpt& b,
  std::size_t j, history_difference& found) {
  const launch_section& s = a.sections[i];
  const launch_section& t = b.sections[j];
  const bool is_loop = s.in_loop != 0;
  if(is_loop != (t.in_loop != 0) || (is_loop && s.launch != t.launch))
    return false;
  // Numbers along the section: of launches, or of those in the loop.
  const std::uint64_t a_begins = is_loop ? s.in_loop : s.launch;
  const std::uint64_t b_begins = is_loop ? t.in_loop : t.launch;
  const std::uint64_t first =
    std::max(a_begins + (a.first_of(i) - s.event), b_begins + (b.first_of(j) - t.event));
  const std::uint64_t last =
    std::min(a_begins + (a.last_of(i) - s.event), b_begins + (b.last_of(j) - t.event));
  for(std::uint64_t n = first; n < last; ++n) {
    const std::uint64_t in_a = s.event + (n - a_begins);
    const std::uint64_t in_b = t.event + (n - b_begins);
    if(a.hashes[in_a % launch_history::kept] == b.hashes[in_b % launch_history::kept])
      continue;
    found = {is_loop ? s.launch : n, is_loop ? n : 0, in_a};
    found.is_exact = n != first || (a.first_of(i) == s.event && b.first_of(j) == t.event);
    return true;
  }
  return false;
}

} // namespace

bool find_difference(
  const history_excerpt& mine, const history_excerpt& other, history_difference& found) {
  bool any = false;
  const auto take = [&](const history_difference& d) {
    if(!any || std::pair(d.launch, d.in_loop) < std::pair(found.launch, found.in_loop))
      found = d;
    any = true;
  };
  for(std::size_t i = 0; i != mine.section_count; ++i)
    for(std::size_t j = 0; j != other.section_count; ++j)
      if(history_difference d; mine.first_of(i) < mine.last_of(i) &&
                               other.first_of(j) < other.last_of(j) &&
                               find_in_sections(mine, i, other, j, d))
        take(d);
  if(any)
    return true;
  const auto ends_before = [](const loop_state& a, const loop_state& b) {
    return a.has_ended && a.passes < (b.has_ended ? b.passes : b.certain);
  };
  for(std::size_t i = 0; i != mine.loop_count; ++i)
    for(std::size_t j = 0; j != other.loop_count; ++j) {
      const loop_state& a = mine.loops[i];
      const loop_state& b = other.loops[j];
      if(a.launch != b.launch || a.hash != b.hash || (!ends_before(a, b) && !ends_before(b, a)))
        continue;
      history_difference d{a.launch, 0, 0};
      d.is_in_passes = true;
      take(d);
    }
  return any;
}

} // namespace rondo::detail::inline distributed
