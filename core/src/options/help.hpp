#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "settings.hpp"

namespace rondo::detail::inline core {

/// What `--help` prints.
std::string help_text(std::string_view program, std::string_view about,
  const std::vector<std::shared_ptr<option_state>>& own,
  const std::vector<std::unique_ptr<setting_option>>& settings);

} // namespace rondo::detail::inline core
