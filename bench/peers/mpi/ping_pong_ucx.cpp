// The same with UCX's tagged messages; MPI only carries the addresses.
//
//   mpirun -np 2 peer_ucx_ping_pong

#include "peers/mpi/ping_pong.hpp"

#include <ucp/api/ucp.h>

namespace {

using bench::mpi::world;

void check(ucs_status_t status) {
  if(status != UCS_OK)
    throw std::runtime_error(std::string("UCX: ") + ucs_status_string(status));
}

class endpoint {
public:
  explicit endpoint(const world& w) {
    ucp_config_t* config = nullptr;
    check(ucp_config_read(nullptr, nullptr, &config));
    ucp_params_t params{};
    params.field_mask = UCP_PARAM_FIELD_FEATURES;
    params.features = UCP_FEATURE_TAG;
    check(ucp_init(&params, config, &context_));
    ucp_config_release(config);

    ucp_worker_params_t worker{};
    worker.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    worker.thread_mode = UCS_THREAD_MODE_SINGLE;
    check(ucp_worker_create(context_, &worker, &worker_));

    ucp_address_t* own = nullptr;
    std::size_t length = 0;
    check(ucp_worker_get_address(worker_, &own, &length));
    const int n = static_cast<int>(length);
    int other_n = 0;
    const int other = 1 - w.rank;
    MPI_Sendrecv(
      &n, 1, MPI_INT, other, 0, &other_n, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::vector<char> address(static_cast<std::size_t>(other_n));
    MPI_Sendrecv(own, n, MPI_BYTE, other, 1, address.data(), other_n, MPI_BYTE, other, 1,
      MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ucp_worker_release_address(worker_, own);

    ucp_ep_params_t peer{};
    peer.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
    peer.address = reinterpret_cast<const ucp_address_t*>(address.data());
    check(ucp_ep_create(worker_, &peer, &peer_));
  }
  endpoint(const endpoint&) = delete;
  endpoint& operator=(const endpoint&) = delete;
  ~endpoint() {
    const ucp_request_param_t none{};
    wait(ucp_ep_close_nbx(peer_, &none));
    MPI_Barrier(MPI_COMM_WORLD); // the other one may still want to say goodbye
    ucp_worker_destroy(worker_);
    ucp_cleanup(context_);
  }

  void send(const std::vector<char>& buffer) { check(wait(begin_send(buffer))); }
  void receive(std::vector<char>& buffer) { check(wait(begin_receive(buffer))); }
  void exchange(const std::vector<char>& out, std::vector<char>& in) {
    const ucs_status_ptr_t coming = begin_receive(in);
    send(out);
    check(wait(coming));
  }

private:
  ucs_status_ptr_t begin_send(const std::vector<char>& buffer) {
    const ucp_request_param_t none{};
    return ucp_tag_send_nbx(peer_, buffer.data(), buffer.size(), 1, &none);
  }
  ucs_status_ptr_t begin_receive(std::vector<char>& buffer) {
    const ucp_request_param_t none{};
    return ucp_tag_recv_nbx(worker_, buffer.data(), buffer.size(), 1, ~ucp_tag_t{0}, &none);
  }
  ucs_status_t wait(ucs_status_ptr_t request) {
    if(!UCS_PTR_IS_PTR(request))
      return UCS_PTR_STATUS(request);
    ucs_status_t status = UCS_INPROGRESS;
    while((status = ucp_request_check_status(request)) == UCS_INPROGRESS)
      ucp_worker_progress(worker_);
    ucp_request_free(request);
    return status;
  }

  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  ucp_ep_h peer_ = nullptr;
};

} // namespace

int main(int argc, char** argv) {
  using namespace bench::mpi;
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    const ping_pong_options o = read_ping_pong_options(argc, argv, w);
    endpoint peer(w);
    ping_pong(o, w, "UCX", peer);
  });
}
