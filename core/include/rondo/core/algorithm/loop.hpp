#pragma once

/// \file
/// The engine behind the loops: calls a body for sub-ranges of `[0, n)`, cut as a chunking says.
/// For the algorithms of this folder; users have `for_each` and `for_each_index`.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <utility>

#include <rondo/core/algorithm/chunking.hpp>
#include <rondo/core/algorithm/piece.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/core/two_numbers.hpp>

namespace rondo::detail::inline core {

/// Whether a loop shall go on: not if somebody asked it to stop, and not if one of its bodies
/// has thrown. Asked once per piece.
class loop_control {
public:
  explicit loop_control(std::stop_token stop = {})
      : stop_(std::move(stop)), may_stop_(stop_.stop_possible()) {}

  /// Nobody but a failing body can end the loop early.
  [[nodiscard]] bool runs_through() const { return !may_stop_; }

  /// To be asked only when there is something left to do.
  bool ended() {
    if(ended_.load(std::memory_order_relaxed))
      return true;
    if(!may_stop_ || !stop_.stop_requested())
      return false;
    end();
    return true;
  }
  void end() { ended_.store(true, std::memory_order_relaxed); }

  /// After the loop: nothing was left out.
  [[nodiscard]] bool complete() const { return !ended_.load(std::memory_order_relaxed); }

private:
  std::stop_token stop_;
  const bool may_stop_;
  std::atomic<bool> ended_{false};
};

/// Hands out parts `0 .. parts - 1`, each once, to callers who prefer the one with their own
/// number. So worker 3 gets part 3 of every loop whenever it comes in time, with the data that
/// are still in its cache.
class part_claims {
public:
  static constexpr std::size_t most = 1024;

  explicit part_claims(std::size_t parts) : words_((parts + 63) / 64) {
    for(std::size_t i = 0; i != words_; ++i)
      free_[i].store(~std::uint64_t{0}, std::memory_order_relaxed);
    if(parts % 64 != 0)
      free_[words_ - 1].store((std::uint64_t{1} << (parts % 64)) - 1, std::memory_order_relaxed);
  }

  /// There must be one left: as many calls as parts.
  std::size_t claim(std::size_t preferred) {
    // Relaxed: a part carries no data, what it stands for was there before the loop.
    std::size_t i = preferred / 64;
    if(i < words_) {
      const std::uint64_t bit = std::uint64_t{1} << (preferred % 64);
      if((free_[i].fetch_and(~bit, std::memory_order_relaxed) & bit) != 0)
        return preferred;
    }
    else {
      i = 0;
    }
    for(;; i = i + 1 < words_ ? i + 1 : 0) {
      std::uint64_t seen = free_[i].load(std::memory_order_relaxed);
      while(seen != 0) {
        if(free_[i].compare_exchange_weak(seen, seen & (seen - 1), std::memory_order_relaxed))
          return i * 64 + static_cast<std::size_t>(std::countr_zero(seen));
      }
    }
  }

private:
  std::size_t words_;
  std::atomic<std::uint64_t> free_[most / 64];
};

template<class Body>
class loop {
public:
  loop(loop_control& control, Body& body) : control_(control), body_(body) {}

  void run(std::size_t n, std::size_t workers, auto_chunks) {
    if(workers == 1 && control_.runs_through()) {
      call(0, n);
    }
    else {
      // Halves of halves: which of them is the longer one matters to nobody here.
      each_part(
        n, workers, even_cut, [this, split = workers != 1](std::size_t from, std::size_t to) {
          work_off(from, to, 1, split);
        });
    }
  }

  void run(std::size_t n, std::size_t workers, static_chunks) {
    each_part(n, workers, part_begin, [this](std::size_t from, std::size_t to) {
      if(control_.runs_through()) {
        if(!control_.ended())
          call(from, to);
      }
      else {
        work_off(from, to, 1, false);
      }
    });
  }

