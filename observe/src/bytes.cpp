// Measures as bytes: one walk over their members that writes, or reads.

#include <rondo/observe/measures.hpp>

#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace rondo::detail::inline observe {

namespace {

struct writer {
  std::vector<std::byte> bytes;

  void raw(void* from, std::size_t n) {
    const auto* const first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + n);
  }
  std::uint64_t size(std::uint64_t n) {
    raw(&n, sizeof n);
    return n;
  }
};

struct reader {
  const std::byte* at;
  std::size_t left;

  void raw(void* into, std::size_t n) {
    if(n > left)
      throw std::runtime_error("rondo: a rank has told less of its run than it should have");
    std::memcpy(into, at, n);
    at += n;
    left -= n;
  }
  std::uint64_t size(std::uint64_t) {
    std::uint64_t n = 0;
    raw(&n, sizeof n);
    if(n > left) // each element has one byte at least
      throw std::runtime_error("rondo: a rank has told nonsense of its run");
    return n;
  }
};

template<class Archive, class T>
  requires std::is_trivially_copyable_v<T>
void go(Archive& a, T& value) {
  a.raw(&value, sizeof value);
}
template<class Archive>
void go(Archive& a, std::string& text) {
  text.resize(a.size(text.size()));
  a.raw(text.data(), text.size());
}
template<class Archive, class... Members>
void go_all(Archive& a, Members&... members) {
  (go(a, members), ...);
}
template<class Archive>
void go(Archive& a, named_tasks& t) {
  go_all(a, t.name, t.count, t.seconds, t.longest);
}
template<class Archive>
void go(Archive& a, waits_at& w) {
  go_all(a, w.where, w.what, w.count, w.seconds, w.idle, w.longest_idle);
}
template<class Archive>
void go(Archive& a, phase_times& p) {
  go_all(a, p.name, p.count, p.seconds, p.working);
}
template<class Archive>
void go(Archive& a, idle_gap& g) {
  go_all(a, g.seconds, g.before, g.waited, g.rank);
}
template<class Archive>
void go(Archive& a, missed& m) {
  go_all(a, m.why, m.pass, m.count);
}
template<class Archive, class T>
void go(Archive& a, std::vector<T>& list) {
  list.resize(a.size(list.size()));
  for(T& t : list)
    go(a, t);
}
template<class Archive>
void go(Archive& a, traced& t) {
  go_all(a, t.name, t.passes, t.replayed, t.diverged, t.is_off, t.misses);
}
template<class Archive>
void go(Archive& a, work_slices& w) {
  go_all(a, w.seconds_each, w.worked);
}
template<class Archive>
void go(Archive& a, measures& m) {
  go_all(a, m.host, m.rank, m.workers, m.cores, m.workers_of_node, m.cores_of_node, m.is_optimized,
    m.seconds, m.working, m.launching, m.messages, m.standstill, m.between, m.tasks, m.gaps,
    m.longest_gaps, m.names, m.waits, m.traces, m.phases, m.over_time, m.launches, m.replayed,
    m.in_loops, m.steals, m.sent, m.bytes, m.cpu, m.kept, m.memory, m.memory_half, m.memory_end);
}

} // namespace

std::vector<std::byte> to_bytes(const measures& m) {
  measures copy = m; // the walk is the same for both, so it changes what it is given
  writer w;
  go(w, copy);
  return std::move(w.bytes);
}

measures from_bytes(const std::byte* at, std::size_t size) {
  reader r{at, size};
  measures m;
  go(r, m);
  return m;
}

} // namespace rondo::detail::inline observe
