#include <rondo/distributed/joint_exchange.hpp>

#include <bit>
#include <utility>

#include <rondo/distributed/field.hpp>
#include <rondo/distributed/scheduler.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline distributed {

joint_exchange::joint_exchange(field_state& f, std::uint32_t number,
  const std::vector<outgoing*>& out, const std::vector<incoming*>& in)
    : as_region_(
        f.of().home().launches(), *this, f.name(), {f.number(), number_of_exchange(number)}),
      out_{out}, in_{in} {
  // All of them have to do with the same colors.
  accesses_ = out.front()->groups.front().accesses;
  const auto& ghosts = in.front()->groups.front().accesses;
  accesses_.insert(accesses_.end(), ghosts.begin(), ghosts.end());
  const auto join = [this](auto& end) {
    end.joint = this;
    // Launched by itself it comes before or after all of this, too.
    end.groups.front().accesses.push_back(read(as_region_));
  };
  for(outgoing* const o : out)
    join(*o);
  for(incoming* const i : in)
    join(*i);
  begin_anew();
}

// ---- the launch ---------------------------------------------------------------------------------

class joint_exchange::body {
public:
  using may_be_ready = void;
  void operator()(rondo::completion done, joint_exchange& x) const { x.end_later(done); }
  /// May be asked many times: each time it gets as far as it can. Sends, so nobody may ask it before the turn of the launch
  /// has come, nor of one that is not to run.
  bool is_ready(joint_exchange& x) const { return x.go_as_far_as_possible(); }
  void now(joint_exchange& x) const {
    x.begin_anew();
    x.expect_next();
  }
};

void joint_exchange::launch(flow& f, const std::source_location& where) {
  f.submit(ends_later("halo: exchange", body(), where), write(as_region_, where), accesses_);
}

void joint_exchange::begin_anew() {
  out_.begin_anew();
  in_.begin_anew();
}

template<class End>
void joint_exchange::direction<End>::go_as_far_as_possible() {
  for(std::uint32_t of = left; of != 0; of &= of - 1) {
    End& e = *ends[static_cast<std::size_t>(std::countr_zero(of))];
    if(!e.channel.is_ready())
      continue;
    e.begin_at_once();
    left &= ~(of & -of);
  }
}

template<class End>
void joint_exchange::direction<End>::begin(std::uint32_t which) {
  for(; which != 0; which &= which - 1)
    ends[static_cast<std::size_t>(std::countr_zero(which))]->start();
}

bool joint_exchange::go_as_far_as_possible() {
  out_.go_as_far_as_possible();
  in_.go_as_far_as_possible();
  return (out_.left | in_.left) == 0;
}

/// Ends call on any thread, and the next launch may begin before this returns: so all of it is written down before.
void joint_exchange::end_later(rondo::completion done) {
  const std::uint32_t to_send = out_.left;
  const std::uint32_t to_receive = in_.left;
  begin_anew();
  waiting_ = done;
  // Relaxed: nobody knows of it before.
  under_way_.store(
    static_cast<std::uint32_t>(std::popcount(to_send) + std::popcount(to_receive)) + 1,
    std::memory_order_relaxed);
  out_.begin(to_send);
  in_.begin(to_receive);
  end_one();
}

void joint_exchange::end_one() {
  // Release: what has been read, and that the memory of what was sent is done with. Acquire: that of the others, for those who
  // wait for the launch.
  if(under_way_.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  expect_next();
  std::exchange(waiting_, {}).value()();
}

/// A rank that has sent this message has read the one before.
void joint_exchange::expect_next() const {
  for(const outgoing* const o : out_.ends)
    o->channel.expect_use();
}

} // namespace rondo::detail::inline distributed
