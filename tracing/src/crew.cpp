// Crews: who runs launches. docs/protocols/flow.md

#include <algorithm>
#include <bit>
#include <chrono>

#include <rondo/core/asymmetric_fence.hpp>
#include <rondo/core/pause.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/later.hpp>

namespace rondo::detail {

namespace {

/// A crew claims as much as takes about this long, so that nobody waits for long for work that
/// another one has claimed.
constexpr std::uint64_t worth_claiming = 20'000;
/// Launches of a loop that take about so long each are shared.
constexpr std::uint64_t worth_sharing = 600;
/// Who shares launches waits as long as so many of them take for what is being run elsewhere, so that
/// who has fallen behind can catch up; but no longer than the second number.
constexpr std::uint64_t patience_in_launches = 16;
constexpr std::uint64_t most_patience = 200'000;
/// In a lane others have lanes of their own, and no part in what is ours: it is worth a longer wait.
constexpr std::uint64_t least_patience_in_lane = 20'000;
/// After about so long others have their turn, and waits are looked at.
constexpr std::uint64_t worth_staying = 200'000;
/// Launches of a closed loop between two looks for messages, if somebody waits for some.
constexpr unsigned between_polls = 4;
/// Looks for more before a crew ends.
constexpr unsigned most_looks = 40;
constexpr unsigned looks_of_one_pause = 4; ///< Then two pauses between two of them, and so on.

/// Time in units of a fraction of a nanosecond.
std::uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return 2 *
         static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Before the launch may be told that it may go on.
void prepare(launch& l) {
  l.run = &run_launch;
  l.go_on = &go_on_launch;
}

/// The stages of a launch: docs/protocols/flow.md.
struct stages {
  explicit stages(const launch& l)
      : turns(l.kind->futures), edges(turns + l.kind->accesses),
        locks(edges + (l.node != nullptr ? l.node->edge_count : 0)),
        begun(locks + l.kind->commuting + 1U), fold_edges(begun + l.kind->accesses) {}
  unsigned turns;
  unsigned edges;
  unsigned locks;
  unsigned begun;
  unsigned fold_edges;
};

// Once `park` or `acquire` has a launch it may be anywhere.

bool await(launch& l, progress& what, std::uint64_t turn) {
  if(what.reached(turn))
    return true;
  prepare(l);
  return !what.park(l, turn);
}

/// In the order of their addresses, so that there are no circles.
region_base& next_to_lock(launch& l, unsigned which) {
  const launch_kind& k = *l.kind;
  for(unsigned i = 0;; ++i) {
    const access_entry& a = l.accesses()[i];
    if(a.mode != access_mode::commute)
      continue;
    unsigned before = 0;
    for(unsigned j = 0; j != k.accesses; ++j)
      before += unsigned{
        l.accesses()[j].mode == access_mode::commute && std::less<>{}(l.accesses()[j].to, a.to)};
    if(before == which)
      return *a.to;
  }
}

bool may_start(launch& l, const stages& at) {
  const launch_kind& k = *l.kind;
  if(k.futures + k.commuting != 0)
    prepare(l);
  while(l.stage < at.turns)
    if(!k.await(l, l.stage++, l))
      return false;
  // Comes back here when the answer is known.
  if(const loop_pass* const pass = l.pass;
     pass != nullptr && !await(l, pass->of->answers.running(), pass->turn))
    return false;
  if(l.node != nullptr && !l.enters && l.stage < at.edges)
    l.stage = at.edges;
  while(l.stage < at.edges) {
    const access_entry& a = l.accesses()[l.stage++ - at.turns];
    if(a.mode != access_mode::reduce && !await(l, a.to->running(), a.turn))
      return false;
  }
  while(l.stage < at.locks) {
    const edge& e = l.node->edges[l.stage++ - at.edges];
    if(!await(l, e.from(), e.turn(l.round)))
      return false;
  }
  while(l.stage < at.locks + k.commuting)
    if(!next_to_lock(l, l.stage++ - at.locks).acquire(l))
      return false;
  return true;
}

/// The same for simple launches: what they wait for has come.
bool may_start_at_once(launch& l) {
  if(l.node != nullptr)
    return l.node->may_start(l.round);
  const access_entry* const accesses = l.accesses();
  for(unsigned i = 0; i != l.kind->accesses; ++i)
    if(!accesses[i].to->running().reached(accesses[i].turn))
      return false;
  return true;
}

void advance(progress& p, crew* c, bool alone) {
  if(alone)
    p.advance_alone(c);
  else
    p.advance(c);
}

} // namespace

/// The parts of a flow that launches need when they run.
struct running {
  /// A launch of what the crew has claimed, which is simple. Most are.
  static bool can_run_simply(launch& l, const crew& c) {
    // Alone, and nothing is behind: all launches before this one have ended.
    return l.is_simple && l.home == c.from &&
           ((c.alone && c.home->crews_.behind == 0) || may_start_at_once(l));
  }
  /// False: the crew goes on elsewhere.
  static bool run_simply(launch& l, crew& c) {
    worker& w = worker_here();
    crew_room& room = c.home->crews_;
    if(c.alone)
      ++room.behind; // if the body leaves its stack
    w.set_next(&c);  // see leaving_to
    run_body(l, w);
    if(!worker_here().take_next(&c)) [[unlikely]] {
      const bool alone = l.home->home.is_alone_;
      l.is_behind = alone;
      tell_others(l, nullptr, alone);
      end(l, nullptr);
      return false;
    }
    tell_others(l, &c, c.alone);
    if(c.alone)
      --room.behind;
    ++c.ended;
    return true;
  }

