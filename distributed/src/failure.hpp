#pragma once

/// \file
/// What users are told when a program fails, and the end of all ranks.

#include <cstdint>
#include <exception>
#include <functional>
#include <string>

#include <rondo/distributed/transport.hpp>

namespace rondo {
class executor;
}

namespace rondo::detail::inline distributed {

/// Prints one line: the rank, if there are several, and what is said.
void tell(const transport& t, const std::string& what);

/// Prints one line: the rank, if there are several; the task that has thrown it, if it is one, as
/// flow::failed_launch says; and what it says.
void tell_failure(const transport& t, const std::string& task, const std::exception_ptr& why);

/// Also ends all ranks. If several threads come here the first one tells. A mistake that all ranks make is told by rank 0: others wait
/// a moment whether they hear that it was.
[[noreturn]] void end_all(transport& t, const std::string& task, const std::exception_ptr& why);

/// `end_all` calls `say` before it ends the process, with the text about the failure: once, while this lives.
class last_words {
public:
  explicit last_words(std::function<void(const std::string& why)> say);
  ~last_words();
  last_words(const last_words&) = delete;
  last_words& operator=(const last_words&) = delete;
};

/// Stands for what a rank has told in `end_all`, without the rank: the same for the same mistake of several ranks. 0: nothing was told.
using told_failure = std::uint64_t;
/// Of this rank. Any thread.
[[nodiscard]] told_failure last_told() noexcept;

/// This rank hears, before it ends as well, that another one has failed and has told so. Any thread.
void hear_of_failure(told_failure what) noexcept;
/// Whether it has heard so. Launchers end all ranks when one has failed, and may be a little quicker than the word, so it is waited for a moment.
bool has_heard_of_failure();

/// The launch, as flow::failed_launch says, that has failed with `thrown`. It may be what the launch was given: then that is named first,
/// since there is the mistake.
std::string with_maker(executor& ex, const std::string& launch, const std::exception_ptr& thrown);

/// What `tell_failure` prints, without the rank.
std::string failure_of(const std::string& task, const std::exception_ptr& why);

/// Our own messages begin with our name already, or with that of a function: what follows "rondo: " or "rondo::".
std::string without_name(std::string what);

} // namespace rondo::detail::inline distributed
