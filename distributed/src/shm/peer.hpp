#pragma once

/// \file
/// Another rank of this node, as this one sees it: what goes there, and what comes from there.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>

#include "../remote/message.hpp"
#include "../row.hpp"
#include "../short_lock.hpp"
#include "lent.hpp"
#include "memory.hpp"
#include "pipe.hpp"

namespace rondo::detail::inline distributed {

class shm_sender;
class shm_receiver;

/// What goes there. Its lock is the innermost.
class outgoing {
public:
  outgoing(pipe_memory& m, bell& theirs) : pipe_(m), bell_(theirs) {}

  /// Returns true if all of it has been written; else it waits for room, which `flush` looks for.
  bool start(shm_sender& s, remote_messages& messages);
  /// Messages that have been written since, and need not be read before they are over, are over.
  void flush(remote_messages& messages);
  /// Its lent memory is not back yet: the message is over when it is.
  void await(shm_sender& s, remote_messages& messages);

private:
  short_lock lock_;
  pipe_out pipe_;
  bell& bell_;
  row<shm_sender> waiting_; ///< In their order; the first one may have been written in part.
  row<shm_sender> lenders_; ///< Senders that wait until they have their memory back.
};

/// A message that has come, or is coming, before anybody wants it.
struct early_message {
  std::size_t size;
  std::size_t arrived;
  std::unique_ptr<std::byte[]> bytes;
  lent_memory* lent = nullptr; ///< Or there.
};

/// Messages that have come on a channel, or receives that wait for them: never both.
struct inbox {
  std::uint32_t channel = 0;
  row<shm_receiver> waiting;
  std::deque<early_message> early;
  unsigned uses = 0; ///< Receivers that were made for it.
};

/// What comes from there. All but has_any() under the transport's lock.
class incoming {
public:
  incoming(transport& aborts, unsigned peer, const node_memory& m, pipe_memory& pipe)
      : aborts_(aborts), peer_(peer), memory_(m), pipe_(pipe) {}

  /// Whether there is something to look at. Any thread: then it is a hint.
  [[nodiscard]] bool has_any() const { return pipe_.next() != nullptr; }
  incoming* other = nullptr; ///< In a list of all.
  /// Takes what has come; messages that are over are told to `messages`.
  void look(remote_messages& messages);

  inbox& use(std::uint32_t channel);
  void leave(inbox& b);

  /// Returns true if it has come already.
  bool start(shm_receiver& r, remote_messages& messages);
  /// Is not to be received any more; it is under way.
  void withdraw(shm_receiver& r);

private:
  inbox& inbox_of(std::uint32_t channel);
  void forget(inbox& b);
  /// What comes next: who gets it, or where it waits.
  void begin(const pipe_memory::cell& c);
  void end(remote_messages& messages);
  void take_lent(const pipe_memory::cell& c, remote_messages& messages);
  /// Returns true if the message is what the receiver expects, and all of it is there.
  bool hand_over(shm_receiver& r, std::size_t size, lent_memory& m);
  void refuse(shm_receiver& r, std::size_t size);

  transport& aborts_;
  const unsigned peer_;
  const node_memory& memory_;
  pipe_in pipe_;
  std::unordered_map<std::uint32_t, inbox> inboxes_;
  inbox* last_ = nullptr; ///< Looked up: likely to be the next one, too.

  // The message that is being read, of which there may be more to come.
  inbox* inbox_ = nullptr;     ///< Null if no message is being read.
  shm_receiver* to_ = nullptr; ///< Null, and no early message: nobody gets it.
  early_message* early_ = nullptr;
  std::byte* into_ = nullptr;
  std::size_t left_ = 0;
};

} // namespace rondo::detail::inline distributed
