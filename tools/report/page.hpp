#pragma once

/// \file
/// The page of a run: a template (`page/`), and what is put into it. page/README.md says what that is.

#include <string>

#include "analysis.hpp"
#include "compare.hpp"

namespace rondo::report {

/// HTML. `before`: null, or another run that this one is compared with.
std::string page_of(const analysis& a, const analysis* before);

} // namespace rondo::report
