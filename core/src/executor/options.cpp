// What the environment says of executors.

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include <rondo/core/executor.hpp>

#include "../environment.hpp"

namespace rondo {

namespace {

/// Reads a whole number from the environment; a value that is none, or beyond the setting's limits, is an error that names it.
template<class T>
void from_environment(const char* variable, T& value) {
  const auto [least, most] = detail::limits_of(variable);
  const char* const text = std::getenv(variable);
  if(text == nullptr || *text == '\0')
    return;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if(*end != '\0' || number < least || number > most)
    throw std::invalid_argument(std::string(variable) + "=" + text +
                                ": expected a whole number from " + std::to_string(least) + " to " +
                                std::to_string(most));
  value = T(number);
}

} // namespace

executor_options executor::default_options() {
  detail::warn_of_variables_without_effect();
  executor_options options;
  from_environment("RONDO_WORKERS", options.workers);
  from_environment("RONDO_BIND", options.bind);
  from_environment("RONDO_SPIN_US", options.spin);
  std::size_t stack_kib = options.stack_size >> 10U;
  from_environment("RONDO_STACK_KIB", stack_kib);
  options.stack_size = stack_kib << 10U;
  if(const char* const who = std::getenv("RONDO_PROGRESS"); who != nullptr && *who != '\0') {
    if(std::string_view(who) != "thread" && std::string_view(who) != "workers")
      throw std::invalid_argument(
        std::string("RONDO_PROGRESS=") + who + ": expected \"workers\" or \"thread\"");
    options.progress_thread = std::string_view(who) == "thread";
  }
  return options;
}

} // namespace rondo
