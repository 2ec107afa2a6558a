#include <rondo/futures/state.hpp>

#include <chrono>
#include <string>

#include <rondo/core/borrowed.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/observed_task.hpp>
#include <rondo/core/place.hpp>
#include <rondo/core/waits_for.hpp>
#include <rondo/futures/errors.hpp>

namespace rondo::detail::inline futures {

namespace {

/// Work that futures which became ready on one stack have still to do.
struct firing {
  unsigned depth = 0;
  link put_off = 0;
  link* end = &put_off;
};

/// The one under way on that stack, in the place that stacks have for them.
void*& firing_of(fiber& f) { return f.kept(fiber::place::firing_of_futures); }

} // namespace

std::string in_words(const launch_site& of) {
  const std::string where = place(of.where);
  if(of.by == made_by::then)
    return "the function given to then at " + where;
  return *of.name == '\0' ? "the value promised at " + where
                          : std::string("'") + of.name + "', launched at " + where;
}

void state_base::fail(std::exception_ptr e, bool was_cancelled) {
  auto* const f = new failure(std::move(e), site(), was_cancelled);
  fail_with(f);
  if(!was_cancelled)
    report_at_end(home(), *f);
}

void state_base::rethrow() {
  why().look();
  std::rethrow_exception(why().what);
}

/// No reference is left, but the task has not ended: it will end the state as well.
void state_base::abandon() {
  link seen = waiting_.load(std::memory_order_acquire);
  do {
    if(seen == done) {
      destroy();
      return;
    }
    // Release: what has been done with the state is over when it ends.
  } while(!waiting_.compare_exchange_weak(
    seen, seen | abandoned, std::memory_order_acq_rel, std::memory_order_acquire));
}

void state_base::end_waits(link newest) {
  if((newest & all_bits) == task_bit && next_of(newest) == 0) [[likely]] {
    fire_list(newest); // a chain: nothing to turn around, nothing that nests
    return;
  }
  if((newest & ~abandoned) != 0)
    fire_all(newest & ~abandoned);
  if((newest & abandoned) != 0)
    destroy();
}

link& state_base::next_of(link l) {
  const link object = l & ~all_bits;
  if((l & task_bit) != 0)
    return reinterpret_cast<state_base*>(object)->next_link();
  return reinterpret_cast<continuation*>(object)->next;
}

namespace {

/// One state's end may be another one's, and so on, without end: as many as this are nested; the
/// others wait until the outermost call on this stack has time for them.
constexpr unsigned deepest = 50;

} // namespace

void state_base::fire_list(link oldest) {
  while(oldest != 0) {
    const link next = next_of(oldest); // it may be gone after the call
    const link object = oldest & ~all_bits;
    if((oldest & task_bit) != 0) {
      auto* const t = reinterpret_cast<state_base*>(object);
      engine_of(*t->home()).enqueue(t);
    }
    else {
      auto* const c = reinterpret_cast<continuation*>(object);
      c->fire(c);
    }
    oldest = next;
  }
}

/// In the order in which they were added.
void state_base::fire_all(link newest) {
  const link last = newest;
  link oldest = 0;
  while(newest != 0) {
    const link next = std::exchange(next_of(newest), oldest);
    oldest = newest;
    newest = next;
  }
  fiber& here = fiber::here();
  if(auto* const outer = static_cast<firing*>(firing_of(here))) {
    if(outer->depth == deepest) {
      *outer->end = oldest;
      outer->end = &next_of(last);
      return;
    }
    ++outer->depth;
    fire_list(oldest);
    --outer->depth;
    return;
  }
  firing mine;
  firing_of(here) = &mine;
  fire_list(oldest);
  while(mine.put_off != 0) {
    oldest = std::exchange(mine.put_off, 0);
    mine.end = &mine.put_off;
    fire_list(oldest);
  }
  firing_of(here) = nullptr;
}

// ---- continuations that are over ---------------------------------------------------------------

namespace {
constexpr std::uint32_t first_sweep = 64;
/// Others may have been added since: so many are looked at to find out how many are below.
constexpr unsigned most_looks = 8;

void fire_passing(continuation* c) {
  auto* const self = static_cast<passing_continuation*>(c);
  self->then(self);
}
} // namespace

passing_continuation* state_base::as_passing(link l) {
  if((l & task_bit) != 0)
    return nullptr;
  auto* const c = reinterpret_cast<continuation*>(l & ~all_bits);
  return c->fire == &fire_passing ? static_cast<passing_continuation*>(c) : nullptr;
}

/// Takes the list: from here on it is the caller's alone. If the state is ready there is none.
link state_base::take_waits() {
  link seen = waiting_.load(std::memory_order_acquire);
  // Acquire: what others have added.
  while(seen != done && seen != 0 &&
        !waiting_.compare_exchange_weak(
          seen, 0, std::memory_order_acquire, std::memory_order_acquire)) {
  }
  return seen == done ? 0 : seen;
}

/// Puts it back below what was added meanwhile. If the state has become ready meanwhile, which did not
/// concern these, they are fired now.
void state_base::put_back(link newest) {
  while(newest != 0) {
    link seen = 0;
    // Release: the links, which may have been changed.
    if(waiting_.compare_exchange_strong(
         seen, newest, std::memory_order_release, std::memory_order_acquire))
      return;
    if(seen == done) {
      fire_all(newest);
      return;
    }
    link newer = take_waits();
    if(newer == 0)
      continue;
    link oldest = newer;
    while(next_of(oldest) != 0)
      oldest = next_of(oldest);
    next_of(oldest) = newest;
    newest = newer;
  }
}

/// Takes those that are over out of a list that is the caller's, and returns how many are left.
std::uint32_t state_base::sweep(link& newest) {
  std::uint32_t left = 0;
  for(link* place = &newest; *place != 0;) {
    passing_continuation* const c = as_passing(*place);
    if(c != nullptr && c->is_over(c)) {
      *place = c->next;
      c->drop(c); // it may be gone
      continue;
    }
    left += c != nullptr ? 1 : 0;
    place = &next_of(*place);
  }
  return left;
}

/// Only code that has taken the list may look into it, since what is in it may be gone as soon as the
/// state is ready. The caller has a handle, so the state is not abandoned meanwhile.
bool state_base::add(passing_continuation& c) {
  c.fire = &fire_passing;
  c.before = 0;
  c.sweep = first_sweep;
  if(link newest = take_waits(); newest != 0) {
    link i = newest;
    for(unsigned looks = 0; looks != most_looks && i != 0; ++looks, i = next_of(i))
      if(const passing_continuation* const last = as_passing(i)) {
        c.before = last->before + 1;
        c.sweep = last->sweep;
        break;
      }
    if(c.before >= c.sweep) {
      c.before = sweep(newest);
      c.sweep = 2 * c.before + first_sweep;
    }
    put_back(newest);
  }
  return add(static_cast<continuation&>(c));
}

/// Only while nobody else adds or fires.
bool state_base::remove(continuation& c) {
  const link newest = waiting_.load(std::memory_order_acquire);
  const link wanted = reinterpret_cast<link>(&c);
  const link mark = newest & abandoned;
  if(newest == done)
    return false;
  if((newest & ~mark) == wanted) {
    waiting_.store(c.next | mark, std::memory_order_release);
    return true;
  }
  link i = newest & ~mark;
  while(i != 0 && next_of(i) != wanted)
    i = next_of(i);
  if(i == 0)
    return false;
  next_of(i) = c.next;
  return true;
}

namespace {

using clock = std::chrono::steady_clock;

/// A wait that can be given up when it can never end.
template<class Wait>
struct rest : continuation, waits_for {
  rest(state_base& s, const std::source_location& w)
      : waits_for{w,
          [](const waits_for& i, bool) {
            return "waits for " + in_words(static_cast<const rest&>(i).awaited.site());
          },
          [](const waits_for& i) { return static_cast<const rest&>(i).awaited.ready(); },
          [](waits_for& i, const report_of_deadlock& report) {
            auto& self = static_cast<rest&>(i);
            if(!self.awaited.remove(self))
              return false;
            self.why_not = report;
            return true;
          },
          [](waits_for& i) { static_cast<Wait&>(static_cast<rest&>(i)).end(); }},
        awaited(s) {
    fire = [](continuation* c) { static_cast<Wait&>(*static_cast<rest*>(c)).end(); };
  }
  void check() const {
    if(why_not != nullptr)
      throw deadlock_error(*why_not);
  }
  state_base& awaited;
  report_of_deadlock why_not;
};

/// A task, whose stack is left.
struct task_rest : rest<task_rest> {
  using rest::rest;
  void end() { engine_of(*home).resume(*who); } // from here on this may be gone

