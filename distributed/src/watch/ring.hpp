#pragma once

/// \file
/// Ranks that notice when another one is gone: docs/protocols/watch.md.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

#include <rondo/core/function_ref.hpp>

#include "socket.hpp"

namespace rondo::detail::inline distributed {

/// How ranks that can't reach each other yet come together. All ranks call each of these equally often.
struct meeting_place {
  /// Gives this rank's to the one before it, and returns that of the next one.
  function_ref<endpoint(const endpoint&)> pass_back;
  /// Whether it holds for all ranks.
  function_ref<bool(bool)> all;
};

/// Connects each rank with the next one, and the last one with the first. A thread, which sleeps all the
/// time, sees when one of this rank's two neighbours ends without having said that it will.
class watch_ring {
public:
  /// What becomes of the process. Called by the thread of the ring.
  struct consequences {
    /// Rank `dead` has ended. The other ranks know already, and end by themselves; so does this one, soon.
    void (*on_death)(void* self, unsigned dead);
    /// The time for an orderly end is over. Does not return, but in tests.
    void (*end)(void* self, int exit_code);
    void* self;
  };

  /// Returns when it is known whether all neighbours have been reached. More than one rank.
  watch_ring(unsigned rank, unsigned ranks, const meeting_place& m, consequences c);
  /// This rank has ended as it should.
  ~watch_ring();
  watch_ring(const watch_ring&) = delete;
  watch_ring& operator=(const watch_ring&) = delete;

  /// The same on all ranks. Returns false if some rank could not reach the next one, so that nobody watches.
  [[nodiscard]] bool is_closed() const { return is_closed_; }

  /// Has all ranks end soon with that code: for code that is about to end them all in a better way, which may
  /// fail. Any thread.
  void abort(int exit_code);

private:
  /// What neighbours say to each other. The first word counts.
  struct word {
    enum class kind : std::uint32_t { bye = 1, abort = 2 };
    kind what;
    std::int32_t exit_code;
    std::uint64_t told; ///< With `abort`: what the rank that ends all has told, as `told_failure`.
  };

  struct neighbour {
    unsigned rank = 0;
    open_socket connection;
    std::array<std::byte, sizeof(word)> heard{};
    std::size_t size = 0;    ///< Of what was heard.
    bool is_watched = false; ///< Of the thread: it has said nothing yet.
  };

  bool connect(const meeting_place& m);
  void tell(word w);
  void watch();
  void listen_to(neighbour& n);
  void lose(const neighbour& n);
  void end_in(std::chrono::milliseconds time, int exit_code);
  [[nodiscard]] int time_left() const;

  const consequences consequences_;
  std::array<neighbour, 2> neighbours_; ///< Before, and next.
  bool is_closed_ = false;

  open_socket wakes_; ///< Readable: one of the following two has changed.
  std::atomic<bool> is_over_{false};
  static constexpr int none = -1;
  std::atomic<int> aborted_{none}; ///< The exit code.

  // Of the thread:
  enum class state { watching, losing, ending } state_ = state::watching;
  unsigned lost_ = 0; ///< While it is losing one.
  int exit_code_ = 0;
  std::chrono::steady_clock::time_point time_{}; ///< When something is to be done, unless watching.
  std::thread thread_;
};

} // namespace rondo::detail::inline distributed
