#include "simulation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "check_plan.hpp"
#include "course.hpp"
#include "event_queue.hpp"
#include "nanoseconds.hpp"
#include "network_at_work.hpp"
#include "random_times.hpp"
#include "rank_state.hpp"
#include "streams.hpp"

namespace rondo::simulate {

namespace {

/// Where a launch is.
enum class worker : std::uint8_t { nowhere, main, other };

/// A launch that is about to send and take messages.
struct progress {
  std::int64_t at = 0; ///< It is busy until then.
  std::uint32_t rank = 0;
  std::uint32_t number = 0;
  std::uint32_t action = 0; ///< The next one.
  std::uint32_t next =
    none; ///< In the list that it is in: of those that wait for a stream, or of unused ones.
  worker on = worker::nowhere;
  bool is_leading = false; ///< The task comes after them.
};

/// As many launches are made at a time, one event for them all.
constexpr std::uint32_t group = 64;
/// How far ahead the main thread of Rondo launches.
constexpr std::uint32_t usual_window = 4096;

class simulation {
public:
  simulation(const plan& p, const costs& c, const network& n, const wishes& w)
      : times_(p, c, w.seed), nodes_(static_cast<std::uint32_t>(p.ranks.size()), n.ranks_per_node),
        streams_(streams_of(p, nodes_)), network_(n, nodes_.count()),
        window_(w.window == 0 ? usual_window : w.window), others_(std::max(1U, p.workers) - 1),
        between_tasks_(to_nanoseconds(c.between_tasks)),
        has_progress_thread_(w.has_progress_thread), ranks_(p.ranks.size()),
        idle_(p.ranks.size() * others_) {
    for(const role& r : p.roles)
      courses_.emplace_back(p, r, c, w);
    for(std::uint32_t r = 0; r != ranks_.size(); ++r) {
      ranks_[r].role = p.ranks[r].role;
      ranks_[r].first_out = streams_.first_out[r];
      ranks_[r].first_in = streams_.first_in[r];
      ranks_[r].idle = others_;
    }
  }

  outcome play() {
    for(std::uint32_t r = 0; r != ranks_.size(); ++r)
      let_idle_look(r);
    event e;
    while(queue_.pop(e)) {
      now_ = queue_.now();
      ++result_.events;
      if(const event* const n = queue_.ahead(3))
        fetch_more(*n);
      happen(e);
    }
    return summary();
  }

private:
  [[nodiscard]] const course& course_of(const rank_state& r) const { return courses_[r.role]; }

  // Most time goes into waiting for memory, so what an event needs is asked for while others are handled

  void fetch(const event& e) const {
    switch(e.kind()) {
    case event_kind::launched:
    case event_kind::computed:
      fetch_rank(e.a);
      break;
    case event_kind::leaves:
    case event_kind::goes_on:
      __builtin_prefetch(&progress_[e.a], 1);
      break;
    case event_kind::at_card:
    case event_kind::arrives:
      __builtin_prefetch(&streams_.in[e.a], 1);
      break;
    }
  }
  void fetch_rank(std::uint32_t rank) const {
    const char* const r = reinterpret_cast<const char*>(&ranks_[rank]);
    __builtin_prefetch(r, 1);
    __builtin_prefetch(r + 64, 1);
  }
  void fetch_more(const event& e) const {
    switch(e.kind()) {
    case event_kind::launched:
    case event_kind::computed:
      ranks_[e.a].launches.prefetch();
      ranks_[e.a].ready.prefetch();
      break;
    case event_kind::leaves:
    case event_kind::goes_on:
      fetch_rank(progress_[e.a].rank);
      break;
    case event_kind::at_card:
      break;
    case event_kind::arrives:
      fetch_rank(streams_.in[e.a].rank);
      if(const std::uint32_t index = streams_.in[e.a].waiting; index != none)
        __builtin_prefetch(&progress_[index], 1);
      break;
    }
  }

  void happen(const event& e) {
    switch(e.kind()) {
    case event_kind::launched:
      launched(e.a);
      break;
    case event_kind::computed:
      computed(e.a, e.b >> 1, (e.b & 1) != 0 ? worker::main : worker::other);
      break;
    case event_kind::leaves:
      leaves(e.a);
      break;
    case event_kind::goes_on:
      resume(e.a);
      break;
    case event_kind::at_card:
      at_card(e.a, e.b);
      break;
    case event_kind::arrives:
      arrives(e.a);
      break;
    }
  }

  // The main thread

