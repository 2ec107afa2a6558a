// Closed loops: the launches of a template, run pass after pass by crews of their own.

#include <rondo/tracing/closed.hpp>

#include <algorithm>
#include <bit>
#include <new>
#include <stdexcept>

#include <rondo/tracing/flow.hpp>

#include "gate.hpp"

namespace rondo::detail {

namespace {

/// So many launches are under way, so that nobody waits for the end of a pass.
constexpr std::uint64_t least_under_way = 512;
constexpr std::uint64_t least_slots = 2;

closed_loop& loop_of(const launch& l) { return static_cast<closed_batch&>(*l.home).loop; }
launch& prototype_of(const launch& l) { return *loop_of(l).prototypes[l.node->index]; }

// What an instance does is what its prototype does, which keeps what it needs for the next pass.
void run_instance(launch& l) {
  launch& p = prototype_of(l);
  p.kind->run_again(p, loop_of(l).is_last(l));
}
void skip_instance(launch& l, const std::exception_ptr& why) {
  launch& p = prototype_of(l);
  if(p.kind->has_result && loop_of(l).is_last(l))
    p.kind->skip(p, why);
}
void fold_instance(launch& l, unsigned i) {
  launch& p = prototype_of(l);
  p.kind->fold(p, i);
}
bool await_instance(launch& l, unsigned i, launch& who) {
  launch& p = prototype_of(l);
  return p.kind->await(p, i, who);
}
void end_instance(launch&) noexcept {}

} // namespace

closed_loop::~closed_loop() {
  for(launch* const p : prototypes) {
    if(p->kind->has_result) // if the loop has not come to its end
      p->kind->skip(*p, std::make_exception_ptr(cancelled()));
    p->kind->end(*p);
  }
}

void* closed_loop::reserve(std::size_t size, std::size_t alignment) {
  memory_.emplace_back(
    ::operator new(size, std::align_val_t{alignment}), memory_delete{std::align_val_t{alignment}});
  return memory_.back().get();
}

void closed_loop::add(launch& p, const void* result) {
  prototypes.push_back(&p);
  if(result != nullptr)
    results_.push_back(result);
}

void closed_loop::refuse_own(const void* state) const {
  if(std::find(results_.begin(), results_.end(), state) != results_.end())
    throw std::logic_error("rondo::flow::repeat: a launch of the body waits for the future of "
                           "another one, which is that of "
                           "the last pass; hand the value over in a region");
}

void closed_loop::prepare() {
  const std::uint32_t n = made->size();
  pieces_of_pass_ = (n + batch::most - 1) / batch::most;
  slots_ = std::min(passes, std::max(least_slots, (least_under_way + n - 1) / n));
  kinds_.reserve(n);
  for(const launch* const p : prototypes) {
    kinds_.push_back(*p->kind);
    launch_kind& k = kinds_.back();
    k.run = &run_instance;
    k.skip = &skip_instance;
    k.fold = &fold_instance;
    k.await = &await_instance;
    k.end = &end_instance;
    k.ends_by_itself = true;
  }
  for(std::uint64_t s = 0; s != slots_; ++s)
    for(std::uint32_t i = 0; i != n; ++i) {
      if(i % batch::most == 0)
        pieces_.push_back(std::make_unique<closed_batch>(home, *this));
      closed_batch& b = *pieces_.back();
      const std::size_t accesses = kinds_[i].accesses;
      auto* const l = ::new(
        b.reserve(sizeof(instance) + accesses * sizeof(access_entry), alignof(instance))) instance;
      l->kind = &kinds_[i];
      l->home = &b;
      l->pass = nullptr;
      l->node = &(*made)[i];
      l->name = "";
      for(std::size_t a = 0; a != accesses; ++a)
        l->accesses()[a] = {
          (*made)[i].regions[a], made->slots[(*made)[i].slots[a]].turn, kinds_[i].modes[a]};
      b.launches[b.size++] = l;
      b.first = id;
    }
}

bool closed_loop::is_free(std::uint64_t pass) const {
  if(pass < slots_)
    return true;
  // All pieces: they are claimed in their order, but may end in another one.
  const std::uint64_t uses = pass / slots_;
  for(std::uint32_t i = 0; i != pieces_of_pass_; ++i) {
    const closed_batch& b = piece(pass, i * batch::most);
    if(b.passes_ended.load(std::memory_order_seq_cst) < uses * b.size)
      return false;
  }
  return true;
}

bool closed_loop::is_anything_left() const {
  const std::uint64_t first = claimed.load(std::memory_order_seq_cst);
  return first != passes * made->size() && is_free(first / made->size());
}

bool closed_loop::claim(crew& c, std::uint32_t at_most) {
  const std::uint32_t n = made->size();
  std::uint64_t first = claimed.load(std::memory_order_relaxed);
  std::uint32_t count = 0;
  do {
    if(first == passes * n)
      return false;
    const auto index = static_cast<std::uint32_t>(first % n);
    // Nobody comes a whole round of slots late: who has claimed a launch of a pass is not done.
    if(index == 0 && !is_free(first / n))
      return false;
    const std::uint32_t in_piece = index % batch::most;
    count = std::min(piece(first / n, index).size - in_piece, at_most);
  } while(!claimed.compare_exchange_weak(
    first, first + count, std::memory_order_acquire, std::memory_order_relaxed));
  const std::uint64_t pass = first / n;
  const auto index = static_cast<std::uint32_t>(first % n);
  closed_batch& b = piece(pass, index);
  c.from = &b;
  c.next = index % batch::most;
  c.end = c.next + count;
  const bool is_first = pass == 0;
  for(std::uint32_t i = c.next; i != c.end; ++i) {
    launch& l = *b.launches[i];
    l.round = first_round + pass;
    l.stage = is_first ? 0 : l.kind->futures; // later passes come after the first one
    l.skipped = false;
    l.is_behind = false;
    l.enters = is_first;
    l.is_simple = !is_first && l.kind->is_simple();
  }
  return true;
}

void closed_loop::count(closed_batch& b, std::uint32_t n) {
  const std::uint64_t all = passes * made->size();
  // seq_cst: either this sees that a crew is missing, or that one sees the free slot.
  const std::uint64_t of_piece = b.passes_ended.fetch_add(n, std::memory_order_seq_cst) + n;
  if(of_piece % b.size == 0)
    call_crews();
  // The last one: from here on the loop may be gone.
  if(ended.fetch_add(n, std::memory_order_seq_cst) + n == all)
    finished.advance(nullptr);
}

/// One for each worker, but for those that are at work.
void closed_loop::call_crews() {
  if(!is_anything_left())
    return;
  executor& ex = home.home();
  const unsigned most = std::min(ex.workers(), crew_room::most);
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - most);
  for(std::uint64_t idle = ~at_work.load(std::memory_order_seq_cst) & all; idle != 0;
      idle &= idle - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(idle));
    const std::uint64_t bit = std::uint64_t{1} << i;
    if((at_work.fetch_or(bit, std::memory_order_seq_cst) & bit) != 0)
      continue;
    inside.fetch_add(2, std::memory_order_relaxed);
    crew& c = crews[i];
    c.run = &crew::run_crew;
    c.home = &home;
    c.loop = this;
    c.seat = i;
    c.alone = ex.workers() == 1;
    ex.enqueue(&c);
  }
}

} // namespace rondo::detail

