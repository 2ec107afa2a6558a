#pragma once

/// \file
/// The way through a plan, the same for all that run it. A side has
///  - begin_stage(stage), end_stage()
///  - launch(op, pass): does or launches what it says
///  - guards, repeat, iterate, when, either, wait, look, balance

#include "plan.hpp"

namespace random_programs {

template<class Side>
void run_block(const block& b, Side& side);

/// The body of a block, once.
template<class Side>
void launch_all(Side& side, const block& b, std::uint64_t pass) {
  for(std::size_t i = 0; i != b.body.size(); ++i) {
    if(i == b.inner_at)
      for(const block& inner : b.inner)
        run_block(inner, side);
    if(b.body[i].is_in(pass))
      side.launch(b.body[i], pass);
  }
}

/// The other body of `either`.
template<class Side>
void launch_others(Side& side, const block& b) {
  for(const op& o : b.otherwise)
    if(o.is_in(0))
      side.launch(o, 0);
}

template<class Side>
void run_block(const block& b, Side& side) {
  switch(b.kind) {
  case block_kind::launches:
    launch_all(side, b, 0);
    break;
  case block_kind::loop:
    for(std::uint64_t pass = 0; pass != b.passes; ++pass) {
      launch_all(side, b, pass);
      if(b.balanced != 0)
        side.balance(b.balanced + pass);
    }
    break;
  case block_kind::guards:
    side.guards(b);
    break;
  case block_kind::repeat:
    side.repeat(b);
    break;
  case block_kind::iterate:
    side.iterate(b);
    break;
  case block_kind::when:
    side.launch(b.condition, 0);
    side.when(b);
    break;
  case block_kind::either:
    side.launch(b.condition, 0);
    side.either(b);
    break;
  case block_kind::wait:
    side.wait();
    break;
  case block_kind::look:
    if(b.look_at != op::nothing)
      side.look(b.look_at);
    break;
  case block_kind::balance:
    side.balance(b.balanced);
    break;
  }
}

template<class Side>
void walk(const plan& p, Side& side) {
  for(const stage& s : p.stages) {
    side.begin_stage(s);
    for(const block& b : s.blocks)
      run_block(b, side);
    side.end_stage();
  }
}

} // namespace random_programs
