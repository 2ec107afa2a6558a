#pragma once

/// \file
/// Files and sockets that this process may still open (ulimit -n). Libraries that lack them crash, get stuck, or speak of
/// something else, so it is better to look before.

#include <string>

namespace rondo::detail::inline distributed {

/// How many more it may open; `enough` if there are as many, or more. Opens none itself. What other threads do
/// meanwhile may make it wrong.
unsigned files_left(unsigned enough);

/// What to tell users: `what` needs `needed`.
std::string too_few_files(const std::string& what, unsigned needed);

/// For the end of a message about something that has failed: empty, unless the lack of files may be the reason.
std::string if_out_of_files();

} // namespace rondo::detail::inline distributed
