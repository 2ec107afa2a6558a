#include "settings.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

namespace rondo::detail::inline core {

namespace {

/// RONDO_STACK_KIB: rondo-stack-kib.
std::string option_name(std::string_view variable) {
  std::string name(variable);
  std::ranges::transform(name, name.begin(),
    [](unsigned char c) { return c == '_' ? '-' : static_cast<char>(std::tolower(c)); });
  return name;
}

} // namespace

setting_option::setting_option(const setting& s)
    : option_state({option_name(s.variable), std::string(s.what), {}}), setting_(&s) {}

option_rule setting_option::rule() const {
  option_rule all;
  if(setting_->most > 0) {
    all.whole = setting_->is_whole;
    all.least = write_number(std::int64_t(setting_->least));
    all.most = write_number(std::int64_t(setting_->most));
  }
  std::istringstream choices{std::string(setting_->words)};
  for(std::string word; choices >> word;)
    all.choices.push_back(word);
  return all;
}

std::string setting_option::kind_of_value() const {
  return setting_->most == 0 ? "TEXT" : setting_->is_whole ? "N" : "X";
}

std::string setting_option::read(std::string_view text) {
  const option_rule such = rule();
  bool right = such.choices.empty() || std::ranges::count(such.choices, text) != 0;
  if(setting_->most > 0) {
    double number = 0;
    std::int64_t whole = 0;
    right = read_number(text, number) && (!setting_->is_whole || read_number(text, whole)) &&
            double(setting_->least) <= number && number <= double(setting_->most);
  }
  if(!right)
    return should_be(such, 1, text);
  value_ = text;
  return {};
}

void setting_option::apply() const {
  if(given)
    setenv(std::string(setting_->variable).c_str(), value_.c_str(), 1); // NOLINT: before threads
}

std::vector<std::unique_ptr<setting_option>> options_of_settings() {
  std::vector<std::unique_ptr<setting_option>> all;
  for(const setting& s : settings())
    all.push_back(std::make_unique<setting_option>(s));
  return all;
}

} // namespace rondo::detail::inline core
