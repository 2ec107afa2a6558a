#pragma once

/// \file
/// What a rank has launched last, and a hash of all that it has launched before: by that ranks find out
/// whether they run the same program. docs/protocols/divergence.md says how.
///
/// One thread at a time notes launches, any thread reads them meanwhile.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <source_location>
#include <string>
#include <string_view>

namespace rondo::detail::inline distributed {

class divergence_check;

enum class step_kind : unsigned char {
  execute,
  reduce,
  once,
  repeat,
  end_of_repeat,
  iterate,
  pass,
  when,
  topology,
  field,
  balance,
  end,
};

/// The same in all processes, other than addresses.
constexpr std::uint64_t hash_of_letters(std::string_view letters) {
  std::uint64_t h = 0xcbf29ce484222325;
  for(const char c : letters)
    h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return h;
}

/// What a launch works on: topologies and fields have numbers, in the order in which they are made.
struct launch_subject {
  std::uint64_t hash = 0;
  std::uint64_t last = 0; ///< The last numbers, a byte of each; or any number up to 56 bits.

  void add(std::uint32_t number) {
    hash = (hash + number + 1) * 0x9e3779b97f4a7c15;
    last = last << 8U | (number & 0xffU);
  }
  static launch_subject of_number(std::uint64_t n) { return {n, n}; }
};

/// Launches in a row whose positions follow each other. Outside of `iterate` a position is (launch, 0).
/// Loops are numbered apart, since ranks launch different numbers of passes: (launch of the loop, 1), ...
struct launch_section {
  std::uint64_t event = 0; ///< The first one, counted as this rank launches them.
  std::uint64_t launch = 0;
  std::uint64_t in_loop = 0;
};

/// How far an `iterate` has come.
struct loop_state {
  std::uint64_t launch = 0;
  std::uint64_t hash = 0;    ///< At that launch.
  std::uint64_t certain = 0; ///< So many passes run, at least.
  std::uint64_t passes = 0;  ///< So many did, if it has ended.
  bool has_ended = false;
};

/// The end of a history, in a form that can be sent.
struct history_excerpt;

class launch_history {
public:
  static constexpr std::size_t kept = 4096; ///< As many launches as may be under way.
  static constexpr std::size_t sections_kept = 64;
  static constexpr std::size_t loops_kept = 16;

  /// Called by the launching thread now and then.
  void tell(divergence_check& check) { check_ = &check; }

  /// `name` is kept as a pointer.
  void note(step_kind kind, const char* name, std::uint64_t hash_of_name,
    const std::source_location& where, const launch_subject& on) {
    // Only the last step waits for the launch before.
    const std::uint64_t what =
      (hash_of_name ^ (std::uint64_t{where.line()} << 20U) ^
        (std::uint64_t{where.column()} << 44U) ^ static_cast<std::uint64_t>(kind)) +
      on.hash * 0xd6e8feb86659fd93;
    hash_ = mixed(hash_, what ^ what >> 32U);
    // Release, each: a thread that reads one of these also sees that the count has come so far, and so that
    // what was here before is gone. Costs nothing on most processors.
    const std::uint64_t event = count_.load(std::memory_order_relaxed);
    const std::size_t i = event % kept;
    hashes_[i].store(static_cast<std::uint32_t>(hash_ >> 32U), std::memory_order_release);
    entry& e = entries_[i];
    e.name.store(name, std::memory_order_release);
    e.where.store(where, std::memory_order_release);
    e.what.store((on.last & subject_bits) | static_cast<std::uint64_t>(kind) << 56U,
      std::memory_order_release);
    count_.store(event + 1, std::memory_order_release);
    if((event + 1) % between_looks == 0) [[unlikely]]
      look();
  }
  void note(step_kind kind, const std::source_location& where, const launch_subject& on = {}) {
    note(kind, "", 0, where, on);
  }

  /// Launches noted from now on are in a loop, until `end_loop`.
  /// Returns what is to be told how many passes are certain to run.
  std::shared_ptr<std::atomic<std::uint64_t>> begin_loop(
    const std::source_location& where, std::uint64_t most, std::uint64_t lag);
  void end_loop();
  /// The launch of the loop that was begun last; for `note_passes`.
  [[nodiscard]] std::uint64_t last_loop() const { return loop_; }
  /// The loop of that launch has had so many passes. Any thread, any time later.
  void note_passes(std::uint64_t launch, std::uint64_t passes);