  /// What the crew has claimed of a closed loop, until something else comes first. False: the crew
  /// goes on elsewhere.
  static bool run_steps(crew& c) {
    auto& b = static_cast<closed_batch&>(*c.from);
    crew_room& room = b.home.crews_;
    // Counts for the one that runs: if it leaves its stack it is behind.
    if(c.alone)
      ++room.behind;
    executor& ex = home(*c.home);
    while(c.next != c.end && !c.has_older()) {
      // Others count on what a message lets go on, and on what they are sent in return.
      if(c.next % between_polls == 0 && ex.poll_if_wanted())
        break;
      const std::uint32_t i = c.next++;
      const closed_step& s = b.steps[i];
      const std::uint64_t round = c.round + s.pass;
      // The first pass waits for turns. Whether something failed is asked last: only who has seen
      // the end of what came before sees its failure.
      if(s.is_simple && round != 0 &&
         ((c.alone && room.behind == 1) || comes_soon(*s.node, round, c)) &&
         room.first_failed.load(std::memory_order_relaxed) > b.first) [[likely]] {
        if(!run_step(b, i, round, c))
          return false;
      }
      else {
        if(c.alone)
          --room.behind;
        if(!go(b.wake_up(i, c.round), &c))
          return false;
        if(c.alone)
          ++room.behind;
      }
    }
    if(c.alone)
      --room.behind;
    return true;
  }

  /// Any launch, which may have run a part of its way already. False: the crew goes on elsewhere.
  [[gnu::noinline]] static bool go(launch& l, crew* c) {
    const bool alone = l.home->home.is_alone_;
    const stages at(l);
    if(alone && !l.is_behind) {
      l.is_behind = true;
      ++l.home->home.crews_.behind;
    }
    if(l.stage < at.begun) {
      if(!may_start(l, at))
        return c != nullptr;
      l.stage = at.begun;
      later_state* const later = l.kind->later != nullptr ? l.kind->later(l) : nullptr;
      if(later != nullptr) {
        prepare(l);
        later->begin(l);
      }
      leaving_to(c, [&l] { run_body(l, worker_here()); });
      // One that was skipped, or has thrown, has told nobody. Any other may be gone after end().
      if(later != nullptr && !l.skipped && !later->end())
        return c != nullptr;
      leave_regions(l, c, alone);
    }
    else if(l.kind->later != nullptr)
      leave_regions(l, c, alone); // it has been told
    if((l.kind->reducing != 0 || (l.node != nullptr && l.node->folded != nullptr)) &&
       !fold_all(l, at, c, alone))
      return c != nullptr;
    end(l, c);
    return c != nullptr;
  }

private:
  /// The same as `run_simply`, without a launch.
  static bool run_step(closed_batch& b, std::uint32_t i, std::uint64_t round, crew& c) {
    const closed_step& s = b.steps[i];
    worker& w = worker_here();
    const bool alone = c.alone;
    w.set_next(&c);
    w.observe({task_info::kind_type::task, s.node->name}, [&] {
      try {
        s.run_again(*s.prototype, b.loop.is_last(round));
      }
      catch(...) {
        fail(b.wake_up(i, round - s.pass));
      }
    });
    const bool is_here = worker_here().take_next(&c);
    if(s.node->done != nullptr)
      advance(*s.node->done, is_here ? &c : nullptr, alone);
    if(is_here) [[likely]] {
      ++c.ended;
      return true;
    }
    if(alone)
      --b.home.crews_.behind;
    count_as_guest(b);
    return false;
  }

