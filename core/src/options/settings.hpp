#pragma once

/// \file
/// What can be set for Rondo from outside a program, as options: `--rondo-workers` is RONDO_WORKERS.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <rondo/core/option_value.hpp>

#include "../environment.hpp"

namespace rondo::detail::inline core {

class setting_option final : public option_state {
public:
  explicit setting_option(const setting& s);

  std::string read(std::string_view text) override;
  [[nodiscard]] std::string text() const override { return value_; }
  [[nodiscard]] std::string kind_of_value() const override;
  [[nodiscard]] option_rule rule() const override;

  [[nodiscard]] std::string_view variable() const { return setting_->variable; }
  /// Sets the variable, if this was given. Before Rondo has begun nobody else looks at the environment.
  void apply() const;

private:
  const setting* setting_;
  std::string value_;
};

std::vector<std::unique_ptr<setting_option>> options_of_settings();

} // namespace rondo::detail::inline core
