#pragma once

/// \file
/// All of Rondo: tasks over fields of distributed meshes.

#include <rondo/distributed/accessor.hpp>
#include <rondo/distributed/cloud.hpp>
#include <rondo/distributed/field.hpp>
#include <rondo/distributed/fold.hpp>
#include <rondo/distributed/from.hpp>
#include <rondo/distributed/global.hpp>
#include <rondo/distributed/index.hpp>
#include <rondo/distributed/mpi_task.hpp>
#include <rondo/distributed/output.hpp>
#include <rondo/distributed/particles.hpp>
#include <rondo/distributed/progress_line.hpp>
#include <rondo/distributed/ragged.hpp>
#include <rondo/distributed/run.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/distributed/structured.hpp>
#include <rondo/distributed/summary.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>
#include <rondo/phase.hpp>