  /// What is missing is perhaps about to end.
  static bool comes_soon(const template_node& n, std::uint64_t round, crew& c) {
    if(n.may_start(round))
      return true;
    const closed_loop& loop = *c.loop;
    if(c.shares) {
      // Another crew is running it. But who waits for messages has to look for them.
      const std::uint64_t others =
        loop.at_work.load(std::memory_order_relaxed) & ~(std::uint64_t{1} << c.seat);
      return others != 0 && !home(*c.home).poller_is_wanted() && comes_within_patience(n, round, c);
    }
    constexpr unsigned looks = 64;
    if(loop.lane_of(c).at_a_time.load(std::memory_order_relaxed) >= batch::most / 2)
      for(unsigned i = 0; i != looks; ++i) {
        pause();
        if(n.may_start(round))
          return true;
      }
    return false;
  }
  static bool comes_within_patience(const template_node& n, std::uint64_t round, crew& c) {
    const std::uint64_t began = ticks();
    std::uint64_t now = began;
    bool is_there = false;
    while(!is_there && !c.has_older() && now - began < c.patience) {
      pause();
      is_there = n.may_start(round);
      now = ticks();
    }
    c.waited += now - began;
    if(!is_there)
      c.patience = 0; // until it claims again
    return is_there;
  }

  static void leave_regions(launch& l, crew* c, bool alone) {
    const launch_kind& k = *l.kind;
    if(k.commuting != 0)
      for(unsigned i = 0; i != k.accesses; ++i)
        if(l.accesses()[i].mode == access_mode::commute)
          l.accesses()[i].to->release(c);
    if(c != nullptr || k.reducing != 0)
      tell_others(l, c, alone);
    else // no more of the program's code: the first one that it lets go on is run next
      worker_here().at_end_of_job([&] { tell_others(l, nullptr, alone); });
  }

  static void tell_others(launch& l, crew* c, bool alone) {
    if(l.node != nullptr) {
      if(l.node->done != nullptr)
        advance(*l.node->done, c, alone);
      return;
    }
    for(unsigned i = 0; i != l.kind->accesses; ++i)
      if(const access_entry& a = l.accesses()[i]; a.mode != access_mode::reduce)
        advance(a.to->running(), c, alone);
  }

  /// False: it goes on later.
  static bool fold_all(launch& l, const stages& at, crew*& c, bool alone) {
    const launch_kind& k = *l.kind;
    const auto fold_one = [&](unsigned i) {
      if(!l.skipped)
        leaving_to(c, [&] { fold(l, i); });
    };
    for(; l.stage < at.fold_edges; ++l.stage) {
      const unsigned i = l.stage - at.begun;
      const access_entry& a = l.accesses()[i];
      if(a.mode != access_mode::reduce)
        continue;
      if((l.node == nullptr || l.enters) && !await(l, a.to->running(), a.turn))
        return false;
      if(l.node == nullptr) {
        fold_one(i);
        advance(a.to->running(), c, alone);
      }
    }
    if(l.node == nullptr)
      return true;
    while(l.stage < at.fold_edges + l.node->fold_edge_count) {
      const edge& e = l.node->fold_edges[l.stage++ - at.fold_edges];
      if(!await(l, e.from(), e.turn(l.round)))
        return false;
    }
    for(unsigned i = 0; i != k.accesses; ++i)
      if(l.accesses()[i].mode == access_mode::reduce)
        fold_one(i);
    advance(*l.node->folded, c, alone);
    return true;
  }

