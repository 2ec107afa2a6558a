#include "check.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <type_traits>

namespace rondo::detail::inline distributed {

namespace {
constexpr auto between_own = std::chrono::milliseconds(100);
constexpr auto between_forwarded = std::chrono::milliseconds(20);
/// For the other rank's answer, or for a better explanation of a mismatch. A rank that waits that long
/// ends the program alone.
constexpr auto patience = std::chrono::milliseconds(1500);
} // namespace

divergence_check::divergence_check(transport& t, launch_history& history, std::uint32_t channel)
    : transport_(t), history_(history),
      next_own_((clock::now() + between_own).time_since_epoch().count()),
      probe_out_(std::make_unique<probe>()), in_(std::make_unique<message>()),
      out_(std::make_unique<message>()), mine_(std::make_unique<history_excerpt>()),
      farthest_(std::make_unique<history_excerpt>()), tree_(t, channel + 2, has_news_) {
  static_assert(std::is_trivially_copyable_v<message>);
  const unsigned n = t.ranks();
  receiver_ = t.make_receiver((t.rank() + n - 1) % n, channel,
    std::as_writable_bytes(std::span(in_.get(), 1)),
    {[](void* self) {
       auto& c = *static_cast<divergence_check*>(self);
       c.has_come_.store(true, std::memory_order_release);
       c.has_news_.store(true, std::memory_order_relaxed);
     },
      this});
  sender_ = t.make_sender((t.rank() + 1) % n, channel, std::as_bytes(std::span(out_.get(), 1)),
    {[](void* self) {
       static_cast<divergence_check*>(self)->is_sending_.store(false, std::memory_order_release);
     },
      this});
  probe_receiver_ = t.make_receiver((t.rank() + 1) % n, channel + 1,
    std::as_writable_bytes(std::span(&probe_in_, 1)),
    {[](void* self) {
       auto& c = *static_cast<divergence_check*>(self);
       c.has_probe_.store(true, std::memory_order_release);
       c.has_news_.store(true, std::memory_order_relaxed);
     },
      this});
  probe_sender_ = t.make_sender((t.rank() + n - 1) % n, channel + 1,
    std::as_bytes(std::span(probe_out_.get(), 1)),
    {[](void* self) {
       static_cast<divergence_check*>(self)->is_probing_.store(false, std::memory_order_release);
     },
      this});
  t.tell_mismatches({told_of_mismatch, this});
  start_receiving();
  if(probe_receiver_->start())
    has_probe_.store(true, std::memory_order_relaxed);
  history.tell(*this);
}

divergence_check::~divergence_check() {
  transport_.tell_mismatches({});
  receiver_->give_up();
  probe_receiver_->give_up();
  // Nobody may ever receive messages that are under way now, with the program being ended by a failure.
  if(is_sending_.load(std::memory_order_acquire)) {
    static_cast<void>(sender_.release());
    static_cast<void>(out_.release());
  }
  if(is_probing_.load(std::memory_order_acquire)) {
    static_cast<void>(probe_sender_.release());
    static_cast<void>(probe_out_.release());
  }
}

void divergence_check::look_between_launches() noexcept {
  transport_.poll();
  if(!is_probing_.load(std::memory_order_acquire))
    send_probe({history_.last(), false});
  if(has_news_.load(std::memory_order_relaxed) || has_probe_.load(std::memory_order_relaxed) ||
     clock::now().time_since_epoch().count() >= next_own_.load(std::memory_order_relaxed))
    step();
}

/// By the thread that launches.
void divergence_check::send_probe(const probe& p) {
  *probe_out_ = p;
  is_probing_.store(true, std::memory_order_relaxed);
  if(probe_sender_->start())
    is_probing_.store(false, std::memory_order_relaxed);
}

void divergence_check::receive_probe() {
  if(!probe_in_.is_last) {
    const launch_history::comparison c = history_.compare(probe_in_.at);
    if(c == launch_history::comparison::not_yet)
      return; // until then nothing more is received: one at a time
    if(c == launch_history::comparison::different)
      next_own_.store(0, std::memory_order_relaxed); // the rank that has sent it finds out where
  }
  has_probe_.store(false, std::memory_order_relaxed);
  has_heard_last_probe_ = probe_in_.is_last;
  if(!has_heard_last_probe_ && probe_receiver_->start())
    has_probe_.store(true, std::memory_order_relaxed);
}

void divergence_check::step() noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if(lock.owns_lock())
    step_locked();
}

