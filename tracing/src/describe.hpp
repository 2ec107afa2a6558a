#pragma once

/// \file
/// Launches and templates in words and pictures.

#include <string>

#include <rondo/tracing/template.hpp>

namespace rondo::detail::inline tracing {

/// relax(u rw, f r) at solver.cpp:40
std::string describe(const token& t);
std::string describe(const template_node& n);
/// For graphviz.
std::string dot(const trace_template& t);

} // namespace rondo::detail::inline tracing