  /// It has come to a wait, or to where it has to wait.
  [[nodiscard]] bool must_wait(const rank_state& r) const {
    switch(r.main_waits) {
    case waiting_for::nothing:
      return false;
    case waiting_for::one_launch:
      return !r.launches.has_ended(r.waits_for);
    case waiting_for::all:
      return r.not_ended != 0;
    case waiting_for::window:
      return r.not_ended > window_ / 2;
    case waiting_for::end_of_others:
      break;
    }
    return true;
  }

  /// It may launch: to the next place where it has to wait, or the next group.
  void launch_on(std::uint32_t rank) {
    rank_state& r = ranks_[rank];
    const course& c = course_of(r);
    r.main_waits = waiting_for::nothing;
    while(r.launches.known() != c.length()) {
      const std::uint32_t number = r.launches.known();
      const course::step& s = c.at(number);
      if(!s.what.is_wait) {
        launch_group(rank);
        return;
      }
      if(s.is_left_out)
        r.launches.add(in_flight::ended);
      else if(s.what.waits_for_all) {
        r.launches.add(in_flight::ended);
        r.main_waits = waiting_for::all;
      }
      else {
        add(r, s, number);
        r.waits_for = number;
        r.main_waits = waiting_for::one_launch;
      }
      if(must_wait(r))
        return;
    }
    r.main_waits = waiting_for::end_of_others;
  }

  void launch_group(std::uint32_t rank) {
    rank_state& r = ranks_[rank];
    if(r.not_ended >= window_) {
      r.main_waits = waiting_for::window;
      return;
    }
    const course& c = course_of(r);
    const std::uint32_t most = std::min(group, window_ - r.not_ended);
    double cost = 0;
    std::uint32_t i = r.launches.known();
    for(std::uint32_t n = 0; n != most && i != c.length();) {
      const course::step& s = c.at(i);
      if(s.what.is_wait && !s.is_left_out)
        break;
      ++i;
      if(s.what.is_wait)
        continue;
      cost += s.cost;
      ++n;
      if(s.waits_for_it)
        break;
    }
    r.group_end = i;
    r.main_is_idle = false;
    const std::int64_t takes = to_nanoseconds(cost);
    launching_ += takes;
    queue_.push({now_ + takes, event_kind::launched, rank});
  }

  void launched(std::uint32_t rank) {
    rank_state& r = ranks_[rank];
    const course& c = course_of(r);
    while(r.launches.known() != r.group_end) {
      const std::uint32_t number = r.launches.known();
      const course::step& s = c.at(number);
      if(s.is_left_out) {
        r.launches.add(in_flight::ended);
        continue;
      }
      ++r.not_ended;
      if(s.what.has_task)
        ++result_.what.launches;
      if(s.waits_for_it) {
        r.waits_for = number;
        r.main_waits = waiting_for::one_launch;
      }
      if(add(r, s, number))
        is_ready(rank, s, number);
    }
    r.main_is_idle = true;
    end_all(rank);
    let_idle_look(rank);
  }

  /// Returns true if it has nothing to wait for. A wait has ended then.
  bool add(rank_state& r, const course::step& s, std::uint32_t number) {
    std::uint16_t left = 0;
    course_of(r).for_each_before(s, number, [&](std::uint32_t before) {
      if(!r.launches.has_ended(before))
        ++left;
    });
    r.launches.add(left == 0 && s.what.is_wait ? in_flight::ended : left);
    return left == 0;
  }

  // Launches

  /// All that it waits for have ended.
  void is_ready(std::uint32_t rank, const course::step& s, std::uint32_t number) {
    rank_state& r = ranks_[rank];
    if(s.what.is_wait)
      r.launches.end(number); // the main thread goes on when it is idle
    else if(s.what.has_task && s.leading == 0)
      r.ready.push(number, s.is_first);
    else if(s.what.actions != 0)
      advance(new_progress(rank, number, s.what.first_action, worker::nowhere, s.what.has_task));
    else
      to_end_.push_back(number);
  }

  /// All that have come to their end, and what ends with them.
  void end_all(std::uint32_t rank) {
    rank_state& r = ranks_[rank];
    const course& c = course_of(r);
    while(!to_end_.empty()) {
      const std::uint32_t number = to_end_.back();
      to_end_.pop_back();
      end_ = now_;
      r.launches.end(number);
      --r.not_ended;
      c.for_each_after(number, [&](std::uint32_t after) {
        if(after < r.launches.known() && r.launches.one_less(after))
          is_ready(rank, c.at(after), after);
      });
    }
  }

  // Workers

  [[nodiscard]] static bool is_any_idle(const rank_state& r) {
    return r.main_is_idle || r.idle != 0;
  }

