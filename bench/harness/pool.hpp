#pragma once

// What latency, idle and memory need of a runtime, in the adapters pool.cpp:
//
//   struct P {
//     explicit P(unsigned threads);               // that many besides the one that submits
//     template<class F> void enter(F f);          // f() where `submit` may be called
//     template<class F> void submit(F f);         // f() some time, on one of the threads
//     void wait();                                // until all are finished; may help
//     using bounded = void;                       // optional: from some number on, submit calls f
//     using helping = ...;                        // optional: the same, set up for a wait() that helps
//   };
//
// The file ends with `bench::pool::add_system<P>(name, role)` from this bench's cases.hpp.
