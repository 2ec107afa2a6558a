#pragma once

/// \file
/// All of the part tracing: tasks launched in the order of a program.

#include <rondo/tracing/access.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/region.hpp>
#include <rondo/tracing/trace.hpp>
