#pragma once

/// \file
/// TCP between processes that hardly ever have anything to say to each other.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo::detail::inline distributed {

/// A descriptor of the system, closed at the end; -1 is none.
class open_socket {
public:
  open_socket() = default;
  explicit open_socket(int descriptor) : descriptor_(descriptor) {}
  ~open_socket();
  open_socket(open_socket&& other) noexcept : descriptor_(other.descriptor_) {
    other.descriptor_ = -1;
  }
  open_socket& operator=(open_socket&& other) noexcept;

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ != -1; }

private:
  int descriptor_ = -1;
};

/// Where a process of some node can be reached. It may have addresses that lead to other
/// nodes when they are used there (those of containers, say): so who connects has to be told the token back.
struct endpoint {
  static constexpr std::size_t most_addresses = 8;
  std::uint64_t token;
  std::uint32_t count; ///< Of addresses; 0: it can't be reached.
  std::uint32_t port;
  std::array<std::uint32_t, most_addresses> addresses; ///< IPv4, as sent.
};

/// Takes connections from anywhere, or from nowhere if the system refuses that.
class listener {
public:
  listener();
  [[nodiscard]] const endpoint& where() const { return where_; }
  /// The last one that has come and knows the token, which it is told back; not open if there is none.
  [[nodiscard]] open_socket accept();

private:
  open_socket socket_;
  endpoint where_{};
};

/// The addresses of `there`, the likeliest first: what this node has, too, is the same node or
/// leads astray, and what is in the same network as this node is near.
std::vector<std::uint32_t> likely_addresses(const endpoint& there);

/// Tells the token. Not open if nobody has answered in time.
open_socket connect_to(
  const endpoint& there, std::uint32_t address, std::chrono::milliseconds time);
/// Whether `listener::accept` on the other side has told the token back in time.
bool is_answered(const open_socket& s, std::uint64_t token, std::chrono::milliseconds time);

/// The system notices within some seconds that the other node is gone, without a word, though nothing is sent.
void keep_alive(const open_socket& s);

} // namespace rondo::detail::inline distributed
