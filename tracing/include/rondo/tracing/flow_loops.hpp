#pragma once

/// \file
/// Loops of a flow: `repeat` and `iterate`. A part of flow.hpp, which includes it.

#include <rondo/tracing/flow.hpp>

namespace rondo {

template<class Body>
void flow::repeat(std::uint64_t n, Body&& body, std::source_location where) {
  if(n == 0)
    return;
  begin_closed(n, where);
  try {
    body();
    end_closed();
  }
  catch(...) {
    abandon_closed();
    throw;
  }
}

template<class Body>
future<std::uint64_t> flow::iterate(Body&& body, iterate_options options) {
  detail::iterated_loop& loop = begin_loop(options);
  struct in_pass {
    flow& f;
    in_pass(flow& of, const detail::loop_pass& p) : f(of) { f.pass_ = &p; }
    ~in_pass() { f.pass_ = nullptr; }
  };
  for(std::uint64_t pass = 0;
      pass < options.max && pass <= loop.last.load(std::memory_order_relaxed) && !has_failed();
      ++pass) {
    future<bool> stop;
    {
      const in_pass here(*this, loop.begin(pass));
      if(is_any(observed))
        tell_begin(loop, pass);
      if constexpr(std::is_invocable_v<Body&, std::uint64_t>)
        stop = body(pass);
      else
        stop = body();
    }
    launch<false>(named("iterate: stop?",
                    [pass](future<bool> answer, detail::iterated_loop& l) {
                      // An answer of a pass that has not run is cancelled, and there is no need of it.
                      if(pass <= l.last.load(std::memory_order_relaxed) && answer.get())
                        l.stop_after(pass);
                      l.note_answer(pass);
                      detail::tell_end(l, pass);
                    }),
      std::move(stop), write(loop.answers));
  }
  return launch<false>(named("iterate: passes",
                         [max = options.max](const detail::iterated_loop& l) {
                           return max == 0 ? 0 : l.last.load(std::memory_order_relaxed) + 1;
                         }),
    read(loop.answers));
}

} // namespace rondo
