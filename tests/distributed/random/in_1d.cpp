#include "together.hpp"

namespace random_programs {
template outcome run_alone<1>(const plan&);
template outcome run_together<1>(const plan&, rondo::scheduler&, const std::string&);
} // namespace random_programs
