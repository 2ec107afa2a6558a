// Prints what a rank pays on thousands of ranks: the table of docs/scaling.md. Needs no other rank.

#include <cstdio>

#include "costs.hpp"

int main() { std::fputs(scaling::table().c_str(), stdout); }
