// Catch2's main, compiled once: it is the slowest file of all the tests.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
