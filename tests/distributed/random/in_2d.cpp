#include "together.hpp"

namespace random_programs {
template outcome run_alone<2>(const plan&);
template outcome run_together<2>(const plan&, rondo::scheduler&, const std::string&);
} // namespace random_programs
