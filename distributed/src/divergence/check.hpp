#pragma once

/// \file
/// Whether all ranks launch the same: each tells the next one in a ring what it has launched last, which
/// compares. docs/protocols/divergence.md.

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include <rondo/distributed/history.hpp>
#include <rondo/distributed/transport.hpp>

#include "accusation_tree.hpp"

namespace rondo::detail::inline distributed {

class divergence_check {
public:
  static constexpr std::uint32_t channels = 3;

  /// With so many channels, from `channel` on.
  divergence_check(transport& t, launch_history& history, std::uint32_t channel);
  ~divergence_check();
  divergence_check(const divergence_check&) = delete;
  divergence_check& operator=(const divergence_check&) = delete;

  /// By the thread that polls, after the transport.
  void look() noexcept {
    const unsigned n = looks_.load(std::memory_order_relaxed) + 1;
    looks_.store(n, std::memory_order_relaxed);
    if(has_news_.load(std::memory_order_relaxed) || n % between_steps == 0) [[unlikely]]
      step();
  }
  /// By the thread that launches, which may never wait, so that nobody polls.
  void look_between_launches() noexcept;

  /// All has been launched. Returns when all ranks have said so, and have found that they launched
  /// the same; otherwise not at all.
  void finish();

private:
  using clock = std::chrono::steady_clock;
  static constexpr unsigned between_steps = 32;

  struct message {
    enum class kind : std::uint32_t { history, last_history };
    kind what;
    history_excerpt history;
  };

  /// Between two neighbours, in the other direction: what the hash is at some position.
  struct probe {
    launch_history::point at;
    bool is_last;
  };
  void send_probe(const probe& p);
  void receive_probe();

  void step() noexcept;
  void step_locked();
  void receive();
  void compare(const history_excerpt& other);
  void accuse(const history_excerpt& other, const history_difference& d);
  void hear(const accusation& v);
  void answer(const accusation& v);
  void send();
  void send_history(message::kind kind, const history_excerpt& what);
  void start_sending();
  void start_receiving();
  void look_at_clocks();
  [[nodiscard]] accusation::words words_of(std::uint64_t event);
  void say(
    const accusation::words& here, std::uint32_t other, const accusation::words& there) const;
  static void told_of_mismatch(void* self, const char* what);

  transport& transport_;
  launch_history& history_;
  std::atomic<unsigned> looks_{0};
  std::atomic<bool> has_news_{false};
  std::atomic<bool> has_come_{false};
  std::atomic<bool> is_sending_{false};
  std::atomic<bool> is_probing_{false};
  std::atomic<bool> has_probe_{false};
  std::atomic<clock::rep> next_own_; ///< When this rank tells its own history again.

  std::unique_ptr<probe> probe_out_; ///< Of the thread that launches.
  std::unique_ptr<transport::message> probe_sender_;

  std::mutex mutex_; ///< For what follows.
  std::unique_ptr<message> in_;
  std::unique_ptr<message> out_;
  std::unique_ptr<history_excerpt> mine_;
  std::unique_ptr<history_excerpt> farthest_; ///< Of what others have told.
  std::unique_ptr<transport::message> receiver_;
  std::unique_ptr<transport::message> sender_;
  probe probe_in_{};
  std::unique_ptr<transport::message> probe_receiver_;
  bool has_sent_last_probe_ = false;
  bool has_heard_last_probe_ = false;
  bool is_farthest_new_ = false;
  clock::time_point last_forwarded_;
  bool wants_last_ = false; ///< All has been launched: that is told now, and nothing after it.
  bool has_sent_last_ = false;
  bool has_heard_last_ = false;

  accusation_tree tree_;
  bool has_accusation_ = false;
  bool has_said_ = false;
  accusation accusation_{};
  clock::time_point of_accusation_;

  std::mutex mismatch_mutex_;
  std::string mismatch_; ///< The message that ends the program if no divergence explains it.
  clock::time_point of_mismatch_;
};

} // namespace rondo::detail::inline distributed
