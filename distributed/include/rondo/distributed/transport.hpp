#pragma once

/// \file
/// Messages between ranks: what all ways of sending them have in common.
///
/// \code
///   double rim[64];
///   auto m = t.make_sender(neighbour, channel, std::as_bytes(std::span(rim)), {&sent, this});
///   for(;;) {
///     fill(rim);
///     if(!m->start())      // still on its way: `sent(this)` is called in some later poll()
///       ...
///   }
/// \endcode
///
/// *Messages are made once and sent often.* Sender, receiver and memory never change; so
/// everything about them can be found out beforehand.
///
/// *Order.* A channel leads from one rank to another. What was started first at one end arrives in
/// what was started first at the other. Channels know nothing of each other. A message may be
/// started before the one that receives it: it waits, and may be on its way until then. Both have
/// the same size; else the program ends with a message. Where lengths differ from time to time, the sender
/// says how much of its memory is sent (`set_length`), and the receiver takes shorter messages, too.
///
/// *Progress.* Nothing happens by itself: somebody has to call `poll()` as long as a message is under
/// way that somebody waits for. `done` is called there, without any lock held, and may start
/// messages.
///
/// Everything but construction and destruction of a transport may be called by any thread at any
/// time; of one message at a time. Messages end before their transport does.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <typeinfo>
#include <vector>

#include <rondo/core/clock.hpp>

namespace rondo {

class transport {
public:
  /// Called when a message has arrived, or when its memory may be used again.
  struct completion {
    void (*call)(void* self);
    void* self;
  };

  class message {
  public:
    message() = default;
    /// Not while it is being sent; what is to be received is given up.
    virtual ~message() = default;
    message(const message&) = delete;
    message& operator=(const message&) = delete;

    /// Returns true if it is over already; `done` will not be called then. The next start comes after
    /// the end of this one.
    virtual bool start() = 0;

    /// Not to be received any more (what is sent, is sent). Returns true if it was under way: its memory
    /// is left alone from now on, and `done` will not be called. Returns false if it was not, or some
    /// poll() has called `done`, or is about to. A message that has arrived but was not told yet is lost;
    /// one that arrives later waits for the next receiver.
    virtual bool give_up() = 0;

    /// For messages of different lengths; not while it is under way. Of one to be sent: from the next start
    /// on its first `bytes` bytes are sent. At first all are.
    virtual void set_length(std::size_t bytes) = 0;
    /// Of one to be received: from now on shorter ones are right as well.
    virtual void take_shorter() = 0;
    /// Of one that has been received: its length.
    [[nodiscard]] virtual std::size_t length() const = 0;

    /// Of one to be received: from now on poll() need look for it only after it was asked for, once for each start. The call is
    /// a hint, for transports to which it makes a difference.
    virtual void look_when_asked() {}
    /// The message is waited for. Returns true if it has come; then `done` is not called.
    virtual bool ask() { return false; }

    /// Of those with memory of the transport's: where to write the next one, or where the one is that has come; else null.
    [[nodiscard]] virtual std::byte* memory() const { return nullptr; }
    /// Of those to be sent among them, when `start` has returned true: returns true if `memory()` may be written to again,
    /// else `done` is called in some later poll(). It is asked again after the next start only.
    virtual bool reclaim() { return true; }
    /// Of those to be received among them: what has come has been read. At the latest the next start says so.
    virtual void give_back() {}
  };

  transport() = default;
  virtual ~transport() = default;
  transport(const transport&) = delete;
  transport& operator=(const transport&) = delete;

  [[nodiscard]] virtual const char* name() const = 0;
  [[nodiscard]] virtual unsigned rank() const = 0;
  [[nodiscard]] virtual unsigned ranks() const = 0;
  /// More than 0: the other ranks are not there, since it is only planned what they would do, with so many workers each.
  /// Messages go nowhere, and those to be received are there at once.
  [[nodiscard]] virtual unsigned planned_workers() const { return 0; }

  /// Channels have numbers up to this one.
  [[nodiscard]] virtual std::uint32_t most_channel() const {
    return std::numeric_limits<std::uint32_t>::max();
  }

  /// `to` may be this rank.
  virtual std::unique_ptr<message> make_sender(
    unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) = 0;
  virtual std::unique_ptr<message> make_receiver(
    unsigned from, std::uint32_t channel, std::span<std::byte> into, completion done) = 0;

