#include "together.hpp"

namespace random_programs {
template outcome run_alone<3>(const plan&);
template outcome run_together<3>(const plan&, rondo::scheduler&, const std::string&);
} // namespace random_programs
