#pragma once

/// \file
/// All of the part tracing: tasks launched in the order of a program. With futures, which they take and return: promises, `then`, `async`.

#include <rondo/futures/async.hpp>
#include <rondo/futures/promise.hpp>
#include <rondo/tracing/access.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/later.hpp>
#include <rondo/tracing/region.hpp>
#include <rondo/tracing/trace.hpp>
