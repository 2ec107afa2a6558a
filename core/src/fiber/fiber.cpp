// Changing stacks: docs/protocols/fiber.md.

#include <rondo/core/fiber.hpp>

#include <algorithm>
#include <cxxabi.h>
#include <functional>
#include <new>
#include <thread>

#include <boost/context/detail/fcontext.hpp>
#include <pthread.h>
#ifdef __linux__
#include <sys/auxv.h>
#include <sys/resource.h>
#endif

#include <rondo/core/running_task.hpp>
#include <rondo/core/waits_for.hpp>
#include <rondo/core/worker.hpp>

#include "overflow.hpp"
#include "sanitizers.hpp"
#include "stack_memory.hpp"

namespace rondo::detail::inline core {

namespace context = boost::context::detail;

/// Passed from the stack that is left to the one that is gone to.
struct fiber::passage {
  fiber& from;
  fiber& to;
  function_ref<void()> after;
};

struct fiber::frame {
  context::transfer_t transfer;
};

namespace {

/// The thread's exceptions being handled: they belong to the code on the stack. The layout is
/// that of the C++ ABI that GCC and Clang share.
struct exception_state {
  void* caught;
  unsigned uncaught;
};

/// The function asked is declared to give the same answer each time, which is not so on another
/// thread: so no compiler may see which one we ask.
exception_state& thread_exceptions() {
  auto* ask = &abi::__cxa_get_globals;
  asm volatile("" : "+r"(ask));
  return *reinterpret_cast<exception_state*>(ask());
}

} // namespace

/// On the new stack: the old one is at rest from here on.
void fiber::arrive(void* left_context, passage& p) {
  fiber& from = p.from;
  fiber& to = p.to;
  const auto after = p.after; // the passage lies on the old stack
  from.context_ = left_context;
#ifdef RONDO_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(to.shadow_, &from.bottom_, &from.size_);
#endif
  auto& exceptions = thread_exceptions();
  exceptions.caught = to.caught_exceptions_;
  exceptions.uncaught = to.uncaught_exceptions_;
  thread_record& t = this_thread();
  t.stack = &to;
  t.task = to.task_;
  after();
}

void fiber::enter(frame f) {
  auto& p = *static_cast<passage*>(f.transfer.data);
  auto* const body = p.to.body_;
  arrive(f.transfer.fctx, p);
  body();
}

void fiber::leave_for(fiber& to, function_ref<void()> after) {
  const exception_state exceptions = thread_exceptions();
  caught_exceptions_ = exceptions.caught;
  uncaught_exceptions_ = exceptions.uncaught;
  task_ = current_task();
  passage p{*this, to, after};
#ifdef RONDO_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&shadow_, to.bottom_, to.size_);
#endif
#ifdef RONDO_THREAD_SANITIZER
  if(shadow_ == nullptr || lowest_ == nullptr)
    shadow_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.shadow_, 0);
#endif
  const auto back = context::jump_fcontext(to.context_, &p);
  arrive(back.fctx, *static_cast<passage*>(back.data));
}

fiber& fiber::here() {
  fiber* const f = current_fiber();
  return f != nullptr && f->limit_ != nullptr ? *f : first_here();
}

fiber& fiber::of_thread() {
  static thread_local constinit fiber own;
  return own;
}

/// The thread has not asked before, or its executor has set this up and nobody asked yet.
fiber& fiber::first_here() {
  thread_record& t = this_thread();
  if(t.stack == nullptr)
    t.stack = &of_thread();
  if(t.stack->limit_ == nullptr) {
    learn_limit(*t.stack);
    prepare_for_stack_overflow();
  }
  return *t.stack;
}