void divergence_check::step_locked() {
  has_news_.store(false, std::memory_order_relaxed);
  while(has_come_.load(std::memory_order_acquire))
    receive();
  if(has_probe_.load(std::memory_order_acquire) && !has_heard_last_probe_)
    receive_probe();
  while(const std::optional<accusation> v = tree_.hear())
    hear(*v);
  tree_.go_on();
  if(!is_sending_.load(std::memory_order_acquire))
    send();
  look_at_clocks();
}

void divergence_check::start_receiving() {
  if(receiver_->start())
    has_come_.store(true, std::memory_order_relaxed);
}

void divergence_check::receive() {
  has_come_.store(false, std::memory_order_relaxed);
  compare(in_->history);
  has_heard_last_ = has_heard_last_ || in_->what == message::kind::last_history;
  start_receiving();
}

void divergence_check::compare(const history_excerpt& other) {
  if(other.rank == transport_.rank()) // once round the ring
    return;
  history_.copy(*mine_);
  history_difference d;
  if(find_difference(*mine_, other, d))
    accuse(other, d);
  else if(is_ahead(other, *mine_) && is_ahead(other, *farthest_)) {
    *farthest_ = other;
    is_farthest_new_ = true;
  }
}

namespace {
accusation::words in_words(const std::string& text, std::uint32_t column = 0) {
  accusation::words w{};
  std::snprintf(w.letters.data(), w.letters.size(), "%s", text.c_str());
  // Cut off, they end with no place.
  w.column = text.size() < w.letters.size() ? column : 0;
  return w;
}

/// " at a.cpp:40", at the end of "scale(u) at a.cpp:40".
std::string_view place_of(const accusation::words& w) {
  const std::string_view text = w.letters.data();
  return text.substr(std::min(text.size(), text.rfind(" at ")));
}

/// Two launches on one line are told apart by their columns, which say nothing elsewhere.
bool needs_columns(const accusation::words& a, const accusation::words& b) {
  return a.column != 0 && b.column != 0 && a.column != b.column && !place_of(a).empty() &&
         place_of(a) == place_of(b);
}

std::string text_of(const accusation::words& w, bool with_column) {
  if(w.letters[0] == '\0')
    return "something else";
  const std::string text = w.letters.data();
  return with_column ? text + ':' + std::to_string(w.column) : text;
}
} // namespace

accusation::words divergence_check::words_of(std::uint64_t event) {
  // Before the text: what that still has, had not been overwritten here either.
  const std::uint32_t column = history_.column(event);
  return in_words(history_.describe(event), column);
}

void divergence_check::accuse(const history_excerpt& other, const history_difference& d) {
  if(has_accusation_)
    return;
  has_accusation_ = true;
  of_accusation_ = clock::now();
  accusation_ = {};
  accusation_.launch = d.launch;
  accusation_.in_loop = d.in_loop;
  accusation_.accuser = transport_.rank();
  accusation_.accused = other.rank;
  accusation_.is_exact = d.is_exact;
  accusation_.is_in_passes = d.is_in_passes;
  accusation_.by_accuser =
    d.is_in_passes ? in_words(history_.describe_passes(d.launch)) : words_of(d.event);
  tree_.tell(accusation_);
}

void divergence_check::hear(const accusation& v) {
  // Several ranks may have seen it at the same time: that with the least number is heard. Its word may come
  // after the answer to it.
  if(has_accusation_ && (accusation_.accuser < v.accuser ||
                          (accusation_.accuser == v.accuser && accusation_.is_answered)))
    return;
  if(!has_accusation_ || accusation_.accuser != v.accuser)
    of_accusation_ = clock::now();
  has_accusation_ = true;
  accusation_ = v;
  if(v.accuser == transport_.rank()) {
    say(accusation_.by_accuser, accusation_.accused, accusation_.by_accused);
    transport_.abort(EXIT_FAILURE);
  }
  tree_.tell(accusation_);
  if(v.accused == transport_.rank() && !v.is_answered) {
    answer(v);
    tree_.tell(accusation_);
  }
}

/// This rank is the accused.
void divergence_check::answer(const accusation& v) {
  history_.copy(*mine_);
  accusation_.by_accused = in_words("something that was launched long ago");
  if(v.is_in_passes)
    accusation_.by_accused = in_words(history_.describe_passes(v.launch));
  else
    for(std::uint64_t e = mine_->begin; e != mine_->end; ++e)
      if(const launch_section at = mine_->position_of(e);
         at.launch == v.launch && at.in_loop == v.in_loop)
        accusation_.by_accused = words_of(e);
  accusation_.is_answered = true;
  if(!has_said_)
    say(accusation_.by_accused, accusation_.accuser, accusation_.by_accuser);
  has_said_ = true;
}