  /// Calls the program's code. If it leaves its stack, the crew goes on on another one, and is not
  /// ours any more.
  template<class Body>
  static void leaving_to(crew*& c, Body&& body) {
    if(c != nullptr)
      worker_here().set_next(c);
    body();
    if(c != nullptr && !worker_here().take_next(c))
      c = nullptr;
  }

  static bool has_failed_in_loop(const launch& l) {
    if(!l.home->is_closed)
      return false;
    const closed_loop& loop = static_cast<const closed_batch*>(l.home)->loop;
    return loop.first_failed.load(std::memory_order_relaxed) < loop.place(l.round, *l.node);
  }

  /// Something before it has failed, or the loop is over.
  static bool is_not_to_run(const launch& l) {
    const std::uint64_t failed = l.home->home.crews_.first_failed.load(std::memory_order_relaxed);
    return (failed != ~std::uint64_t{0} && (failed < l.id() || has_failed_in_loop(l))) ||
           (l.pass != nullptr && l.pass->number > l.pass->of->last.load(std::memory_order_relaxed));
  }

  static void run_body(launch& l, worker& w) {
    if(l.kind->run == nullptr)
      return; // no code of the program's
    if(is_not_to_run(l)) [[unlikely]] {
      l.skipped = true;
      l.kind->skip(l, std::make_exception_ptr(cancelled()));
      return;
    }
    w.observe({task_info::kind_type::task, l.node != nullptr ? l.node->name : l.name}, [&l] {
      try {
        l.kind->run(l);
      }
      catch(...) {
        fail(l);
      }
    });
  }

  static void fold(launch& l, unsigned i) {
    try {
      l.kind->fold(l, i);
    }
    catch(...) {
      fail(l);
    }
  }

  static void fail(launch& l) {
    l.skipped = true;
    l.kind->skip(l, std::current_exception());
    l.home->home.failed(l, std::current_exception());
  }

  static void end(launch& l, crew* c) {
    batch& b = *l.home;
    if(l.is_behind)
      --b.home.crews_.behind;
    if(!l.kind->ends_by_itself)
      leaving_to(c, [&l] { l.kind->end(l); });
    if(c != nullptr && c->from == &b) {
      ++c->ended;
      return;
    }
    // The crew keeps its own flow, but may have found a launch of another one.
    if(c == nullptr || c->home != &b.home)
      count_as_guest(b);
    else
      count(b, 1);
  }