namespace rondo {

using detail::closed_loop;

closed_loop& flow::begin_closed(std::uint64_t passes) {
  check_caller();
  if(closing_ != nullptr || guarded_ != nullptr || pass_ != nullptr)
    throw std::logic_error(
      "rondo::flow::repeat: called in the body of another loop, or in a guard; a "
      "loop in a loop is a flow in a task");
  closed_.push_back(std::make_unique<closed_loop>(*this, passes));
  closing_ = closed_.back().get();
  return *closing_;
}

void flow::abandon_closed() {
  closing_ = nullptr;
  closed_.pop_back();
}

/// A launch of the body, instead of `publish`.
void flow::keep_closed(detail::launch& l, const void* result) {
  closed_loop& loop = *closing_;
  loop.add(l, result);
  const detail::launch_kind& k = *l.kind;
  const auto refuse_it = [&](const std::string& why) {
    throw std::logic_error("rondo::flow::repeat: " + l.describe() + ": " + why);
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
  closed_loop& loop = *closing_;
  closing_ = nullptr;
  if(loop.prototypes.empty()) {
    closed_.pop_back();
    return;
  }
  detail::recording launches;
  std::vector<detail::region_base*> regions;
  for(detail::launch* const p : loop.prototypes) {
    regions.clear();
    for(unsigned i = 0; i != p->kind->accesses; ++i)
      regions.push_back(p->accesses()[i].to);
    launches.add({p->kind, regions.data(), p->where, p->name});
  }
  loop.made = detail::trace_template::compile(launches, true);
  if(loop.made == nullptr) {
    closed_.pop_back();
    throw std::length_error(
      "rondo::flow::repeat: the launches of the body wait for too many others");
  }
  detail::trace_template& t = *loop.made;
  for(std::uint32_t i = 0; i != t.slots.size(); ++i) {
    detail::trace_template::slot& s = t.slots[i];
    if(s.of->owner != nullptr)
      disown(*s.of);
    s.turn = s.of->entered();
    s.of->owner = &t;
    s.of->slot = i;
    s.is_owned = true;
  }
  t.lost = 0;
  t.begun = loop.passes;
  t.round = loop.passes - 1;
  t.next = t.size();
  begin_launch();
  const std::size_t bytes = sizeof(detail::gate) + sizeof(detail::trace_template::awaited);
  auto* const l = ::new(current_->reserve(bytes, alignof(detail::gate))) detail::gate;
  l->kind = &detail::gate::without_region;
  l->node = nullptr;
  l->run = &detail::run_launch;
  l->go_on = &detail::go_on_launch;
  l->count = 1;
  ::new(l->after()) detail::trace_template::awaited{&loop.finished, 1};
  loop.id = next_id_;
  loop.prepare();
  loop.begin();
  publish_internal(*l);
}

/// Those that have run.
void flow::drop_closed() {
  std::erase_if(closed_, [this](const auto& loop) {
    return loop.get() != closing_ && loop->id < first_batch_ * batch_size_ &&
           loop->inside.load(std::memory_order_acquire) == 0;
  });
}

} // namespace rondo
