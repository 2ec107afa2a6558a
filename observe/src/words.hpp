#pragma once

/// \file
/// Numbers and texts as people read them.

#include <cstddef>
#include <string>

namespace rondo::detail::inline observe {

/// 12.3 us, 1.20 s.
std::string time_text(double seconds);
/// Of a power of ten: 10 us, 1 s.
std::string short_time_text(double seconds);
/// 1.20 MB.
std::string size_text(double bytes);
/// 12,345,678.
std::string count_text(double n);
/// 93 %; "< 1 %" where that would be 0 and isn't.
std::string percent_text(double part);
/// 2 ranks, 1 rank.
std::string of_many(double n, const char* one, const char* many);
/// Of a text that is longer than so much its beginning, and "...".
std::string shortened(std::string text, std::size_t most);

} // namespace rondo::detail::inline observe
