#include "socket.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace rondo::detail::inline distributed {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct interface_address {
  std::uint32_t address;
  std::uint32_t mask;
  bool is_loopback;
};

std::vector<interface_address> own_addresses() {
  std::vector<interface_address> all;
  ifaddrs* first = nullptr;
  if(getifaddrs(&first) != 0)
    return all;
  for(const ifaddrs* i = first; i != nullptr; i = i->ifa_next) {
    if(i->ifa_addr == nullptr || i->ifa_netmask == nullptr || i->ifa_addr->sa_family != AF_INET ||
       (i->ifa_flags & IFF_UP) == 0)
      continue;
    sockaddr_in address{};
    sockaddr_in mask{};
    std::memcpy(&address, i->ifa_addr, sizeof(address));
    std::memcpy(&mask, i->ifa_netmask, sizeof(mask));
    all.push_back(
      {address.sin_addr.s_addr, mask.sin_addr.s_addr, (i->ifa_flags & IFF_LOOPBACK) != 0});
  }
  freeifaddrs(first);
  return all;
}

/// Returns false if that has not come before the time is over.
bool wait_for(int descriptor, short what, milliseconds time) {
  const auto end = steady_clock::now() + time;
  for(;;) {
    const auto left =
      std::chrono::duration_cast<milliseconds>(end - steady_clock::now()) + milliseconds(1);
    pollfd p{descriptor, what, 0};
    const int n = poll(&p, 1, int(std::max<milliseconds::rep>(0, left.count())));
    if(n > 0)
      return true;
    if(n == 0 || errno != EINTR)
      return false;
  }
}

bool send_token(int descriptor, std::uint64_t token) {
  return send(descriptor, &token, sizeof(token), MSG_NOSIGNAL) == ssize_t(sizeof(token));
}

bool receive_token(int descriptor, std::uint64_t token, milliseconds time) {
  std::array<std::byte, sizeof(token)> bytes{};
  std::size_t n = 0;
  while(n != bytes.size()) {
    if(!wait_for(descriptor, POLLIN, time))
      return false;
    const ssize_t got = recv(descriptor, bytes.data() + n, bytes.size() - n, 0);
    if(got <= 0)
      return false;
    n += std::size_t(got);
  }
  std::uint64_t received = 0;
  std::memcpy(&received, bytes.data(), sizeof(received));
  return received == token;
}

} // namespace

open_socket::~open_socket() {
  if(descriptor_ != -1)
    close(descriptor_);
}

open_socket& open_socket::operator=(open_socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

listener::listener() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  sockaddr_in any{}; // all addresses, and a port that the system chooses
  any.sin_family = AF_INET;
  socklen_t size = sizeof(any);
  if(!socket_.is_open() ||
     bind(socket_.get(), reinterpret_cast<const sockaddr*>(&any), sizeof(any)) != 0 ||
     listen(socket_.get(), 16) != 0 ||
     getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&any), &size) != 0)
    return;
  where_.port = ntohs(any.sin_port);
  std::random_device random;
  where_.token = (std::uint64_t{random()} << 32U) | random();
  auto own = own_addresses();
  std::stable_partition(own.begin(), own.end(), [](const auto& a) { return !a.is_loopback; });
  for(const auto& a : own)
    if(where_.count != endpoint::most_addresses)
      where_.addresses[where_.count++] = a.address;
}

open_socket listener::accept() {
  constexpr milliseconds most{200}; // it was sent before we look
  open_socket last;
  while(socket_.is_open()) {
    open_socket s(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if(!s.is_open())
      break;
    if(receive_token(s.get(), where_.token, most) && send_token(s.get(), where_.token))
      last = std::move(s);
  }
  return last;
}

std::vector<std::uint32_t> likely_addresses(const endpoint& there) {
  const auto own = own_addresses();
  const auto rank_of = [&](std::uint32_t address) {
    const bool is_loopback = (ntohl(address) >> 24U) == 127;
    const auto is_own = [&](const auto& o) { return o.address == address; };
    if(std::any_of(own.begin(), own.end(), is_own))
      return is_loopback ? 2 : 0;
    const auto is_near = [&](const auto& o) {
      return !o.is_loopback && (o.address & o.mask) == (address & o.mask);
    };
    return std::any_of(own.begin(), own.end(), is_near) ? 1 : 3;
  };
  std::vector<std::uint32_t> all(there.addresses.begin(), there.addresses.begin() + there.count);
  std::stable_sort(all.begin(), all.end(), [&](auto a, auto b) { return rank_of(a) < rank_of(b); });
  return all;
}

open_socket connect_to(const endpoint& there, std::uint32_t address, milliseconds time) {
  open_socket s(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(std::uint16_t(there.port));
  to.sin_addr.s_addr = address;
  if(!s.is_open())
    return {};
  if(connect(s.get(), reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0) {
    if(errno != EINPROGRESS || !wait_for(s.get(), POLLOUT, time))
      return {};
    int error = 0;
    socklen_t size = sizeof(error);
    if(getsockopt(s.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0)
      return {};
  }
  if(!send_token(s.get(), there.token))
    return {};
  return s;
}

bool is_answered(const open_socket& s, std::uint64_t token, milliseconds time) {
  return receive_token(s.get(), token, time);
}

void keep_alive(const open_socket& s) {
  // Asks after 4 s of silence, then each second; 4 times without an answer are the end.
  const auto set = [&](int level, int option, int value) {
    setsockopt(s.get(), level, option, &value, sizeof(value));
  };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 4);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 1);
  set(IPPROTO_TCP, TCP_KEEPCNT, 4);
  set(IPPROTO_TCP, TCP_NODELAY, 1);
}

} // namespace rondo::detail::inline distributed
