#pragma once

/// \file
/// The template of the page (`page/`), as it was when this program was built.

#include <string_view>

namespace rondo::report {

std::string_view page_template();

} // namespace rondo::report