  executor* home = nullptr;
};

/// A thread that helps, then parks.
struct thread_rest : rest<thread_rest> {
  using rest::rest;
  void end() {
    executor* const ex = helped; // as soon as the flag is raised, this may be gone
    over.store(true, std::memory_order_seq_cst);
    engine::if_alive(ex, [](executor& there) { engine_of(there).wake_waiters(); });
  }

  executor* helped = nullptr;
  std::atomic<bool> over{false};
};

} // namespace

void state_base::wait_slow(const std::source_location& where) {
  if constexpr(detail::is_checked)
    note_returns(__builtin_frame_address(0));
  auto& stack = fiber::here();
  ++stack.waits;
  stack.waited_at = where;
  // A worker runs no task only in executor::run.
  const worker* const w = this_worker();
  if(w == nullptr || (w->observed() && known_task::innermost() == nullptr))
    wait_and_tell(where);
  else
    wait_here(where);
}

void state_base::wait_here(const std::source_location& where) {
  if(this_worker() != nullptr) {
    // The task that makes the value, if it is at hand, is as good as called.
    if(!has_task() || !engine::run_if_next(this) || !ready())
      wait_long(where);
    return;
  }
  // The executor of a promise may have ended, and that of a task may end as soon as the task has.
  engine::if_alive(home(), [&](executor& maker) {
    if(has_task())
      engine_of(maker).run_if_alone(this);
  });
  if(!ready())
    wait_long(where);
}

/// For code that is no task: observers of the executor where the value is made are told.
void state_base::wait_and_tell(const std::source_location& where) {
  bool is_observed = false;
  clock::time_point began;
  engine::if_alive(home(), [&](executor& maker) {
    is_observed = engine_of(maker).observed();
    if(is_observed)
      began = clock::now();
  });
  wait_here(where);
  if(is_observed)
    engine::if_alive(home(), [&](executor& maker) {
      const wait_info info{where, clock::now() - began, name(), where_};
      const auto one = [&info](observer& o) { o.waited(info); };
      engine_of(maker).tell(one);
    });
}

/// For a value that is to be made elsewhere.
void state_base::wait_long(const std::source_location& where) {
  worker* const mine = this_worker();
  executor* const maker = home();
  // A task of another executor helps where the value is made if perhaps nobody else does.
  const auto may_be_needed = [this, maker] {
    return has_task() && &worker_here().home() != maker && engine_of(*maker).has_no_threads();
  };
  if(engine::can_suspend() && !may_be_needed()) {
    executor& home = worker_here().home(); // the job on top may have waited, and moved us
    task_rest me(*this, where);
    me.home = &home;
    const auto arm = [this, &me](fiber& self) {
      self.begin_rest(me); // before anybody can let us go on
      return add(me);
    };
    engine_of(home).suspend(arm);
    me.who->end_rest(me);
    me.check();
    return;
  }
  thread_rest me(*this, where);
  // A worker of several executors, one above the other, helps where the value is made.
  me.helped = mine != nullptr && (maker == nullptr || acting_as::of(*maker) == nullptr)
                ? &mine->home()
                : maker;
  if(!add(me))
    return;
  const auto over = [&me](wait_phase) { return me.over.load(std::memory_order_seq_cst); };
  engine::wait_for_value(me.helped, over, me);
  me.check();
}

} // namespace rondo::detail::inline futures
