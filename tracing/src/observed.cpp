// What observers are told of launches.

#include "observed.hpp"

#include <limits>

#include <rondo/core/executor.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/trace.hpp>

namespace rondo {

using how_type = launch_info::how_type;
using mode_type = access_info::mode_type;

namespace detail::inline tracing {

static_assert(static_cast<mode_type>(access_mode::none) == mode_type::none);
static_assert(static_cast<mode_type>(access_mode::read) == mode_type::read);
static_assert(static_cast<mode_type>(access_mode::write) == mode_type::write);
static_assert(static_cast<mode_type>(access_mode::commute) == mode_type::commute);
static_assert(static_cast<mode_type>(access_mode::reduce) == mode_type::reduce);
static_assert(static_cast<mode_type>(access_mode::write_part) == mode_type::write_part);

namespace {

access_info info_of(const region_base& r, access_mode m) {
  return {r.number(), static_cast<mode_type>(m), r.name()};
}

access_info access_of_node(const void* of, std::size_t i) {
  const auto& n = *static_cast<const template_node*>(of);
  return info_of(*n.regions[i], n.kind->modes[i]);
}

access_info access_of_launch(const void* of, std::size_t i) {
  const auto& l = *static_cast<const launch*>(of);
  if(l.node != nullptr) // then its own may not have been listed
    return access_of_node(l.node, i);
  const access_entry& a = l.accesses()[i];
  return info_of(*a.to, a.mode);
}

/// Of the body of `repeat`.
struct kept_launch {
  token what;
  const launch* prototype; ///< Null if it is left out.
};

access_info access_of_kept(const void* of, std::size_t i) {
  const token& t = static_cast<const kept_launch*>(of)->what;
  return info_of(*t.regions[i], t.kind->modes[i]);
}

std::string details_of_kept(const void* of) {
  const launch* const l = static_cast<const kept_launch*>(of)->prototype;
  return l != nullptr && l->kind->details != nullptr ? l->kind->details(*l) : std::string();
}

std::string details_of_launch(const void* of) {
  const auto& l = *static_cast<const launch*>(of);
  return l.kind->details(l);
}

} // namespace

namespace {
task_id id_of_launch(const void* of) {
  const auto& l = *static_cast<const launch*>(of);
  task_id id{.flow = l.home->home.number(), .number = l.id()};
  if(l.home->is_closed) {
    id.step = l.node->index + 1;
    id.pass = l.round;
  }
  return id;
}
} // namespace

task_info info_of(const launch& l) {
  return {.kind = task_info::kind_type::task,
    .name = l.name,
    .where = l.is_seen ? l.home->seen(l.number_in_batch - 1U)
                       : (l.node != nullptr ? l.node->where : l.where),
    .of = &l,
    .get_id = &id_of_launch};
}

task_info info_of(const closed_batch& b, const closed_step& s, std::uint64_t round) {
  return {.kind = task_info::kind_type::task,
    .name = s.node->name,
    .where = s.node->where,
    .known_id = {
      .flow = b.home.number(), .step = s.node->index + 1, .number = b.first, .pass = round}};
}

namespace {
pass_info pass_of(const iterated_loop& loop, const flow& f, std::uint64_t number) {
  constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max(); // `iterate_options`
  return {.kind = pass_info::kind_type::iterate,
    .flow = f.number(),
    .loop = loop.number,
    .number = number,
    .most = loop.max == no_end ? 0 : loop.max,
    .where = loop.where};
}
/// The first `count` passes.
pass_info passes_of(const closed_loop& loop, std::uint64_t count) {
  return {.kind = pass_info::kind_type::repeat,
    .flow = loop.home.number(),
    .loop = loop.id,
    .count = count,
    .where = loop.where};
}

/// The body of `when` is no pass of its own.
void tell_pass_of(launch_info& info, const loop_pass* p) {
  while(p != nullptr && p->of->is_condition)
    p = p->outer();
  if(p == nullptr)
    return;
  info.is_in_loop = true;
  info.loop = p->of->number;
  info.pass = p->number;
}

void tell_of_pass(const flow& f, void (observer::*what)(const pass_info&), const pass_info& p) {
  const auto one = [&](observer& o) { (o.*what)(p); };
  engine_of(f.home()).tell(one);
}
} // namespace

void tell_end(const iterated_loop& loop, std::uint64_t pass) {
  const flow& f = loop.answers.home();
  if(!engine_of(f.home()).observed())
    return;
  tell_of_pass(
    f, loop.runs(pass) ? &observer::pass_ended : &observer::pass_in_vain, pass_of(loop, f, pass));
}

void tell_end(const closed_loop& loop) {
  std::uint64_t ended = loop.passes;
  std::uint64_t in_vain = loop.passes; // the first of them
  if(loop.is_left_out.load(std::memory_order_relaxed) || loop.is_in_vain(0))
    ended = in_vain = 0;
  else if(const std::uint64_t failed = loop.first_failed.load(std::memory_order_relaxed);
          failed != ~std::uint64_t{0}) {
    ended = failed / loop.made->size();
    in_vain = ended + 1;
  }
  pass_info p = passes_of(loop, ended);
  if(p.count != 0)
    tell_of_pass(loop.home, &observer::pass_ended, p);
  p.number = in_vain;
  p.count = loop.passes - in_vain;
  if(p.count != 0)
    tell_of_pass(loop.home, &observer::pass_in_vain, p);
}

void tell_skipped(const launch& l) {
  const auto one = [info = info_of(l)](
                     observer& o) { o.task_skipped(worker_here().index(), info); };
  engine_of(worker_here().home()).tell(one);
}

} // namespace detail::inline tracing

void trace::tell_pass(flow& f, void (observer::*what)(const pass_info&)) {
  const pass_info p{.kind = pass_info::kind_type::guard,
    .flow = f.number(),
    .number = told_.passes - 1,
    .name = name_,
    .where = where_};
  engine_of(f.ex_).tell(f.events_, [&](observer& o) { (o.*what)(p); });
}

using detail::closed_loop;
using detail::template_node;

/// Whether anybody observes has changed, since the code that launches was told last.
void flow::notice_observers() {
  has_noticed_ = events_.is_observed();
  set(observed, has_noticed_);
  // The short way of guards tells nothing, so it is not gone.
  if(is_any(observed))
    for(trace* t = traces_; t != nullptr; t = t->next_)
      t->leave_short_way();
}

void flow::publish_specially(detail::launch& l) {
  if(is_any(observed))
    tell_launched(l);
  if(is_any(in_lanes))
    publish_in_lane(l);
  else
    publish_for_all();
}

/// It is in the batch, and nobody runs it yet.
void flow::tell_launched(detail::launch& l) {
  if(l.kind->run == nullptr)
    return; // no program has launched it
  if(l.node == nullptr)
    launched_at_ = l.where;
  const std::source_location where = launched_at_;
  if(current_->note_seen(in_batch_ - 1, where)) {
    l.number_in_batch = static_cast<std::uint8_t>(in_batch_);
    l.is_seen = true;
  }
  launch_info info{.id = {.flow = number_, .number = next_id_ - 1},
    .how = how_type::analysed,
    .has_task = true,
    .name = l.name,
    .where = where,
    .futures = l.kind->futures,
    .has_result = l.kind->has_result,
    .accesses = l.kind->accesses,
    .of = &l,
    .get_access = &detail::access_of_launch,
    .get_details = l.kind->details != nullptr ? &detail::details_of_launch : nullptr};
  if(l.node != nullptr)
    info.how = guarded_ != nullptr ? how_type::replayed : how_type::found;
  detail::tell_pass_of(info, l.pass);
  engine_of(ex_).tell(events_, [&info](observer& o) { o.launched(info); });
}

/// A launch of a template that is left out. The event stands for the launch that would have been made.
void flow::tell_left_out(const template_node& n) {
  launch_info info{.id = {.flow = number_, .number = next_id_},
    .how = guarded_ != nullptr ? how_type::replayed : how_type::found,
    .has_task = false,
    .name = n.name,
    .where = n.where,
    .futures = n.kind->futures,
    .has_result = n.kind->has_result,
    .accesses = n.kind->accesses,
    .of = &n,
    .get_access = &detail::access_of_node};
  detail::tell_pass_of(info, pass_);
  engine_of(ex_).tell(events_, [&info](observer& o) { o.launched(info); });
}

/// The launches of a body, before any of them runs. Launches of a template come in the same order, joins in between.
void flow::tell_closed(const closed_loop& loop) {
  std::uint32_t node = loop.made->next_launch(0);
  for(std::size_t i = 0; i != loop.body.size(); ++i) {
    detail::kept_launch l{loop.body[i], nullptr};
    launch_info info{.id = {.flow = number_, .number = loop.id},
      .how = how_type::repeated,
      .has_task = !(l.what.does_nothing && loop.made->leaves_out()),
      .name = l.what.name,
      .where = l.what.where,
      .futures = l.what.kind->futures,
      .has_result = l.what.kind->has_result,
      .passes = loop.passes,
      .accesses = l.what.kind->accesses,
      .of = &l,
      .get_access = &detail::access_of_kept,
      .get_details = &detail::details_of_kept};
    if(info.has_task) {
      l.prototype = loop.prototypes[node];
      info.id.step = node + 1;
      node = loop.made->next_launch(node + 1);
    }
    engine_of(ex_).tell(events_, [&info](observer& o) { o.launched(info); });
  }
  const pass_info p = detail::passes_of(loop, loop.passes);
  engine_of(ex_).tell(events_, [&p](observer& o) { o.pass_begun(p); });
}

void flow::tell_begin(const detail::iterated_loop& loop, std::uint64_t pass) {
  const pass_info p = detail::pass_of(loop, *this, pass);
  engine_of(ex_).tell(events_, [&p](observer& o) { o.pass_begun(p); });
}

} // namespace rondo
