#pragma once

/// \file
/// All parallel algorithms.

#include <rondo/core/algorithm/chunking.hpp>
#include <rondo/core/algorithm/find_if.hpp>
#include <rondo/core/algorithm/for_each.hpp>
#include <rondo/core/algorithm/for_each_index.hpp>
#include <rondo/core/algorithm/pipeline.hpp>
#include <rondo/core/algorithm/reduce.hpp>
#include <rondo/core/algorithm/scan.hpp>
#include <rondo/core/algorithm/sort.hpp>
#include <rondo/core/algorithm/transform.hpp>
#include <rondo/core/algorithm/transform_reduce.hpp>