  template<planned_chunking C>
  void run(std::size_t n, std::size_t workers, const C& chunks) {
    std::atomic<std::size_t> next{0};
    join_n(smaller_of(n, workers), [&](std::size_t) {
      std::size_t from = next.load(std::memory_order_relaxed);
      while(from != n) {
        const std::size_t to = chunks.end_of(from, n, workers);
        // Relaxed: a position carries no data. On failure `from` is the new one.
        if(!next.compare_exchange_weak(from, to, std::memory_order_relaxed))
          continue;
        if(control_.ended())
          return;
        call(from, to);
        from = next.load(std::memory_order_relaxed);
      }
    });
  }

private:
  void call(std::size_t from, std::size_t to) {
    if constexpr(noexcept(body_(from, to))) {
      body_(from, to);
    }
    else {
      try {
        body_(from, to);
      }
      catch(...) {
        control_.end();
        throw;
      }
    }
  }

  template<class Cut, class Part>
  void each_part(std::size_t n, std::size_t workers, Cut cut, Part part) {
    const std::size_t parts = smaller_of(smaller_of(n, workers), part_claims::most);
    if(parts == 1) {
      part(0, n);
      return;
    }
    part_claims claims(parts);
    join_n(parts, [&](std::size_t) {
      const std::size_t mine = claims.claim(this_worker()->index());
      part(cut(mine, n, parts), cut(mine + 1, n, parts));
    });
  }

  /// Works off `[from, to)` in pieces, beginning with one of `piece` elements. With `split`, others
  /// may take what is left meanwhile.
  void work_off(std::size_t from, std::size_t to, std::size_t piece, bool split) {
    std::uint64_t begin = ticks();
    while(!control_.ended()) {
      const std::size_t until = to - from > piece ? from + piece : to;
      // The last part of a piece is not worth a thief's way.
      if(split && to - until > larger_of(piece / 4, std::size_t{1})) {
        if(!call_beside_others(from, until, to, piece))
          return;
      }
      else {
        call(from, until);
      }
      from = until;
      if(from == to)
        return;
      const std::uint64_t end = ticks();
      piece = next_piece(piece, end - begin);
      begin = end;
    }
  }

  /// Calls the body for `[from, until)` while the two halves of `[until, to)` are on offer: nobody knows
  /// how long the call takes. Returns false if one of them was taken: then both have been worked off.
  bool call_beside_others(std::size_t from, std::size_t until, std::size_t to, std::size_t piece) {
    const std::size_t middle = until + (to - until) / 2;
    const auto lower = [&] { work_off(until, middle, piece, true); };
    const auto upper = [&] { work_off(middle, to, piece, true); };
    split_deque& forks = *current_forks();
    fork<decltype(upper)> upper_offer(upper);
    fork<decltype(lower)> lower_offer(lower);
    upper_offer.offer(forks); // thieves take the oldest
    lower_offer.offer(forks);
    const auto abandon_both = [&] {
      lower_offer.abandon(forks);
      upper_offer.abandon(forks);
    };
    const auto piece_call = [&] { call(from, until); };
    call_beside(piece_call, abandon_both);
    const bool lower_is_mine = lower_offer.withdraw(forks);
    if(upper_offer.withdraw(forks))
      return true; // the newer one, too
    // The first exception in the order of the range is thrown.
    const auto rest = [&] {
      if(lower_is_mine)
        lower();
      else
        lower_offer.fetch();
    };
    call_beside(rest, [&] { upper_offer.forget(); });
    upper_offer.fetch();
    return false;
  }

  loop_control& control_;
  Body& body_;
};

/// Calls `body(from, to)` for sub-ranges that cover `[0, n)`. On a worker only.
template<class Body, chunking C>
void run_loop(std::size_t n, const C& chunks, Body&& body, loop_control& control) {
  if(n != 0 && !control.ended())
    loop<std::remove_reference_t<Body>>(control, body)
      .run(n, this_worker()->home().workers(), chunks);
}

template<class Body, chunking C>
void run_loop(std::size_t n, const C& chunks, Body&& body) {
  loop_control control;
  run_loop(n, chunks, body, control);
}

} // namespace rondo::detail::inline core
