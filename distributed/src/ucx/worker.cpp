#include "worker.hpp"

#include <cstddef>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>

#include <sched.h>

#include "../open_files.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// UCX 1.13 has 15 with TCP and shared memory, without any rank that it is connected with. It crashes if there are fewer.
constexpr unsigned files_of_ucx = 20;

void demand(ucs_status_t status, const char* call) {
  if(status != UCS_OK)
    throw std::runtime_error("rondo: " + std::string(call) +
                             " failed: " + ucs_status_string(status) +
                             " (UCX_TLS names the networks that may be used)" + if_out_of_files());
}

} // namespace

ucx_worker::ucx_worker(const transport::communicator& of) : world(of) {
  world.demand_files(files_of_ucx, "UCX");
  ucp_params_t context_params{};
  context_params.field_mask = UCP_PARAM_FIELD_FEATURES;
  context_params.features = UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP;
  ucp_config_t* config = nullptr;
  demand(ucp_config_read(nullptr, nullptr, &config), "ucp_config_read");
  const ucs_status_t status = ucp_init(&context_params, config, &context_);
  ucp_config_release(config);
  demand(status, "ucp_init");

  ucp_worker_params_t worker_params{};
  worker_params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  worker_params.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  demand(ucp_worker_create(context_, &worker_params, &ucp), "ucp_worker_create");
  begin_introductions();
}

void ucx_worker::begin_introductions() {
  ucp_address_t* mine = nullptr;
  std::size_t length = 0;
  demand(ucp_worker_get_address(ucp, &mine, &length), "ucp_worker_get_address");
  introductions_.emplace(world, std::span(reinterpret_cast<const std::byte*>(mine), length));
  ucp_worker_release_address(ucp, mine);
}

ucx_worker::~ucx_worker() {
  flush();
  // A rank that is not here yet may still need us for what it has sent.
  introductions_->end([this] { ucp_worker_progress(ucp); });
  ucp_worker_destroy(ucp); // and its endpoints
  ucp_cleanup(context_);
}

void ucx_worker::flush() {
  const ucp_request_param_t nothing{};
  const ucs_status_ptr_t request = ucp_worker_flush_nbx(ucp, &nothing);
  if(request == nullptr)
    return;
  if(UCS_PTR_IS_ERR(request))
    fail(UCS_PTR_STATUS(request), "ucp_worker_flush_nbx");
  while(ucp_request_check_status(request) == UCS_INPROGRESS)
    if(ucp_worker_progress(ucp) == 0)
      sched_yield();
  ucp_request_free(request);
}

ucp_ep_h ucx_worker::endpoint(unsigned rank) {
  const auto known = endpoints_.find(rank);
  if(known != endpoints_.end())
    return known->second;
  introductions_->ask(rank);
  return nullptr;
}

bool ucx_worker::look() {
  return introductions_->look([this](unsigned rank, const std::byte* address) {
    ucp_ep_params_t params{};
    params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
    params.address = reinterpret_cast<const ucp_address_t*>(address);
    check(ucp_ep_create(ucp, &params, &endpoints_[rank]), "ucp_ep_create");
  });
}

void ucx_worker::fail(ucs_status_t status, const char* call) const {
  std::fprintf(stderr, "rondo: rank %u: %s failed: %s%s\n", world.rank, call,
    ucs_status_string(status), if_out_of_files().c_str());
  world.abort(1);
}

} // namespace rondo::detail::inline distributed
