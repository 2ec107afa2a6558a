#pragma once

/// \file
/// The way through a plan, the same for whoever runs it. A side has
///  - begin_stage(stage), end_stage()
///  - launch(op, pass): does or launches what it says
///  - plain loops, guards, repeat, iterate, wait, look

#include "plan.hpp"

namespace random_programs {

template<class Side>
void launch_all(Side& side, const std::vector<op>& body, std::uint64_t pass) {
  for(const op& o : body)
    if(o.is_in(pass))
      side.launch(o, pass);
}

template<class Side>
void walk(const plan& p, Side& side) {
  for(const stage& s : p.stages) {
    side.begin_stage(s);
    for(const block& b : s.blocks)
      switch(b.kind) {
      case block_kind::launches:
        launch_all(side, b.body, 0);
        break;
      case block_kind::loop:
        for(std::uint64_t pass = 0; pass != b.passes; ++pass)
          launch_all(side, b.body, pass);
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
      case block_kind::wait:
        side.wait();
        break;
      case block_kind::look:
        if(b.look_at != op::nothing)
          side.look(b.look_at);
        break;
      }
    side.end_stage();
  }
}

} // namespace random_programs
