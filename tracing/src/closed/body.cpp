// The launching side of closed loops: the body is called, what it launches is kept, and then it runs, or is opened.

#include <rondo/tracing/closed.hpp>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <rondo/tracing/flow.hpp>

#include "../crew/loop_crew.hpp"
#include "../gate.hpp"
#include "../observed.hpp"

namespace rondo {

using detail::closed_loop;

closed_loop& flow::begin_closed(std::uint64_t passes, const std::source_location& where) {
  check_caller();
  launch_gathered();
  open_closed();
  closed_.push_back(std::make_unique<closed_loop>(*this, passes, where, pass_));
  closing_ = closed_.back().get();
  return *closing_;
}

/// A loop begins in the body of `repeat`: how its passes go is not known beforehand. Or the body waits, or its launches take futures that are not the same in
/// all passes (repeated_body.hpp). Then passes are launched one by one. The launches of the body so far are the begin of this one.
void flow::open_closed() {
  if(closing_ == nullptr)
    return;
  closed_loop& loop = *std::exchange(closing_, nullptr);
  // The launches lie in its memory. How long that is needed is known at the end.
  loop.is_over = true;
  loop.last_launch = ~std::uint64_t{0};
  launch_kept(loop, loop.give_prototypes());
}

/// The body is going to wait, also for what it has launched so far.
void flow::open_for_wait() {
  if(repeated_ == nullptr)
    return;
  repeated_->launch_each_by_itself();
  launch_gathered();
  open_closed();
}

/// As if there had been no `repeat`. Those that can't be launched are the loop's once more.
void flow::launch_kept(closed_loop& loop, const std::vector<detail::launch*>& which) {
  struct at_end {
    closed_loop& loop;
    const std::vector<detail::launch*>& all;
    const std::uint64_t& next;
    std::size_t launched = 0;
    ~at_end() {
      loop.prototypes.insert(
        loop.prototypes.end(), all.begin() + static_cast<std::ptrdiff_t>(launched), all.end());
      loop.last_launch = next;
    }
  } here{loop, which, next_id_};
  for(detail::launch* const l : which) {
    const std::size_t count = l->kind->accesses;
    for(std::size_t i = 0; i != count; ++i)
      if(l->accesses()[i].to->owner != nullptr)
        disown(*l->accesses()[i].to);
    begin_launch();
    l->home = current_;
    l->pass = pass_;
    analyse(*l, *l->kind, count);
    l->kind->hints != nullptr ? publish_hinted(*l) : publish(*l);
    ++here.launched;
  }
}

void flow::launch_before_loop(std::span<const detail::kept_launches> which) {
  if(closing_ == nullptr || which.empty())
    return;
  closed_loop& loop = *std::exchange(closing_, nullptr);
  // Should something throw, the loop is as if it had been opened: what is launched here lies in its memory.
  loop.is_over = true;
  loop.last_launch = ~std::uint64_t{0};
  const auto kept = loop.give_prototypes();
  std::vector<detail::launch*> first;
  std::size_t next = 0; // of those that are kept
  for(const detail::kept_launches& k : which) {
    const auto at = [&](std::size_t n) { return kept.begin() + static_cast<std::ptrdiff_t>(n); };
    loop.prototypes.insert(loop.prototypes.end(), at(next), at(k.first));
    first.insert(first.end(), at(k.first), at(k.last));
    next = k.last;
  }
  loop.prototypes.insert(
    loop.prototypes.end(), kept.begin() + static_cast<std::ptrdiff_t>(next), kept.end());
  launch_kept(loop, first);
  loop.is_over = false;
  closing_ = &loop;
}

/// The body has thrown something. If it was opened before, what it has launched runs.
void flow::abandon_closed(closed_loop& loop) {
  if(closing_ != &loop)
    return;
  closing_ = nullptr;
  const bool has_launched = loop.last_launch != 0; // before the loop: these lie in its memory
  if(!has_launched) {
    closed_.pop_back();
    return;
  }
  loop.is_over = true;
  loop.last_launch = next_id_;
}

/// A launch of the body, instead of `publish`.
void flow::keep_closed(detail::launch& l) {
  closing_->prototypes.push_back(&l);
  const detail::launch_kind& k = *l.kind;
  const auto refuse_it = [&](const std::string& why) {
    throw std::logic_error(std::string(name_) + "::repeat: " + l.describe() + ": " + why);
  };
  if(k.run_again == nullptr)
    refuse_it("an argument that can't be copied, but would be needed in each pass");
  for(unsigned i = 0; i != k.accesses; ++i) {
    const detail::access_entry& a = l.accesses()[i];
    if(&a.to->home() != this)
      refuse_it("a region that belongs to another flow");
    for(unsigned j = 0; j != i; ++j)
      if(l.accesses()[j].to == a.to &&
         (a.mode != detail::access_mode::read || l.accesses()[j].mode != detail::access_mode::read))
        refuse_it(
          "a region is given twice; a launch may have one access to a region, or several for "
          "read");
  }
}

/// The body has been called: from now on it runs.
void flow::end_closed() {
  if(closing_->prototypes.empty()) {
    closed_loop& loop = *std::exchange(closing_, nullptr);
    loop.is_over = true;
    loop.last_launch = next_id_; // launches that go before it lie in its memory
    return;
  }
  std::unique_ptr<closed_loop> again = spare_loops_.take_like(*closing_);
  const bool is_again = again != nullptr;
  if(!is_again)
    closing_->compile();
  closed_loop& loop = is_again ? *again : *closing_;
  detail::trace_template& t = *loop.made;
  own_all_regions(t);
  t.begun = loop.passes;
  t.round = loop.passes - 1;
  t.next = t.size();
  loop.id = next_id_;
  if(is_again) {
    loop.begin_again(*closing_);
    closed_.back() = std::move(again);
  }
  else
    loop.complete();
  closing_ = nullptr;
  begin_launch();
  detail::gate& end = make_gate(1);
  ::new(end.after()) detail::trace_template::awaited{&loop.finished, 1};
  loop.end = &end;
  if(is_any(observed))
    tell_closed(loop);
  loop.is_told = is_any(observed);
  loop.begin();
  publish_gate(end, detail::gate::without_region);
}

/// Those that can run once more are kept for that.
template<class IsOver>
void flow::drop_closed_if(const IsOver& is_over) {
  std::size_t left = 0;
  for(auto& loop : closed_)
    if(loop.get() != closing_ && is_over(*loop))
      spare_loops_.keep(std::move(loop));
    else
      std::swap(closed_[left++], loop);
  closed_.resize(left);
}

/// All launches have ended. Crews look at their loop until the last thing they do.
void flow::drop_all_closed() {
  for(const auto& loop : closed_)
    if(loop.get() != closing_)
      loop->inside.wait_for_end(ex_);
  drop_closed_if([](const closed_loop&) { return true; });
}

/// Drops loops that have run, and that no gate looks at.
void flow::drop_closed() {
  const std::uint64_t all_ended = first_batch_ * batch_size_;
  for(const auto& loop : closed_)
    if(loop.get() != closing_ && !loop->is_over && loop->id < all_ended) {
      loop->is_over = true;
      loop->made->release_regions();
      loop->last_launch = next_id_;
    }
  drop_closed_if([all_ended](const closed_loop& loop) {
    return loop.is_over && loop.last_launch <= all_ended && loop.inside.are_none();
  });
}

} // namespace rondo
