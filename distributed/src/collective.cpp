#include <rondo/distributed/collective.hpp>

#include <algorithm>
#include <exception>
#include <span>
#include <utility>

#include <rondo/core/planned.hpp>
#include <rondo/distributed/scheduler.hpp>

namespace rondo::detail::inline distributed {

collective::~collective() {
  for(const std::uint32_t number : {number_, number_of_moves_})
    if(number != 0)
      home_.give_back_channel(number);
}

flow& collective::launches() const { return home_.launches(); }

void collective::connect(std::size_t size, const std::vector<reduction_step>& steps) {
  number_ = home_.new_channel(); // the same on all ranks
  for(const reduction_step& r : steps) {
    step made;
    if(r.send)
      made.out = std::make_unique<channel_out>(home_.messages(), r.peer, number_, size);
    if(r.receive)
      made.in = std::make_unique<channel_in>(home_.messages(), r.peer, number_, size);
    steps_.push_back(std::move(made));
  }
}

void collective::connect_moves(std::size_t size, const color_moves& moves) {
  number_of_moves_ = home_.new_channel();
  for(const color_moves::message& m : moves.outgoing)
    steps_.push_back({std::make_unique<channel_out>(
                        home_.messages(), m.peer, number_of_moves_, m.colors.size() * size),
      nullptr});
  for(const color_moves::message& m : moves.incoming)
    steps_.push_back({nullptr, std::make_unique<channel_in>(home_.messages(), m.peer,
                                 number_of_moves_, m.colors.size() * size)});
  sent_moves_ = moves.outgoing.size();
  all_moves_ = steps_.size();
}

void collective::fill_step(std::byte* memory) const {
  if(at_ < all_moves_)
    fill_move(at_, memory);
  else
    fill(memory);
}

void collective::take_step(const std::byte* memory) {
  if(is_only_planned) // nothing has come
    return;
  if(at_ < all_moves_)
    take_move(at_ - sent_moves_, memory);
  else
    join(memory);
}

void collective::begin_steps(rondo::completion done) {
  waiting_ = done;
  at_ = 0;
  has_sent_ = false;
  channel_is_ready(nullptr);
}

/// Only the program's code throws, which folds: so nothing has been handed to a channel.
void collective::channel_is_ready(std::byte* memory) {
  try {
    go_on(memory);
  }
  catch(...) {
    std::exchange(waiting_, {}).value().fail(std::current_exception());
  }
}

/// `memory`: of the channel that was waited for. Once a channel says that it is not ready, the next
/// call may come at once, and from another thread: nothing is looked at after that.
void collective::go_on(std::byte* memory) {
  for(; at_ != steps_.size(); ++at_) {
    const step& s = steps_[at_];
    if(s.out != nullptr && !has_sent_) {
      if(memory == nullptr)
        memory = s.out->begin(*this);
      if(memory == nullptr)
        return;
      fill_step(std::exchange(memory, nullptr));
      has_sent_ = true;
      s.out->send();
    }
    if(s.in != nullptr) {
      if(memory == nullptr)
        memory = s.in->begin(*this);
      if(memory == nullptr)
        return;
      take_step(std::exchange(memory, nullptr));
      s.in->end();
    }
    has_sent_ = false;
    if(at_ + 1 == all_moves_)
      moved();
  }
  std::exchange(waiting_, {}).value()();
}

// ---- the values of a rank --------------------------------------------------------------------

reduction_launches::reduction_launches(
  scheduler& s, const partition& cut, std::size_t message_size, std::size_t value_size)
    : collective(s), moves_(cut.moves()), region_(launches(), *this, "reduction") {
  values_.reserve(cut.local_colors());
  if(cut.may_move()) // on all ranks
    connect_moves(value_size, moves_);
  connect(message_size, cut.steps());
}

void reduction_launches::add_value(color_value& v) {
  reads_.emplace_back(read(values_.emplace_back(launches(), v, "value of a color")));
  here_.push_back(&v);
}

void reduction_launches::launch_steps(
  flow& f, const char* name, const std::source_location& where) {
  constexpr std::size_t most_at_once = 8;
  std::size_t first = 0;
  do { // without any value, the rank only takes part
    const std::size_t count = std::min(most_at_once, reads_.size() - first);
    const std::span<const region_access> values = std::span(reads_).subspan(first, count);
    const auto take = [first, count](reduction_launches& l) {
      l.append(first, std::span(l.here_).subspan(first, count));
    };
    first += count;
    if(first == reads_.size())
      f.submit(ends_later(
                 name,
                 [take](rondo::completion done, reduction_launches& l) {
                   take(l);
                   l.begin_steps(done);
                 },
                 where),
        write(region_, where), values);
    else
      f.submit(named(name, take, where), write(region_, where), values);
  } while(first != reads_.size());
}

} // namespace rondo::detail::inline distributed