  /// Workers that have nothing to do look for messages, and get something to do.
  void let_idle_look(std::uint32_t rank) {
    rank_state& r = ranks_[rank];
    if(r.unseen != none && is_any_idle(r)) {
      look(rank);
      end_all(rank);
    }
    if(r.main_is_idle && !must_wait(r))
      launch_on(rank);
    while(!r.ready.empty()) {
      if(r.idle != 0) {
        const std::int64_t free = idle_[std::size_t{rank} * others_ + r.first_idle];
        r.first_idle = r.first_idle + 1 == others_ ? 0 : r.first_idle + 1;
        --r.idle;
        compute(rank, free, worker::other);
      }
      else if(r.main_is_idle) {
        r.main_is_idle = false;
        compute(rank, r.main_free, worker::main);
      }
      else
        return;
    }
  }

  void compute(std::uint32_t rank, std::int64_t free, worker on) {
    rank_state& r = ranks_[rank];
    const std::uint32_t number = r.ready.pop();
    const course::step& s = course_of(r).at(number);
    const std::int64_t takes = times_.of(rank, s.what.site, number);
    if(s.is_of_runtime)
      in_runtime_ += takes;
    else
      r.computing += takes;
    queue_.push({std::max(now_, free) + takes, event_kind::computed, rank,
      number << 1 | std::uint32_t{on == worker::main}});
  }

  void computed(std::uint32_t rank, std::uint32_t number, worker on) {
    const course::step& s = course_of(ranks_[rank]).at(number);
    if(s.leading == s.what.actions) {
      to_end_.push_back(number);
      leave(ranks_[rank], rank, on);
    }
    else
      advance(new_progress(rank, number, s.what.first_action + s.leading, on, false));
    end_all(rank);
    let_idle_look(rank);
  }

  /// A launch no longer needs its worker.
  void leave(rank_state& r, std::uint32_t rank, worker w) {
    if(w == worker::main) {
      r.main_is_idle = true;
      r.main_free = now_ + between_tasks_;
    }
    else if(w == worker::other) {
      const std::uint32_t behind = r.first_idle + r.idle++;
      idle_[std::size_t{rank} * others_ + (behind < others_ ? behind : behind - others_)] =
        now_ + between_tasks_;
    }
  }

  // Messages

  std::uint32_t new_progress(
    std::uint32_t rank, std::uint32_t number, std::uint32_t action, worker on, bool is_leading) {
    if(unused_ == none) {
      unused_ = static_cast<std::uint32_t>(progress_.size());
      progress_.emplace_back();
    }
    const std::uint32_t i = unused_;
    unused_ = progress_[i].next;
    progress_[i] = {now_, rank, number, action, none, on, is_leading};
    return i;
  }

  /// From action to action, to the first one that has to wait or takes time that others could see.
  void advance(std::uint32_t index) {
    progress& g = progress_[index];
    rank_state& r = ranks_[g.rank];
    const course& c = course_of(r);
    const course::step& s = c.at(g.number);
    const std::uint32_t end = s.what.first_action + (g.is_leading ? s.leading : s.what.actions);
    g.at = std::max(g.at, now_);
    for(; g.action != end; ++g.action) {
      const action& a = c.actions()[g.action];
      if(a.is_sent) {
        const stream_out& out = streams_.out[r.first_out + a.stream];
        g.at += network_.sending(out.is_within_node, a.bytes);
        // Cards take messages in the order in which they come, so the time must have come.
        if(!out.is_within_node && g.at > now_) {
          queue_.push({g.at, event_kind::leaves, index});
          return;
        }
        send(g, out, a);
      }
      else {
        stream_in& in = streams_.in[r.first_in + a.stream];
        if(in.not_taken == 0) {
          wait_for(index, in);
          return;
        }
        --in.not_taken;
        g.at += network_.taking(in.is_within_node);
      }
    }
    if(g.at > now_)
      queue_.push({g.at, event_kind::goes_on, index});
    else
      finish(index, s);
  }

  void finish(std::uint32_t index, const course::step& s) {
    progress& g = progress_[index];
    rank_state& r = ranks_[g.rank];
    leave(r, g.rank, g.on);
    if(g.is_leading && s.what.has_task)
      r.ready.push(g.number, s.is_first);
    else
      to_end_.push_back(g.number);
    g.next = unused_;
    unused_ = index;
  }

  void send(const progress& g, const stream_out& out, const action& a) {
    ++result_.what.messages;
    result_.what.bytes += a.bytes;
    if(out.to == stream_out::nobody)
      return;
    const std::int64_t latency = network_.latency(out.is_within_node);
    if(out.is_within_node)
      queue_.push({g.at + latency, event_kind::arrives, out.to});
    else {
      const std::int64_t left = network_.through_card_out(nodes_.of(g.rank), now_, a.bytes);
      queue_.push({left + latency, event_kind::at_card, out.to, a.bytes});
    }
  }

