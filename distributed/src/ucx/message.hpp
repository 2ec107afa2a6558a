#pragma once

#include <cstddef>
#include <cstdint>

#include "tag.hpp"
#include "transport.hpp"

namespace rondo::detail::inline distributed {

class ucx_message final : public locked_message<progress_lock> {
public:
  ucx_message(ucx_transport& transport, ucx_tag::kind kind, bool sends, unsigned peer,
    std::uint32_t channel, std::byte* data, std::size_t size, transport::completion done);
  ~ucx_message() override { give_up(); }

  bool start() override;
  /// The way to the other rank is there now.
  void send_late(ucp_ep_h way);
  [[nodiscard]] unsigned to() const { return peer_; }

private:
  static void is_sent(void* request, ucs_status_t status, void* self);
  static void is_received(
    void* request, ucs_status_t status, const ucp_tag_recv_info_t* info, void* self);

  /// Returns true if it is over. Otherwise it is under way, with a request, or never ends.
  bool post();
  /// Returns false if this must not be told.
  [[nodiscard]] bool check(ucs_status_t status) const;
  void end(bool is_good);
  void take_back() override;

  ucx_transport& transport_;
  std::uint64_t tag_;
  ucp_ep_h endpoint_ = nullptr; ///< Where it is sent.
  void* request_ = nullptr;     ///< While it is under way.
  bool has_come_at_once_ = false;
  bool is_good_ = true;
};

} // namespace rondo::detail::inline distributed
