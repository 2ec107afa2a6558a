#include "gap/cases.hpp"

#include <sg/option/access_readwrite.hpp>
#include <sg/superglue.hpp>

namespace {

// Nothing commutes here, so handles need no locks.
struct options : DefaultOptions<options> {
  using AccessInfoType = ReadWrite;
  using Lockable = Disable;
};

template<class F, int Accesses>
struct gap_task : Task<options, Accesses> {
  explicit gap_task(F f) : body(f) {}
  void run() override { body(); }
  F body;
};

struct superglue {
  template<class Make, class Launched>
  void run(std::size_t n, std::size_t places, const Make& make, const Launched& launched) {
    for(std::size_t i = 0; i != n; ++i) {
      const auto f = make(i);
      using body = std::remove_cv_t<decltype(f)>;
      if(places == 0)
        sg.submit(new gap_task<body, 0>(f)); // deleted by SuperGlue
      else {
        auto* const task = new gap_task<body, 1>(f);
        task->register_access(ReadWrite::write, handles[i % places]);
        sg.submit(task);
      }
    }
    launched();
    sg.barrier();
  }
  SuperGlue<options> sg{1};
  std::vector<Handle<options>> handles{bench::gap::most_places};
};

// Of its threads one is that which launches.
struct apart {
  template<class F>
  void submit(F f) {
    sg.submit(new gap_task<F, 0>(f), 1);
  }
  void wait() { sg.barrier(); }
  SuperGlue<options> sg{2};
};

const bool added = bench::gap::add_system<superglue>("SuperGlue", bench::role::peer) &&
                   bench::gap::add_latency<apart>("SuperGlue", bench::role::peer);

} // namespace