namespace {

struct extent {
  const char* top = nullptr;
  std::size_t size = 0; ///< Huge for a stack without a limit.
};

#ifdef __linux__

/// The stack that the process began with, if that is what the caller runs on; otherwise nothing. What
/// pthread_getattr_np() does for it is to read all mappings of the process, which takes longer than the start of
/// an executor.
extent first_stack() {
  // The kernel lays the random bytes at the upper end, and keeps all else 128 MiB away. A thread that was begun
  // later is on another stack, even when it forks and is the first one of its process.
  constexpr std::uintptr_t near = std::uintptr_t{64} << 20U;
  const auto top = static_cast<std::uintptr_t>(getauxval(AT_RANDOM));
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  rlimit most{};
  if(here >= top || top - here > near || getrlimit(RLIMIT_STACK, &most) != 0)
    return {};
  return {reinterpret_cast<const char*>(top), most.rlim_cur};
}

#else

extent first_stack() { return {}; }

#endif

/// The calling thread's own stack.
extent stack_of_thread() {
  if(const extent first = first_stack(); first.top != nullptr)
    return first;
  pthread_attr_t attributes;
  void* lowest = nullptr;
  std::size_t size = 0;
  if(pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
  }
  return {static_cast<const char*>(lowest) + size, size};
}

} // namespace

/// Half of a thread's own stack is for what it has not been told of, at most 4 MiB for us.
void fiber::learn_limit(fiber& f) {
  const extent own = stack_of_thread();
  f.limit_ = own.top - std::min(own.size / 2, std::size_t{4} << 20U);
}

waits_for* fiber::begin_reading() {
  std::uintptr_t seen = why_.load(std::memory_order_relaxed);
  while(seen != 0 && (seen & being_read) == 0)
    // Acquire: what is said there; it was written before it was stored.
    if(why_.compare_exchange_weak(
         seen, seen | being_read, std::memory_order_acquire, std::memory_order_relaxed))
      return reinterpret_cast<waits_for*>(seen);
  return nullptr;
}

/// Acquire, as in `end_rest`: the reader may have given up the wait.
void fiber::stop_reading(waits_for& w) { w.who->why_.store(as_word(w), std::memory_order_release); }

void fiber::end_rest_slow(waits_for& w) {
  std::uintptr_t mine = as_word(w);
  while(
    !why_.compare_exchange_weak(mine, 0, std::memory_order_acq_rel, std::memory_order_relaxed)) {
    std::this_thread::yield();
    mine = as_word(w);
  }
}

bool fiber::is_guard(const void* address) const {
  return lowest_ != nullptr && std::less_equal<>()(lowest_, address) &&
         std::less<>()(address, bottom_);
}

std::size_t fiber::size() const { return mapped_; }

fiber* fiber::make(std::size_t size, void (*body)()) {
  const stack_memory memory = map_stack(size);
  // The object lies at the upper end of its own stack: a stack at rest often needs no more than
  // that one page.
  auto* const bottom = static_cast<char*>(memory.lowest) + memory.guard;
  auto* const top = bottom + memory.size;
  constexpr auto alignment = std::size_t{64};
  auto* const place = top - (sizeof(fiber) + alignment - 1) / alignment * alignment;
  auto* const f = ::new(static_cast<void*>(place)) fiber;
  f->lowest_ = memory.lowest;
  f->guard_ = memory.guard;
  f->mapped_ = memory.size;
  f->is_counted_ = memory.is_counted;
  f->body_ = body;
  f->bottom_ = bottom;
  f->size_ = static_cast<std::size_t>(place - bottom);
  f->limit_ = place - f->size_ / 2;
  f->context_ = context::make_fcontext(
    place, f->size_, [](context::transfer_t transfer) { enter({transfer}); });
#ifdef RONDO_THREAD_SANITIZER
  f->shadow_ = __tsan_create_fiber(0);
#endif
  return f;
}

void fiber::destroy(fiber* f) noexcept {
#ifdef RONDO_THREAD_SANITIZER
  __tsan_destroy_fiber(f->shadow_);
#endif
#ifdef RONDO_ADDRESS_SANITIZER
  // The next mapping at this place must not inherit the marks of our frames.
  __asan_unpoison_memory_region(f->bottom_, f->mapped_);
#endif
  unmap_stack({f->lowest_, f->guard_, f->mapped_, f->is_counted_});
}

} // namespace rondo::detail::inline core
