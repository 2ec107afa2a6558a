#pragma once

/// \file
/// The same loop in all kinds of loops.

#include <string>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

/// The test is run once for each kind.
inline std::string kind_of_loop() {
  return GENERATE(as<std::string>{}, "plain", "repeat", "iterate", "trace");
}

/// `is_over()` returns the future of whether ten passes are over; only `iterate` asks.
template<class Pass, class IsOver>
void make_ten_passes(
  rondo::scheduler& s, const std::string& kind, const Pass& pass, const IsOver& is_over) {
  if(kind == "repeat")
    s.repeat(10, pass);
  else if(kind == "iterate")
    (void)s.iterate({.max = 100}, [&] {
      pass();
      return is_over();
    });
  else {
    rondo::trace t;
    for(int i = 0; i != 10; ++i)
      if(kind == "trace") {
        const auto g = t.make_guard();
        pass();
      }
      else
        pass();
  }
}
