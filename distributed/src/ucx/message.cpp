#include "message.hpp"

#include <mutex>
#include <utility>

#include "../mismatch.hpp"

namespace rondo::detail::inline distributed {

ucx_message::ucx_message(ucx_transport& transport, ucx_tag::kind kind, bool sends, unsigned peer,
  std::uint32_t channel, std::byte* data, std::size_t size, transport::completion done)
    : locked_message(transport.lock_, transport.messages_, sends, peer, channel, data, size, done),
      transport_(transport), tag_(ucx_tag::make(kind, sends ? transport.rank() : peer, channel)) {
  const std::lock_guard lock(transport_.lock_);
  if(sends)
    endpoint_ = transport_.worker_.endpoint(peer);
  else
    transport_.worker_.expect(peer);
  transport_.wake_to_look();
}

bool ucx_message::start() {
  ucx_transport& t = transport_;
  const std::lock_guard lock(t.lock_);
  if(sends_ && endpoint_ == nullptr) {
    endpoint_ = t.worker_.endpoint(peer_);
    if(endpoint_ == nullptr) {
      t.messages_.start(*this);
      t.unaddressed_.push_back(this);
      t.wake_to_look();
      return false;
    }
  }
  if(post())
    return true;
  if(request_ != nullptr)
    t.messages_.start(*this);
  return false;
}

void ucx_message::send_late(ucp_ep_h way) {
  endpoint_ = way;
  if(post())
    transport_.messages_.end(*this);
  else if(request_ == nullptr)
    transport_.messages_.forget(*this);
}

bool ucx_message::post() {
  ucp_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  param.user_data = this;
  ucs_status_ptr_t request = nullptr;
  if(sends_) {
    param.cb.send = is_sent;
    request = ucp_tag_send_nbx(endpoint_, data_, length_, tag_, &param);
  }
  else {
    param.cb.recv = is_received;
    // Without this, UCX 1.13 does not tell the size of what has arrived already.
    param.op_attr_mask |= UCP_OP_ATTR_FLAG_NO_IMM_CMPL;
    request =
      ucp_tag_recv_nbx(transport_.worker_.ucp, data_, size_, tag_, ucx_tag::all_bits, &param);
  }
  if(request == nullptr)
    return true;
  if(UCS_PTR_IS_ERR(request))
    return check(UCS_PTR_STATUS(request));
  if(std::exchange(has_come_at_once_, false)) {
    ucp_request_free(request);
    return is_good_;
  }
  request_ = request;
  return false;
}

void ucx_message::is_sent(void* /*request*/, ucs_status_t status, void* self) {
  auto& m = *static_cast<ucx_message*>(self);
  m.end(m.check(status));
}

void ucx_message::is_received(
  void* /*request*/, ucs_status_t status, const ucp_tag_recv_info_t* info, void* self) {
  auto& m = *static_cast<ucx_message*>(self);
  bool is_good = true;
  if(status != UCS_ERR_CANCELED) {
    is_good = m.check(status);
    if(is_good && !m.take_length(info->length)) {
      end_by_mismatch(m.transport_, m.peer_, m.channel_, info->length, m.size_);
      is_good = false;
    }
  }
  m.end(is_good);
}

void ucx_message::end(bool is_good) {
  is_good_ = is_good;
  if(request_ == nullptr) {
    has_come_at_once_ = true; // start() is not over yet
    return;
  }
  ucp_request_free(request_);
  request_ = nullptr;
  if(is_good)
    transport_.messages_.end(*this);
  else
    transport_.messages_.forget(*this);
}

void ucx_message::take_back() {
  ucp_request_cancel(transport_.worker_.ucp, request_);
  // If that came too late, the message is being received, and it won't take long.
  while(request_ != nullptr)
    ucp_worker_progress(transport_.worker_.ucp);
}

bool ucx_message::check(ucs_status_t status) const {
  if(status == UCS_ERR_MESSAGE_TRUNCATED) {
    end_by_mismatch(transport_, peer_, channel_, unknown_size, size_);
    return false;
  }
  transport_.worker_.check(status, sends_ ? "sending" : "receiving");
  return true;
}

} // namespace rondo::detail::inline distributed
