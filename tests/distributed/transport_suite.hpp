#pragma once

/// \file
/// What every transport must do. Each case is run by all ranks at the same time, which may be threads
/// or processes.

#include <span>

#include <rondo/distributed/transport.hpp>

struct transport_case {
  const char* name;
  /// Throws if something is wrong. Nothing is under way afterwards.
  void (*run)(rondo::transport&);
};

std::span<const transport_case> transport_cases();