  /// Of the last launch: for the thread that launches.
  struct point {
    std::uint64_t launch;
    std::uint64_t in_loop;
    std::uint32_t hash;
  };
  [[nodiscard]] point last() const {
    const std::uint64_t on = count_.load(std::memory_order_relaxed) - 1 - section_.event;
    const bool is_loop = section_.in_loop != 0;
    return {section_.launch + (is_loop ? 0 : on), is_loop ? section_.in_loop + on : 0,
      static_cast<std::uint32_t>(hash_ >> 32U)};
  }

  /// What messages call the topology or field with this number.
  void call(std::uint32_t number, std::string name);

  // ---- for readers ---------------------------------------------------------------------------

  /// The last launches, at most `kept`.
  void copy(history_excerpt& into);
  enum class comparison {
    not_yet, ///< The launch has not been made here.
    equal,
    different,
    forgotten,
  };
  [[nodiscard]] comparison compare(const point& with) const;
  /// "smooth(u, v) at a.cpp:12"
  [[nodiscard]] std::string describe(std::uint64_t event);
  /// Of the place that `describe` ends with, if it still knows the launch when it is called after this.
  [[nodiscard]] std::uint32_t column(std::uint64_t event) const;
  /// "iterate at a.cpp:12, which ends after 7 passes"
  [[nodiscard]] std::string describe_passes(std::uint64_t launch);

private:
  struct entry {
    std::atomic<const char*> name{nullptr};
    std::atomic<std::source_location> where;
    std::atomic<std::uint64_t> what{0};
  };
  struct atomic_section {
    std::atomic<std::uint64_t> event{0};
    std::atomic<std::uint64_t> launch{0};
    std::atomic<std::uint64_t> in_loop{0};
  };
  static constexpr std::uint64_t subject_bits = (std::uint64_t{1} << 56U) - 1;
  static constexpr std::uint64_t between_looks = 512;

  static std::uint64_t mixed(std::uint64_t h, std::uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15;
    return h ^ h >> 29U;
  }
  /// The launching thread takes part in the check.
  void look();
  void begin_section(std::uint64_t launch, std::uint64_t in_loop);
  [[nodiscard]] std::string objects(std::uint64_t what);

  divergence_check* check_ = nullptr;
  std::uint64_t hash_ = 0;
  std::atomic<std::uint64_t> count_{0};
  std::array<std::atomic<std::uint32_t>, kept> hashes_{};
  std::array<entry, kept> entries_;

  std::array<atomic_section, sections_kept> sections_;
  std::atomic<std::uint64_t> section_count_{1}; ///< The first one begins with launch 0.
  launch_section section_;                      ///< The last one.
  std::uint64_t hash_before_ = 0;               ///< The loop.
  std::uint64_t loop_ = 0;                      ///< Its launch.

  struct loop {
    loop_state state;
    std::source_location where;
    std::shared_ptr<std::atomic<std::uint64_t>> certain;
  };
  std::mutex mutex_; ///< For what follows, which is seldom used.
  std::array<loop, loops_kept> loops_;
  std::uint64_t loop_count_ = 0;
  std::array<std::string, 256> names_;
};

struct history_excerpt {
  std::uint64_t begin = 0; ///< Events.
  std::uint64_t end = 0;
  std::uint32_t rank = 0;
  std::uint32_t section_count = 0;
  std::uint32_t loop_count = 0;
  std::array<launch_section, launch_history::sections_kept> sections;
  std::array<loop_state, launch_history::loops_kept> loops;
  std::array<std::uint32_t, launch_history::kept> hashes; ///< Of event e: e % kept.

  [[nodiscard]] launch_section position_of(std::uint64_t event) const;
  /// Events of a section that are known.
  [[nodiscard]] std::uint64_t first_of(std::size_t section) const;
  [[nodiscard]] std::uint64_t last_of(std::size_t section) const;
};

/// Where two ranks are not at one.
struct history_difference {
  std::uint64_t launch = 0;
  std::uint64_t in_loop = 0;
  std::uint64_t event = 0; ///< The same of the first history.
  bool is_exact = true; ///< Set if it is just that launch; otherwise it may be a launch before it.
  bool is_in_passes = false; ///< The loop of that launch has another number of passes.
};

/// The first difference in what both know. They may have come differently far.
bool find_difference(
  const history_excerpt& mine, const history_excerpt& other, history_difference& found);
/// a has come further than b.
bool is_ahead(const history_excerpt& a, const history_excerpt& b);

} // namespace rondo::detail::inline distributed
