#pragma once

/// \file
/// How all ranks hear of an accusation, whichever rank it comes from, within log2(ranks) messages one after the
/// other: each rank hands it on to some that are 1, 2, 4, ... ranks behind it. docs/protocols/divergence.md.
///
/// One thread at a time.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <rondo/distributed/transport.hpp>

#include "accusation.hpp"

namespace rondo::detail::inline distributed {

/// How far behind this rank those are that it tells of what rank `from` tells all.
[[nodiscard]] std::vector<unsigned> told_behind(unsigned rank, unsigned from, unsigned ranks);

class accusation_tree {
public:
  /// `has_news` is set when there is something to do here.
  accusation_tree(transport& t, std::uint32_t channel, std::atomic<bool>& has_news);
  ~accusation_tree();
  accusation_tree(const accusation_tree&) = delete;
  accusation_tree& operator=(const accusation_tree&) = delete;

  /// This one is handed on from now on. The rest of an older one is not sent any more.
  void tell(const accusation& v);
  /// Sends what could not be sent yet.
  void go_on();
  /// One that has come.
  [[nodiscard]] std::optional<accusation> hear();

private:
  /// To the rank so far behind, and from the rank as far ahead.
  struct way {
    unsigned distance = 0;
    std::atomic<bool>* has_news = nullptr;
    std::atomic<bool> is_sending{false};
    std::atomic<bool> has_come{false};
    bool has_to_send = false;
    std::unique_ptr<accusation> out;
    std::unique_ptr<accusation> in;
    std::unique_ptr<transport::message> sender;
    std::unique_ptr<transport::message> receiver;

    void receive();
  };

  const unsigned rank_;
  const unsigned ranks_;
  accusation told_{};
  std::vector<std::unique_ptr<way>> ways_;
};

} // namespace rondo::detail::inline distributed