  void leaves(std::uint32_t index) {
    progress& g = progress_[index];
    const rank_state& r = ranks_[g.rank];
    const action& a = course_of(r).actions()[g.action++];
    send(g, streams_.out[r.first_out + a.stream], a);
    resume(index);
  }

  void at_card(std::uint32_t to, std::uint32_t bytes) {
    const std::uint32_t node = nodes_.of(streams_.in[to].rank);
    const std::int64_t then = network_.through_card_in(node, now_, bytes);
    if(then == now_)
      arrives(to);
    else
      queue_.push({then, event_kind::arrives, to});
  }

  void arrives(std::uint32_t to) {
    stream_in& in = streams_.in[to];
    if(in.waiting == none) {
      ++in.not_taken;
      return;
    }
    const std::uint32_t index = in.waiting;
    progress& g = progress_[index];
    in.waiting = g.next;
    rank_state& r = ranks_[g.rank];
    if(!has_progress_thread_ && !is_any_idle(r)) {
      g.next = std::exchange(r.unseen, index);
      return;
    }
    take(g, in);
    resume(index);
  }

  void take(progress& g, const stream_in& in) const {
    ++g.action;
    g.at = std::max(g.at, now_) + network_.taking(in.is_within_node);
  }

  /// A worker is between two tasks, and looks for messages.
  void look(std::uint32_t rank) {
    rank_state& r = ranks_[rank];
    std::uint32_t index = std::exchange(r.unseen, none);
    while(index != none) {
      progress& g = progress_[index];
      const action& a = course_of(r).actions()[g.action];
      take(g, streams_.in[r.first_in + a.stream]);
      const std::uint32_t next = g.next;
      advance(index);
      index = next;
    }
  }

  /// It comes to rest, if the time to look has come: until then its worker is busy with what it has sent and taken.
  void wait_for(std::uint32_t index, stream_in& in) {
    progress& g = progress_[index];
    if(g.on != worker::nowhere && g.at > now_) {
      queue_.push({g.at, event_kind::goes_on, index});
      return;
    }
    leave(ranks_[g.rank], g.rank, std::exchange(g.on, worker::nowhere));
    g.next = none;
    std::uint32_t* last = &in.waiting;
    while(*last != none)
      last = &progress_[*last].next;
    *last = index;
  }

  /// What follows from it on its rank, too.
  void resume(std::uint32_t index) {
    const std::uint32_t rank = progress_[index].rank;
    advance(index);
    end_all(rank);
    let_idle_look(rank);
  }

  outcome summary() {
    components& c = result_.what;
    std::int64_t computing = 0;
    std::int64_t most = 0;
    for(const rank_state& r : ranks_) {
      computing += r.computing;
      most = std::max(most, r.computing);
      if(r.main_waits != waiting_for::end_of_others || r.not_ended != 0)
        ++result_.stuck;
    }
    const auto seconds = [](std::int64_t ns) { return 1e-9 * static_cast<double>(ns); };
    const auto ranks = std::max(1.0, static_cast<double>(ranks_.size()));
    c.seconds = seconds(end_);
    c.computing = seconds(computing) / ranks;
    c.most_computing = seconds(most);
    c.launching = seconds(launching_) / ranks;
    c.in_runtime = seconds(in_runtime_) / ranks;
    return result_;
  }

  random_times times_;
  nodes nodes_;
  streams streams_;
  network_at_work network_;
  std::uint32_t window_;
  std::uint32_t others_; ///< Workers of a rank, but for the main thread.
  std::int64_t between_tasks_;
  bool has_progress_thread_;
  std::vector<course> courses_;
  std::vector<rank_state> ranks_;
  std::vector<std::int64_t>
    idle_; ///< For each rank a ring: when idle workers can run the next task.
  struct soon {
    const simulation* of;
    void operator()(const event& e) const { of->fetch(e); }
  };
  event_queue<soon> queue_{soon{this}};
  std::vector<progress> progress_;
  std::uint32_t unused_ = none;       ///< Of them.
  std::vector<std::uint32_t> to_end_; ///< Launches of the rank at hand.
  std::int64_t now_ = 0;
  std::int64_t end_ = 0;
  std::int64_t launching_ = 0;
  std::int64_t in_runtime_ = 0;
  outcome result_;
};

} // namespace

outcome simulate(const plan& p, const costs& c, const network& n, const wishes& w) {
  check(p);
  return simulation(p, c, n, w).play();
}

} // namespace rondo::simulate
