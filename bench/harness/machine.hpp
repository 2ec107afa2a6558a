#pragma once

#include <nlohmann/json_fwd.hpp>

namespace bench {

// What a reader needs to judge the figures: processor, cores allowed, compiler, build, load.
nlohmann::json describe_machine();

} // namespace bench
