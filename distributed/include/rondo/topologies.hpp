#pragma once

/// \file
/// What a program needs that writes a topology of its own: docs/topologies.md. These names stay, whatever becomes of those that
/// they stand for.
///
/// | name | |
/// |---|---|
/// | `topo::made_of<Space>` | the topology that an index space makes: made_of.hpp says what a program writes |
/// | `topo::index_space` | its base class: index_space.hpp |
/// | `topo::neighbour` | another color that a color sees elements of, or that sees its: index_space.hpp |
/// | `topo::selection` | some elements of a color, in a fixed order: `of_range(first, last)`, `of_list({...})`: selection.hpp |
/// | `topo::block_layout` | how the elements of a color lie in memory: `in_a_row(how many)`: block.hpp |
/// | `topo::check` | whether an index space contradicts itself |
/// | `topo::color_carrier` | takes what belongs to colors to other ranks, when they move: color_carrier.hpp, balance.hpp |
/// | `topo::team` | ranks that make something together before tasks use it, as a cut of a mesh: team.hpp |
/// | `topo::partition`, `topo::plan_exchange` | what ranks copy and send, without any ranks: exchange_plan.hpp |
///
/// `color_id`, `color_set`, `distribution` and `index_range` are in rondo itself.

#include <rondo/distributed/block.hpp>
#include <rondo/distributed/color_carrier.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/distributed/index_space.hpp>
#include <rondo/distributed/made_of.hpp>
#include <rondo/distributed/partition.hpp>
#include <rondo/distributed/range.hpp>
#include <rondo/distributed/selection.hpp>

namespace rondo::topo {

using detail::block_layout;
using detail::color_carrier;
using detail::index_space;
using detail::neighbour;
using detail::parcel;
using detail::parcel_reader;
using detail::partition;
using detail::selection;
using rondo::exchange_plan;
using rondo::plan_exchange;

} // namespace rondo::topo
