#pragma once

/// \file
/// For checked builds: variables on the stack of the code that launches, to which a task has references or pointers. The task
/// runs later, and the function whose variables they are may have returned by then.
///
/// \code
///   void scale_by_two(flow& f, region<double>& r) {
///     const double factor = 2;
///     f.submit([&](double& x) { x *= factor; }, write(r));    // wrong: `factor` ends here, and the task runs some time
///   }
/// \endcode
///
/// *What is seen.* A reference that a closure has captured is a pointer among its bytes. One that points into the stack that
/// the launching code is on, above where that is now, points to a variable of a function that has not returned. Each time that
/// the same code launches or waits, the functions of all variables that are below where it does so have returned. A task that
/// begins later is told so. Code that launches by reference what lives until it waits, as most programs do, is never
/// told anything.
///
/// *What is looked at* are pointers, and closures and values that are copied byte by byte, as those are that have captured
/// references, pointers and numbers only. In others (std::string, std::function) there may be bytes that mean nothing. So there are
/// between members; a compiler that can blank those (g++) does so, and with others only types are looked at that have none.
///
/// *What is not seen*: variables of blocks that have ended while their function goes on; of a function that has returned while the
/// code that called it has neither launched nor waited since; and of one that the compiler has made part of its caller: their memory is
/// still that of the function. Also what is not on the stack. The address sanitizer sees more.
///
/// *Threads.* The launching code makes `borrowed_variables` and calls `note_returns`. Any thread asks `have_ended`, and ends
/// them. One mutex guards the lists; the mark of a launch is atomic, since a task that begins asks without the mutex. It may come too
/// late for a task that begins at the same time, as the call may.

#include <rondo/core/checks.hpp>

#ifdef RONDO_CHECKS
#define RONDO_NOT_INLINED_IF_CHECKED [[gnu::noinline]]
#else
#define RONDO_NOT_INLINED_IF_CHECKED
#endif

#ifdef RONDO_CHECKS

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace rondo::detail::inline core {

struct borrowed_stack;

#if __has_builtin(__builtin_clear_padding)
#define RONDO_CAN_CLEAR_PADDING
#endif

/// Whether all bytes of a T mean something, or those that do not can be told from the others: in them may be an address that
/// was there before.
template<class T>
#ifdef RONDO_CAN_CLEAR_PADDING
inline constexpr bool has_known_bytes = true;
#else
inline constexpr bool has_known_bytes = std::has_unique_object_representations_v<T>;
#endif

template<class T>
inline constexpr bool may_borrow =
  (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) ||
  (std::is_class_v<T> && std::is_trivially_copyable_v<T> && sizeof(T) >= sizeof(std::uintptr_t) &&
    has_known_bytes<T>);

/// Of one launch. Stays where it is.
class borrowed_variables {
public:
  borrowed_variables() = default;
  ~borrowed_variables() {
    if(of_ != nullptr)
      give_back();
  }
  borrowed_variables(const borrowed_variables&) = delete;
  borrowed_variables& operator=(const borrowed_variables&) = delete;

  /// Of what the launch keeps: its function, or a value.
  template<class T>
  void look_at(const T& kept) {
    if constexpr(std::is_pointer_v<T> && may_borrow<T>)
      look_at_pointer(reinterpret_cast<std::uintptr_t>(kept));
    else if constexpr(may_borrow<T>) {
      alignas(T) std::array<std::byte, sizeof(T)> bytes;
      std::memcpy(bytes.data(), static_cast<const void*>(&kept), sizeof bytes);
#ifdef RONDO_CAN_CLEAR_PADDING
      __builtin_clear_padding(reinterpret_cast<T*>(bytes.data()));
#endif
      std::array<std::uintptr_t, sizeof(T) / sizeof(std::uintptr_t)> words;
      std::memcpy(words.data(), bytes.data(), sizeof words);
      look_at_words(words.data(), words.size());
    }
  }

  /// A function has returned whose variables these are.
  [[nodiscard]] bool have_ended() const { return have_ended_.load(std::memory_order_relaxed); }

private:
  friend struct borrowed_stack;

  void look_at_pointer(std::uintptr_t p);
  void look_at_words(const std::uintptr_t* words, std::size_t n);
  void borrow(std::uintptr_t lowest);
  void give_back();

  borrowed_stack* of_ = nullptr; ///< Null if nothing is borrowed, or it has ended.
  std::uintptr_t lowest_ = 0;    ///< The function of this one returns first.
  borrowed_variables* next_ = nullptr;
  borrowed_variables* before_ = nullptr;
  std::atomic<bool> have_ended_{false};
};

/// The calling code launches, or waits, by a function whose frame that is (__builtin_frame_address(0)). It must not be inlined, or variables of its
/// caller were below that. Functions whose variables are below have returned.
void note_returns(const void* frame);

} // namespace rondo::detail::inline core

#undef RONDO_CAN_CLEAR_PADDING

#else

namespace rondo::detail::inline core {

constexpr void note_returns(const void* /*frame*/) {}

} // namespace rondo::detail::inline core

#endif
