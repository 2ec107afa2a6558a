#pragma once

/// \file
/// For checked builds: a pointer among the values that a task is launched with. The task runs later, and the variable
/// that it points to may have changed by then, or be gone.
///
/// Only pointers to constants on the stack of the launching code are looked at: there the memory can be read whatever has
/// become of the variable, and a task that is handed results to write has a pointer to something that is not constant.

#ifdef RONDO_CHECKS

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace rondo::detail::inline distributed {

[[nodiscard]] bool is_on_this_stack(const void* place, std::size_t size);
/// Parameters are counted from 1. Throws std::logic_error, unless tests overlook that.
void refuse_changed_variable(std::size_t parameter);

constexpr std::size_t most_kept = 256;

template<class P>
inline constexpr bool is_checked_pointer = false;
template<class T>
  requires(std::is_object_v<T> && std::is_trivially_copyable_v<T> && sizeof(T) <= most_kept)
inline constexpr bool is_checked_pointer<const T*> = true;

/// Becomes the pointer again when the task is called.
template<class T>
class checked_pointer {
public:
  checked_pointer(T* p, std::size_t parameter)
      : pointer_(p), parameter_(is_on_this_stack(p, sizeof(T)) ? parameter : 0) {
    if(parameter_ != 0)
      std::memcpy(before_.data(), p, sizeof(T));
  }
  operator T*() const {
    if(parameter_ != 0 && std::memcmp(before_.data(), pointer_, sizeof(T)) != 0)
      refuse_changed_variable(parameter_);
    return pointer_;
  }

private:
  T* pointer_;
  std::size_t parameter_; ///< 0 if it points elsewhere.
  std::array<std::byte, sizeof(T)> before_{};
};

} // namespace rondo::detail::inline distributed

#endif