  static void count_as_guest(batch& b) {
    crew_room& room = b.home.crews_;
    executor& ex = b.home.ex_;
    room.inside.fetch_add(2, std::memory_order_relaxed);
    count(b, 1);
    if(room.inside.fetch_sub(2, std::memory_order_acq_rel) == 3)
      ex.wake_waiters();
  }

public:
  static void count(batch& b, std::uint32_t n) {
    if(b.is_closed) {
      auto& closed = static_cast<closed_batch&>(b);
      closed.loop.count(closed, n);
      return;
    }
    crew_room& room = b.home.crews_;
    // seq_cst: either this sees that somebody waits, or that one sees the end. Also release: all
    // that has been done.
    b.ended.fetch_add(n, std::memory_order_seq_cst);
    if(room.awaited.load(std::memory_order_seq_cst) == &b)
      b.home.ex_.wake_waiters();
  }
  static executor& home(flow& f) { return f.ex_; }
  /// The code that launches is below us on this thread, so it launches nothing meanwhile.
  static bool is_launched_below(const flow& f) { return f.owner_ == &fiber::of_thread(); }
  static crew_room& room(flow& f) { return f.crews_; }
  static batch& batch_of(flow& f, std::uint64_t id) { return f.batch_at(id / f.batch_size_); }
  static std::uint32_t batch_size(const flow& f) { return f.batch_size_; }
};

void go_on_launch(turn_wait& w, crew* here) {
  auto& l = static_cast<launch&>(w);
  if(l.home->is_closed) {
    const auto& b = static_cast<closed_batch&>(*l.home);
    if(b.loop.has_lanes() && (here == nullptr || here->woken != nullptr || here->loop != &b.loop ||
                               here->seat != b.lane)) {
      b.loop.hand_over(l);
      return;
    }
  }
  if(here != nullptr)
    here->add_woken(l);
  else
    executor_of(*l.home)->enqueue(&l);
}

void later_state::call() {
  launch* const l = who_;
  if(end())
    executor_of(*l->home)->enqueue(l);
}

void run_launch(job* j, worker&) { running::go(*static_cast<launch*>(j), nullptr); }

/// One goes on here; the others are for everybody.
void crew::add_woken(launch& l) {
  if(woken == nullptr)
    woken = &l;
  else
    worker_here().push_task(&l);
}

/// What has waited is older than what was claimed.
bool crew::has_older() const {
  return woken != nullptr || handed != nullptr ||
         (loop != nullptr && loop->has_lanes() && loop->lane_of(*this).has_handed());
}

launch* crew::next_launch() {
  if(woken != nullptr)
    return std::exchange(woken, nullptr);
  if(loop != nullptr) {
    if(handed == nullptr && loop->has_lanes())
      handed = loop->lane_of(*this).take_handed();
    if(launch* const l = handed) {
      handed = static_cast<launch*>(l->next);
      return l;
    }
    return nullptr;
  }
  if(next == end)
    return nullptr;
  // It was written by another core, mostly.
  constexpr std::uint32_t ahead = 3;
  if(end - next > ahead) {
    const auto* const later = reinterpret_cast<const char*>(from->launches[next + ahead]);
    __builtin_prefetch(later);
    __builtin_prefetch(later + cache_line);
  }
  return from->launches[next++];
}

void crew::run_crew(job* j, worker&) {
  crew& self = *static_cast<crew*>(j);
  const auto began = ticks();
  for(unsigned rounds = 0;; ++rounds) {
    while(launch* const l = self.next_launch())
      if(!(running::can_run_simply(*l, self) ? running::run_simply(*l, self)
                                             : running::go(*l, &self)))
        return; // it goes on elsewhere, and is perhaps at its end
    if(self.loop != nullptr && self.next != self.end) {
      if(!running::run_steps(self))
        return;
      if(self.has_older())
        continue;
    }
    // What may go on again is older than what can be claimed.
    self.tell_ended();
    worker& w = worker_here();
    const bool is_long = rounds != 0 && ticks() - began > worth_staying;
    if(job* const other = w.pop_task()) {
      if(other->run == &run_launch && !is_long) {
        self.woken = static_cast<launch*>(other);
        continue;
      }
      w.push_task(other);
      w.home().inject(&self);
      return;
    }
    if(self.loop != nullptr && self.next != self.end)
      continue;
    w.home().poll_if_wanted();
    crew_room& room = running::room(*self.home);
    // Who waits may have what it waits for. But some progress first: it may be slow to wake.
    const batch* const awaited = room.awaited.load(std::memory_order_acquire);
    if(is_long ||
       (rounds != 0 && awaited != nullptr && self.loop == nullptr &&
         awaited->ended.load(std::memory_order_relaxed) == running::batch_size(*self.home))) {
      w.home().inject(&self);
      return;
    }
    if(!self.claim() && !self.claim_soon() && !self.retire())
      return;
  }
}

/// How many to claim.
std::uint32_t crew::plan(std::atomic<std::uint32_t>& at_a_time) {
  const auto now = ticks();
  const std::uint32_t most = at_a_time.load(std::memory_order_relaxed);
  if(end != 0) {
    // How long did the last ones take?
    const auto took = now - began_ - std::exchange(waited, 0);
    if(took > worth_claiming && most > 1)
      at_a_time.store(std::max(1U, static_cast<std::uint32_t>(most * worth_claiming / took)),
        std::memory_order_relaxed);
    else if(took < worth_claiming / 4 && most < batch::most)
      at_a_time.store(2 * most, std::memory_order_relaxed);
    each_ = took / claimed_;
  }
  began_ = now;
  return most;
}

/// The same for a loop, whose launches wait for each other, pass after pass: without lanes, who claims
/// many of them leaves nothing that others can do.
std::uint32_t crew::plan_in_loop() {
  if(alone)
    return batch::most;
  const std::uint32_t most = plan(loop->lane_of(*this).at_a_time);
  const bool has_lane = loop->has_lanes();
  shares = has_lane || (loop->fair_share < batch::most && each_ > worth_sharing);
  patience =
    std::clamp(patience_in_launches * each_, has_lane ? least_patience_in_lane : 0, most_patience);
  return shares && !has_lane ? std::min(most, loop->fair_share) : most;
}

bool crew::claim() {
  if(loop != nullptr) {
    const std::uint32_t most = plan_in_loop();
    end = next = 0;
    if(has_older())
      return true;
    if(!loop->claim(*this, most))
      return false;
    claimed_ = end - next;
    return true;
  }
  crew_room& room = running::room(*home);
  const std::uint32_t size = running::batch_size(*home);
  const std::uint32_t most = plan(room.at_a_time);
  end = next = 0;
  std::uint64_t first = room.claimed.load(std::memory_order_relaxed);
  std::uint64_t n = 0;
  const bool is_alone = alone;
  do {
    const std::uint64_t there = room.launched.load(std::memory_order_acquire) - first;
    if(static_cast<std::int64_t>(there) <= 0)
      return false;
    n = std::min<std::uint64_t>(
      is_alone ? there : std::min<std::uint64_t>((there + 1) / 2, most), size - first % size);
    // Relaxed: what is claimed was acquired with `launched`.
  } while(!room.claimed.compare_exchange_weak(
    first, first + n, std::memory_order_relaxed, std::memory_order_relaxed));
  from = &running::batch_of(*home, first);
  next = static_cast<std::uint32_t>(first % size);
  end = next + static_cast<std::uint32_t>(n);
  claimed_ = end - next;
  return true;
}

/// The code that launches is perhaps about to launch more. Each look takes a cache line from it.
bool crew::claim_soon() {
  const crew_room& room = running::room(*home);
  if(loop == nullptr ? running::is_launched_below(*home) : alone)
    return false;
  for(unsigned i = 0; i != most_looks; ++i) {
    for(unsigned j = 0; j <= i / looks_of_one_pause; ++j)
      pause();
    if(claim())
      return true;
    if(room.awaited.load(std::memory_order_relaxed) != nullptr ||
       (room.inside.load(std::memory_order_relaxed) & 1U) != 0)
      return false; // nothing is launched meanwhile
  }
  return false;
}

void crew::tell_ended() {
  if(ended != 0)
    running::count(*from, std::exchange(ended, 0));
}

/// The end of the crew. True: there is more to do, and it is not.
bool crew::retire() {
  if(loop != nullptr)
    return retire_from_loop();
  crew_room& room = running::room(*home);
  executor& ex = running::home(*home);
  const std::uint64_t bit = std::uint64_t{1} << seat;
  for(;;) {
    room.at_work.fetch_and(~bit, std::memory_order_seq_cst);
    // See flow::publish. While the code that launches waits it launches nothing, and both its
    // beginning to wait and its end are full fences of its own.
    if(room.awaited.load(std::memory_order_seq_cst) == nullptr)
      heavy_fence();
    if(room.launched.load(std::memory_order_seq_cst) <=
       room.claimed.load(std::memory_order_seq_cst))
      break;
    if((room.at_work.fetch_or(bit, std::memory_order_seq_cst) & bit) != 0)
      break; // it was called again already: that is somebody else's affair
    if(claim())
      return true;
  }
  if(room.inside.fetch_sub(2, std::memory_order_acq_rel) == 3)
    ex.wake_waiters();
  return false;
}

/// The same where the slots of the loop are full, or all is claimed.
bool crew::retire_from_loop() {
  closed_loop& of = *loop;
  const closed_lane& lane = of.lane_of(*this);
  executor& ex = running::home(*home);
  const std::uint64_t bit = std::uint64_t{1} << seat;
  for(;;) {
    // seq_cst: see closed_loop::count.
    of.at_work.fetch_and(~bit, std::memory_order_seq_cst);
    if(!(lane.is_anything_left() || lane.has_handed()) ||
       (of.at_work.fetch_or(bit, std::memory_order_seq_cst) & bit) != 0)
      break;
    if(claim())
      return true;
  }
  if(of.inside.fetch_sub(2, std::memory_order_acq_rel) == 3)
    ex.wake_waiters();
  return false;
}

} // namespace rondo::detail
