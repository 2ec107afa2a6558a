#pragma once

/// \file
/// All of the node-local core.

#include <rondo/core/algorithm.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/graph.hpp>
#include <rondo/core/observer.hpp>
#include <rondo/core/scope.hpp>
