// Messages are copied, held back until they would have arrived over a slower network, and sent then.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include <sched.h>

#include <rondo/distributed/transports.hpp>

namespace rondo {

namespace {

using clock = std::chrono::steady_clock;

/// What is known of a channel from this rank.
struct channel_state {
  std::uint64_t count = 0;      ///< Messages so far.
  clock::time_point last_due{}; ///< Earlier messages are not overtaken.
};

/// Mixes bits (the finalizer of splitmix64).
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

class delayed_transport final : public transport {
public:
  delayed_transport(std::unique_ptr<transport> inner, delay_options options)
      : inner_(std::move(inner)), options_(options) {}

  ~delayed_transport() override {
    while(is_sending())
      if(!poll())
        sched_yield();
  }

  [[nodiscard]] const char* name() const override { return inner_->name(); }
  [[nodiscard]] unsigned rank() const override { return inner_->rank(); }
  [[nodiscard]] unsigned ranks() const override { return inner_->ranks(); }
  [[nodiscard]] std::uint32_t most_channel() const override { return inner_->most_channel(); }

  std::unique_ptr<message> make_sender(
    unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) override;

  std::unique_ptr<message> make_receiver(
    unsigned from, std::uint32_t channel, std::span<std::byte> into, completion done) override {
    return inner_->make_receiver(from, channel, into, done);
  }

  bool poll() override {
    const bool has_released = release();
    return inner_->poll() || has_released;
  }

  [[nodiscard]] bool is_sending() const override {
    return copies_.load(std::memory_order_acquire) != 0 || inner_->is_sending();
  }

  [[nodiscard]] int wake_descriptor() const override { return inner_->wake_descriptor(); }
  bool arm() override { return copies_.load(std::memory_order_acquire) == 0 && inner_->arm(); }

  [[nodiscard]] bool wakes() const override {
    return copies_.load(std::memory_order_acquire) == 0 && inner_->wakes();
  }
  void rest(std::chrono::nanoseconds most) override { inner_->rest(most); }

  void start_meeting() override { inner_->start_meeting(); }
  bool has_met() override { return inner_->has_met(); }
  words_of_node tell_node(std::span<const std::byte> mine) override {
    return inner_->tell_node(mine);
  }
  [[nodiscard]] bool allows_mpi_beside_messages() const override {
    return inner_->allows_mpi_beside_messages();
  }
  void begin_mpi_beside_messages() override { inner_->begin_mpi_beside_messages(); }
  void enter_mpi() override { inner_->enter_mpi(); }
  void leave_mpi() override { inner_->leave_mpi(); }
  communicator mpi() override { return inner_->mpi(); }
  void tell_mismatches(mismatch_listener l) override { inner_->tell_mismatches(l); }
  void abort(int exit_code) override { inner_->abort(exit_code); }

private:
  class sender;
  struct source;
  struct copy;

  struct held {
    clock::time_point due;
    std::uint64_t number; ///< A message that was started first goes first.
    copy* what;
    friend bool operator<(const held& a, const held& b) { // for a heap: the greatest is the next
      return std::tie(a.due, a.number) > std::tie(b.due, b.number);
    }
  };

  void hold(source& s);
  bool release();
  clock::duration jitter(const source& s) const;

  std::unique_ptr<transport> inner_;
  const delay_options options_;

  std::mutex mutex_; ///< Taken before any lock of the inner transport. Protects what follows.
  std::map<std::pair<unsigned, std::uint32_t>, channel_state> channels_;
  std::vector<held> held_; ///< A heap.
  std::uint64_t number_ = 0;
  clock::time_point link_is_free_{};
  std::atomic<std::size_t> copies_{0}; ///< Held back, or being sent.
};

/// A message that is being held back or sent.
struct delayed_transport::copy {
  delayed_transport* owner = nullptr;
  std::vector<std::byte> data;
  std::unique_ptr<message> sends;
  std::shared_ptr<source> keeps; ///< While it is in use: the sender may be gone by then.

  void free();
  static void is_sent(void* self) {
    copy& c = *static_cast<copy*>(self);
    std::shared_ptr<source> last; // goes after the lock
    const std::lock_guard lock(c.owner->mutex_);
    last = c.keeps;
    c.free();
  }
};

/// What a sender and its copies have in common.
struct delayed_transport::source : std::enable_shared_from_this<source> {
  delayed_transport* owner = nullptr;
  unsigned to = 0;
  std::uint32_t channel = 0;
  channel_state* state = nullptr;
  std::span<const std::byte> from;
  std::size_t length = 0;  ///< The number of bytes sent.
  std::deque<copy> copies; ///< As many as were ever held at the same time.
  std::vector<copy*> unused;

