#pragma once

/// \file
/// All of the part futures: values that are not there yet.

#include <rondo/futures/async.hpp>
#include <rondo/futures/coroutine.hpp>
#include <rondo/futures/errors.hpp>
#include <rondo/futures/future.hpp>
#include <rondo/futures/promise.hpp>
#include <rondo/futures/unwrap.hpp>
#include <rondo/futures/when_all.hpp>
#include <rondo/futures/when_any.hpp>
