#pragma once

/// \file
/// Accesses, launches and templates in words and pictures.

#include <string>

#include <rondo/tracing/template.hpp>

namespace rondo::detail::inline tracing {

/// As programs write it: "read", "write_part".
[[nodiscard]] const char* word_for(access_mode m);
/// relax(u write, f read) at solver.cpp:40
std::string describe(const token& t);
/// The same of two that read alike otherwise, where one has hints: relax(u write), with a priority or worker, at solver.cpp:40
std::string describe_with_hints(const token& t);
std::string describe(const template_node& n);
/// "task 'relax', launched at main.cpp:20". As `launch::describe_fully`, without what the function says of its launch, which goes
/// when that ends.
[[nodiscard]] std::string describe_briefly(const launch& l);
/// For graphviz.
std::string dot(const trace_template& t);

} // namespace rondo::detail::inline tracing