  copy& get_copy() {
    if(unused.empty()) {
      copy& c = copies.emplace_back();
      c.owner = owner;
      c.data.resize(from.size());
      c.sends = owner->inner_->make_sender(to, channel, c.data, {copy::is_sent, &c});
      unused.push_back(&c);
    }
    copy& c = *unused.back();
    unused.pop_back();
    return c;
  }
};

void delayed_transport::copy::free() {
  const auto home = std::move(keeps);
  home->unused.push_back(this);
  // Release: for the thread that asks whether all is over.
  owner->copies_.fetch_sub(1, std::memory_order_release);
}

class delayed_transport::sender final : public transport::message {
public:
  explicit sender(std::shared_ptr<source> s) : source_(std::move(s)) {}

  bool start() override {
    source_->owner->hold(*source_);
    return true; // the memory may be used again
  }
  bool give_up() override { return false; }
  void set_length(std::size_t bytes) override {
    source_->length = std::min(bytes, source_->from.size());
  }
  void take_shorter() override {}
  [[nodiscard]] std::size_t length() const override { return source_->length; }

private:
  std::shared_ptr<source> source_;
};

std::unique_ptr<transport::message> delayed_transport::make_sender(
  unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) {
  // The inner transport knows all that may be wrong with it. From rank to the same rank is no distance.
  auto undelayed = inner_->make_sender(to, channel, from, done);
  if(to == rank())
    return undelayed;
  auto s = std::make_shared<source>();
  s->owner = this;
  s->to = to;
  s->channel = channel;
  s->from = from;
  s->length = from.size();
  const std::lock_guard lock(mutex_);
  s->state = &channels_[{to, channel}];
  return std::make_unique<sender>(std::move(s));
}

void delayed_transport::hold(source& s) {
  const std::lock_guard lock(mutex_);
  copy& c = s.get_copy();
  if(s.length != 0)
    std::memcpy(c.data.data(), s.from.data(), s.length);
  if(c.sends->length() != s.length)
    c.sends->set_length(s.length);
  c.keeps = s.shared_from_this();

  auto leaves = std::max(clock::now(), link_is_free_);
  if(options_.bandwidth > 0)
    leaves += std::chrono::duration_cast<clock::duration>(
      std::chrono::duration<double>(double(s.length) / options_.bandwidth));
  link_is_free_ = leaves;
  channel_state& state = *s.state;
  state.last_due = std::max(state.last_due, leaves + options_.latency + jitter(s));
  ++state.count;
  held_.push_back({state.last_due, number_++, &c});
  std::push_heap(held_.begin(), held_.end());
  copies_.fetch_add(1, std::memory_order_relaxed);
}

bool delayed_transport::release() {
  if(copies_.load(std::memory_order_relaxed) == 0)
    return false;
  std::shared_ptr<source> last; // goes after the lock
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if(!lock.owns_lock() || held_.empty())
    return false;
  bool has_released = false;
  const auto now = clock::now();
  while(!held_.empty() && held_.front().due <= now) {
    copy& c = *held_.front().what;
    std::pop_heap(held_.begin(), held_.end());
    held_.pop_back();
    has_released = true;
    last = c.keeps;
    // In order, and so under the lock; `is_sent` is not called before the next poll.
    if(c.sends->start())
      c.free();
  }
  return has_released;
}

/// From who sends what, never from when.
clock::duration delayed_transport::jitter(const source& s) const {
  if(options_.jitter.count() == 0)
    return {};
  const std::uint64_t pair = std::uint64_t{inner_->rank()} << 32U | s.to;
  const std::uint64_t hash = mix(mix(mix(mix(options_.seed) ^ pair) ^ s.channel) ^ s.state->count);
  return std::chrono::nanoseconds(std::int64_t(hash % std::uint64_t(options_.jitter.count() + 1)));
}

} // namespace

std::unique_ptr<transport> make_delayed(std::unique_ptr<transport> inner, delay_options options) {
  return std::make_unique<delayed_transport>(std::move(inner), options);
}

} // namespace rondo