  /// The same with memory of the transport's, for messages of at most so many bytes: where both ranks see it, what is written
  /// at one end is read at the other one, and nothing is copied on the way. Null where that is of no use. Whether one
  /// end is made in this way the other one need not know.
  virtual std::unique_ptr<message> make_sender_in_place(
    unsigned /*to*/, std::uint32_t /*channel*/, std::size_t /*bytes*/, completion /*done*/) {
    return nullptr;
  }
  virtual std::unique_ptr<message> make_receiver_in_place(
    unsigned /*from*/, std::uint32_t /*channel*/, std::size_t /*bytes*/, completion /*done*/) {
    return nullptr;
  }

  /// Sees to what is under way. Returns true if something has been completed. If another thread is at
  /// it, returns false at once.
  virtual bool poll() = 0;
  /// The same for a thread that waits: may look several times where a look takes some nanoseconds.
  virtual bool poll_patiently() { return poll(); }

  /// Messages that are being sent and need somebody who polls.
  [[nodiscard]] virtual bool is_sending() const = 0;

  /// For threads that want to sleep until a message arrives: a descriptor that becomes readable
  /// then, or -1 where there is no such thing.
  [[nodiscard]] virtual int wake_descriptor() const { return -1; }
  /// Before sleeping on it. Returns false if something has come already: poll instead.
  virtual bool arm() { return false; }

  /// Whether all that may come wakes a thread that rests, so that nobody has to poll.
  [[nodiscard]] virtual bool wakes() const { return wake_descriptor() != -1 && !is_sending(); }
  /// Returns when a message may have come, if it `wakes()`, and at the latest after that time. One
  /// thread at a time; others may do whatever they like meanwhile.
  virtual void rest(std::chrono::nanoseconds most);

  /// Returns when all ranks have called it. Polls meanwhile. One thread of each rank at a time.
  void meet();

  /// The same without waiting: `has_met()` is asked, and `poll()` called, until it is true.
  virtual void start_meeting() = 0;
  virtual bool has_met() = 0;

  /// What the ranks of one node have to say to each other.
  struct words_of_node {
    std::vector<std::vector<std::byte>> said; ///< By each of them, in the order of ranks.
    unsigned here = 0;                        ///< The position of this rank.
  };
  /// Tells this to all ranks of the node, and returns what all have told. All ranks of the program call it, with
  /// nothing under way on any. The ranks of a transport that knows no nodes are alone on theirs.
  virtual words_of_node tell_node(std::span<const std::byte> mine);

  /// Whether one more thread of the program may call MPI while messages are under way. The same on all ranks.
  [[nodiscard]] virtual bool allows_mpi_beside_messages() const { return true; }
  /// There that thread comes here before it does. All ranks call it in the same order, and the first call waits for all.
  virtual void begin_mpi_beside_messages() {}

  /// Elsewhere, for programs that call MPI themselves: from `enter_mpi` to `leave_mpi`, of the same thread,
  /// nobody else in this process is in MPI. All ranks call them, with nothing under way on any.
  virtual void enter_mpi() {}
  virtual void leave_mpi() {}
  /// An MPI_Comm.
  struct communicator {
    const void* what = nullptr;
    std::size_t size = 0;
    const std::type_info* type = nullptr;
  };
  /// Of all ranks, and not that of the messages here. Once MPI may be called. Throws std::runtime_error
  /// where there is no MPI.
  virtual communicator mpi();
  /// Told of a message that has not the size that its receiver expects, which then never ends. Any
  /// thread, with locks held. Without a listener such a message ends the program at once.
  struct mismatch_listener {
    void (*call)(void* self, const char* what) = nullptr;
    void* self = nullptr;
  };
  virtual void tell_mismatches(mismatch_listener listener);
  /// Returns false if there is nobody to tell.
  bool tell_mismatch(const char* what);

  /// Ends the program on all ranks. Text written to stderr before is seen.
  [[noreturn]] virtual void abort(int exit_code) = 0;

  /// The owner chooses the numbers of channels, and nobody else does, as long as this lives. Throws
  /// std::logic_error if somebody does so already.
  class sole_use {
  public:
    explicit sole_use(transport& t);
    ~sole_use();
    sole_use(const sole_use&) = delete;
    sole_use& operator=(const sole_use&) = delete;

  private:
    transport& of_;
  };

private:
  std::atomic<bool> is_used_{false};
  std::mutex mutex_;
  mismatch_listener listener_;
};

} // namespace rondo
