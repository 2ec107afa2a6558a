#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/trace.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>

#include <rondo/core/place.hpp>
#include <rondo/core/running_task.hpp>

#include "crew/flow_crew.hpp"
#include "describe.hpp"
#include "given_up_kind.hpp"
#include "inner_failures.hpp"
#include "newest_flow.hpp"

namespace rondo {

namespace {
std::atomic<std::uint32_t> flows_made{0};

std::size_t batch_size_of(const flow_options& o) {
  return std::bit_floor(std::clamp<std::size_t>(o.window / 4, 1, detail::batch::most));
}

std::string at(const std::source_location& w) {
  return w.line() == 0 ? "a launch without accesses" : detail::place(w);
}
std::string quoted(const detail::region_base& r) { return detail::quoted("region", r.name()); }

/// The task that has made the flow which its code is at: ", in task 'solve'". Empty outside of tasks.
std::string in_task() {
  const detail::running_task* const t = detail::current_task();
  const char* const name = t != nullptr ? t->name() : nullptr;
  return name == nullptr || *name == '\0' ? "" : std::string(", in task '") + name + '\'';
}
} // namespace

std::uint64_t detail::launch::id() const {
  if(home->is_closed)
    return home->first;
  if(number_in_batch != 0)
    return home->first + number_in_batch - 1;
  return home->first +
         static_cast<std::uint64_t>(
           std::find(home->launches, home->launches + batch::most, this) - home->launches);
}

namespace {
std::string name_and_place(const detail::launch& l, const std::string& details) {
  const char* const called = l.node != nullptr ? l.node->name : l.name;
  const std::source_location& launched = l.node != nullptr ? l.node->where : l.where;
  std::string text =
    *called == '\0' ? "a task without a name" : "task '" + std::string(called) + "'";
  text += details;
  if(launched.line() != 0)
    text += ", launched at " + detail::place(launched);
  return text;
}
} // namespace

std::string detail::launch::describe_fully() const {
  const launch* what = this;
  if(home->is_closed)
    what = static_cast<const closed_batch*>(home)->loop.prototypes[node->index];
  return name_and_place(*this, what->kind->details != nullptr ? what->kind->details(*what) : "");
}

std::string detail::describe_briefly(const launch& l) { return name_and_place(l, {}); }

std::string detail::launch::describe() {
  std::string what;
  if(*name != '\0') {
    what = "'";
    what += name;
    what += "', ";
  }
  return what += at(where);
}

// A task may make one for itself, on its stack.
static_assert(sizeof(flow) <= 4096);

flow::flow(executor& ex, flow_options options)
    : ex_(ex), owner_(&detail::fiber::here()),
      batch_size_(static_cast<std::uint32_t>(batch_size_of(options))),
      number_(flows_made.fetch_add(1, std::memory_order_relaxed) + 1),
      window_(std::max<std::size_t>(options.window / batch_size_, 2)), ring_(window_),
      name_(options.name), is_alone_(engine_of(ex).rely_on_one_worker()),
      finds_repeats_(options.find_repeats ? looking : 0), limit_(window_),
      made_before_(static_cast<flow*>(std::exchange(detail::newest_flow(*owner_), this))),
      events_(
        *owner_, [](void* of) { static_cast<flow*>(of)->notice_observers(); }, this) {
  in_batch_ = batch_size_;
  ways_ = finds_repeats_;
  engine_of(ex_).add(events_);
}

flow::~flow() {
  if constexpr(detail::is_checked)
    detail::note_returns(__builtin_frame_address(0));
  try {
    wait_for_all({.subject = "the end of the flow"});
  }
  catch(...) { // only what the waiting itself throws
  }
  while(traces_ != nullptr)
    traces_->leave_flow();
  if(detail::newest_flow(*owner_) == this)
    detail::newest_flow(*owner_) = made_before_;
  else
    for(auto* f = static_cast<flow*>(detail::newest_flow(*owner_)); f != nullptr;
        f = f->made_before_)
      if(f->made_before_ == this)
        f->made_before_ = made_before_;
  // Crews look at the flow until the last thing they do.
  crews_.inside.wait_for_end(ex_);
  engine_of(ex_).remove(events_);
  if(is_alone_)
    engine_of(ex_).stop_relying_on_one_worker();
  // A failure, or what is thrown just now, matters, and not that it has destroyed regions that were in use.
  if(!complaint_.empty() && crews_.failure == nullptr && std::uncaught_exceptions() == 0)
    std::fprintf(stderr, "%s\n", complaint_.c_str());
  if(crews_.failure != nullptr)
    detail::tell_unwaited_failure(ex_, crews_.failed + in_task(), crews_.failure);
}

void flow::foreign_caller() const {
  throw std::logic_error(
    std::string(name_) +
    ": used by other code than that which made it. Only the thread, or the task, "
    "that made it may launch into it, wait for it and make its regions; a task that wants to "
    "launch makes one of its own");
}

void flow::refuse(detail::launch& l, const detail::access_entry& a) {
  const bool is_ours = &a.to->home() == this;
  const std::string message =
    !is_ours ? std::string(name_) + ": " + quoted(*a.to) + ", given to " + l.describe() +
                 ", belongs to another flow"
             : std::string(name_) + ": " + quoted(*a.to) + " is given twice to " + l.describe() +
                 ", for " + detail::word_for(a.to->mode_in_this_launch()) + " and for " +
                 detail::word_for(a.mode) +
                 "; a launch may have one access to a region, or several for read";
  for(unsigned i = 0; i != l.kind->accesses; ++i)
    if(&l.accesses()[i].to->home() == this)
      l.accesses()[i].to->withdraw(next_id_);
  l.kind->skip(l, std::make_exception_ptr(std::logic_error(message)));
  l.kind->end(l);
  throw std::logic_error(message);
}

void flow::next_batch() {
  // The executor may have got more workers meanwhile, or less.
  if(const unsigned workers = ex_.workers(); workers != crews_called_) {
    crews_called_ = workers;
    crews_.crews.grow(workers);
    first_crews_ = detail::seats::first_of(workers);
    has_more_crews_ = !detail::seats::are_in_first(workers);
  }
  if(batches_under_way() >= limit_) {
    retire();
    if(batches_under_way() >= limit_)
      make_room();
  }
  if(automatic_.pause != 0 && --automatic_.pause == 0)
    end_pause();
  if(events_.is_observed() != has_noticed_) [[unlikely]]
    notice_observers();
  if(!buried_.empty())
    dig_up();
  if(!closed_.empty()) {
    retire(); // loops take up much memory, and can run again
    drop_closed();
  }
  choose_mode();
  current_ = &ring_.begin(batches_, *this);
  current_->first = next_id_;
  ++batches_;
  in_batch_ = 0;
  ended_of_current_ = 0;
}

/// Whether the launches of the batch that begins now are shared, or go to lanes.
void flow::choose_mode() {
  // The executor may have been resized meanwhile. And lanes have room for the launches of one window.
  const bool is_shared_out = in_use_ != nullptr ? in_use_->has_lanes() : works_on_part_;
  const bool are_dealt_out = is_shared_out && lanes_wanted() > 1 && batches_under_way() < window_;
  if(are_dealt_out == is_any(in_lanes))
    return;
  if(are_dealt_out) {
    if(lanes_.empty()) {
      detail::lane_queues made(std::min(lanes_wanted(), crews_.crews.size()));
      for(auto& lane : made)
        lane = std::make_unique<detail::lane_queue>(window_ * batch_size_);
      lanes_ = std::move(made);
      crews_.lanes.store(&lanes_, std::memory_order_release);
    }
  }
  else {
    // Shared launches are found by their numbers, so those of the lanes are passed over: no crew touches
    // `claimed` before more is launched. If some are left, another time.
    if(crews_.is_anything_left())
      return;
    crews_.claimed.store(next_id_, std::memory_order_relaxed);
  }
  set(in_lanes, are_dealt_out);
  crews_.uses_lanes.store(are_dealt_out, std::memory_order_relaxed);
}

void flow::publish_in_lane(detail::launch& l) {
  note_lane(l.node);
  lanes_[last_lane_]->push(l);
  call_crew_of_lane();
}

/// One that belongs to none comes behind the one before: a chain of such stays together then.
void flow::note_lane(const detail::template_node* n) {
  if(n == nullptr || n->lane == detail::template_node::no_lane)
    return;
  last_lane_ = n->lane;
  if(last_lane_ >= lanes_.size()) [[unlikely]] // there were less workers when they were made
    last_lane_ %= static_cast<std::uint32_t>(lanes_.size());
}

void flow::call_crew_of_lane() {
  detail::light_fence();
  if(!crews_.at_work.is_taken(last_lane_, std::memory_order_relaxed))
    call_crew(last_lane_);
}

/// In templates. Lanes wait for each other, so all workers have to run at the same time.
unsigned flow::lanes_wanted() const { return ex_.shares_cores() ? 1 : ex_.workers(); }

/// A launch without a program's code.
void flow::publish_internal(detail::launch& l) {
  l.name = "";
  l.home = current_;
  l.pass = nullptr;
  ++internal_;
  publish(l);
}

void flow::call_crew() {
  const unsigned seat = crews_.at_work.find_free(crews_called_);
  if(seat != detail::seats::none)
    call_crew(seat);
}

/// Calls crews that could not be called when their launches were launched.
void flow::call_missing_crews() {
  if(crews_.at_work.are_free(crews_.crews.size()) && crews_.is_anything_left())
    call_crew();
  for(std::size_t i = 0; i != lanes_.size(); ++i)
    if(const auto seat = static_cast<unsigned>(i);
       !crews_.at_work.is_taken(seat) && lanes_[i]->is_anything_left())
      call_crew(seat);
}

void flow::call_crew(unsigned i) {
  if(!crews_.at_work.take(i))
    return; // it was about to end, and has seen that there is more to do
  crews_.inside.enter();
  detail::flow_crew& c = crews_.crews[i];
  c.begin(*this, i, is_alone_);
  try {
    engine_of(ex_).enqueue(&c);
  }
  catch(const std::bad_alloc&) {
    // The launch is there, and the next one calls again, or the code that waits.
    crews_.at_work.leave(i);
    crews_.inside.take_back();
  }
}

std::uint32_t flow::size_of(std::uint64_t batch) const {
  return batch + 1 == batches_ ? in_batch_ : batch_size_;
}

bool flow::ended(std::uint64_t batch) const {
  return batch < first_batch_ ||
         batch_at(batch).ended.load(std::memory_order_seq_cst) == size_of(batch);
}

bool flow::has_nothing_under_way() const {
  for(std::uint64_t i = first_batch_; i != batches_; ++i)
    if(!ended(i))
      return false;
  return true;
}

void flow::retire() {
  while(first_batch_ != batches_ && size_of(first_batch_) == batch_size_ && ended(first_batch_))
    ++first_batch_;
}

void flow::rethrow() {
  if(!has_failed()) {
    if(!complaint_.empty())
      throw std::logic_error(std::exchange(complaint_, {}));
    return;
  }
  std::exception_ptr why;
  {
    const std::lock_guard lock(crews_.failure_mutex);
    why = std::exchange(crews_.failure, nullptr);
    last_failed_launch_ = crews_.failed;
    crews_.first_failed.store(~std::uint64_t{0}, std::memory_order_relaxed);
  }
  if(detail::current_task() != nullptr)
    detail::note_inner_failure(why, last_failed_launch_);
  std::rethrow_exception(why);
}

/// A region ends. Launches may still look at it until they are counted.
void flow::let_go(
  detail::region_base& r, std::uint64_t last_launch, const std::source_location& where) {
  if(recorded_ != nullptr && recorded_->names(r)) {
    if(recorded_ == &automatic_.record)
      end_automatic_recording();
    else {
      recorded_->clear(); // it will not come again
      recorded_ = nullptr;
    }
  }
  last_uses(r);
  if((!uses_.empty() || !r.running().reached(r.entered())) && complaint_.empty())
    complaint_ = std::string(name_) + ": " + quoted(r) +
                 " was destroyed while a launch still needed it (" +
                 (where.line() == 0 ? "of a loop launched as a whole" : at(where)) + in_task() +
                 "); wait for the flow or the region first";
  if(r.templates != 0)
    spare_loops_.forget(r); // these wait for nothing
  if(r.templates != 0) {
    wait_for_all({.subject = "the end of a region"});
    spare_loops_.forget(r); // and those that have run just now
    forget(r);
  }
  else if(last_launch != detail::region_base::no_launch)
    for(std::uint64_t i = last_launch / batch_size_ + 1; i-- > first_batch_;)
      wait_for_batch(i, {.subject = "the end of a region"});
}

std::string flow::failed_launch() const {
  const std::lock_guard lock(crews_.failure_mutex);
  return crews_.failed;
}

std::string flow::why_skipped() const {
  const std::string which = failed_launch();
  return which.empty() ? "something before it has failed" : which + ", has failed before it";
}

std::exception_ptr flow::failure() const {
  const std::lock_guard lock(crews_.failure_mutex);
  return crews_.failure;
}

void flow::failed(const detail::launch& l, std::exception_ptr why) {
  const std::uint64_t id = l.id();
  const std::string inner = detail::take_inner_failure(why);
  const std::lock_guard lock(crews_.failure_mutex);
  const std::uint64_t first = crews_.first_failed.load(std::memory_order_relaxed);
  bool is_first = crews_.failure == nullptr || id < first;
  if(l.home->is_closed) {
    detail::closed_loop& loop = static_cast<detail::closed_batch*>(l.home)->loop;
    const std::uint64_t place = loop.place(l.round, *l.node);
    if(place < loop.first_failed.load(std::memory_order_relaxed)) {
      loop.first_failed.store(place, std::memory_order_relaxed);
      is_first = is_first || id == first;
    }
  }
  if(is_first) {
    crews_.failure = std::move(why);
    crews_.failed = (inner.empty() ? "" : inner + ", in ") + l.describe_fully();
    crews_.first_failed.store(id, std::memory_order_relaxed);
  }
}

} // namespace rondo
