#include "harness/case.hpp"

const char* const bench::bench_name = BENCH_NAME;