void divergence_check::say(
  const accusation::words& here, std::uint32_t other, const accusation::words& there) const {
  const bool with_columns = needs_columns(here, there);
  const std::string in_loop =
    accusation_.in_loop == 0 ? ""
                             : "launch " + std::to_string(accusation_.in_loop) + " of the loop at ";
  // In one piece: all ranks write to the same terminal.
  std::fprintf(stderr,
    "rondo: rank %u of %u: this rank and rank %u run different programs, from %slaunch %llu%s on: "
    "here %s, there %s; all ranks must launch the same (docs/distributed.md)\n",
    transport_.rank(), transport_.ranks(), other, in_loop.c_str(),
    static_cast<unsigned long long>(accusation_.launch),
    accusation_.is_exact ? "" : ", or one before,", text_of(here, with_columns).c_str(),
    text_of(there, with_columns).c_str());
}

void divergence_check::start_sending() {
  is_sending_.store(true, std::memory_order_relaxed);
  if(sender_->start())
    is_sending_.store(false, std::memory_order_relaxed);
}

void divergence_check::send_history(message::kind kind, const history_excerpt& what) {
  out_->what = kind;
  out_->history = what;
  start_sending();
}

void divergence_check::send() {
  const auto now = clock::now();
  if(has_accusation_ || has_sent_last_)
    return;
  const bool is_time = now.time_since_epoch().count() >= next_own_.load(std::memory_order_relaxed);
  if(!wants_last_ && !is_time) {
    if(is_farthest_new_ && now - last_forwarded_ >= between_forwarded) {
      is_farthest_new_ = false;
      last_forwarded_ = now;
      history_.copy(*mine_);
      if(is_ahead(*farthest_, *mine_))
        send_history(message::kind::history, *farthest_);
    }
    return;
  }
  next_own_.store((now + between_own).time_since_epoch().count(), std::memory_order_relaxed);
  history_.copy(*mine_);
  mine_->rank = transport_.rank();
  // It may have come closer to what it could not compare before.
  if(history_difference d; farthest_->end != 0 && find_difference(*mine_, *farthest_, d)) {
    accuse(*farthest_, d);
    return;
  }
  has_sent_last_ = wants_last_;
  send_history(wants_last_ ? message::kind::last_history : message::kind::history, *mine_);
}

void divergence_check::look_at_clocks() {
  const auto now = clock::now();
  if(has_accusation_) {
    const bool is_accuser = accusation_.accuser == transport_.rank();
    if(now - of_accusation_ < (is_accuser ? patience : 2 * patience))
      return;
    if(is_accuser)
      say(accusation_.by_accuser, accusation_.accused, accusation_.by_accused);
    transport_.abort(EXIT_FAILURE);
  }
  std::string mismatch;
  {
    const std::lock_guard lock(mismatch_mutex_);
    if(mismatch_.empty() || now - of_mismatch_ < patience)
      return;
    mismatch = mismatch_;
  }
  std::fprintf(stderr, "%s\n", mismatch.c_str());
  transport_.abort(EXIT_FAILURE);
}

/// Within the transport.
void divergence_check::told_of_mismatch(void* self, const char* what) {
  auto& c = *static_cast<divergence_check*>(self);
  const std::lock_guard lock(c.mismatch_mutex_);
  if(!c.mismatch_.empty())
    return;
  c.mismatch_ = what;
  c.of_mismatch_ = clock::now();
}

void divergence_check::finish() {
  constexpr auto long_wait = std::chrono::milliseconds(20);
  constexpr auto nap = std::chrono::microseconds(100);
  const auto since = clock::now();
  const auto go_on = [&] {
    transport_.poll();
    const std::lock_guard lock(mutex_);
    step_locked();
    if(!has_sent_last_probe_ && !is_probing_.load(std::memory_order_acquire)) {
      has_sent_last_probe_ = true;
      send_probe({{}, true});
    }
  };
  const auto rest = [&] {
    if(clock::now() - since < long_wait)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(nap);
  };
  {
    const std::lock_guard lock(mutex_);
    wants_last_ = true;
  }
  const auto is_over = [&] {
    const std::scoped_lock lock(mutex_, mismatch_mutex_);
    return has_sent_last_probe_ && !is_probing_.load(std::memory_order_acquire) &&
           has_heard_last_probe_ && mismatch_.empty() && has_sent_last_ && has_heard_last_ &&
           !has_accusation_ && !is_sending_.load(std::memory_order_acquire);
  };
  for(go_on(); !is_over(); go_on())
    rest();
  // A message that is yet to come could only be an accusation, and a rank that has one never meets the others.
  for(transport_.start_meeting(); !transport_.has_met(); go_on())
    rest();
}

} // namespace rondo::detail::inline distributed
