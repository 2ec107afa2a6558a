#pragma once

/// \file
/// Ranks that make something together before tasks use it: a mesh, say. All of them call the same, in the same order, and wait for
/// each other; so this is for the set-up of a program, and not for its loops. If a rank does something else meanwhile, that is told as of launches.
///
/// \code
///   team all(s);                                            // the ranks of a scheduler
///   std::vector<std::vector<std::int64_t>> out(all.ranks());
///   out[static_cast<unsigned>(id) % all.ranks()].push_back(id);
///   const std::vector<std::vector<std::int64_t>> in = all.swap_mail(out);   // from each rank
///   std::array<std::int64_t, 2> counts = {cells, corners};
///   all.add_up(counts);                                     // over all ranks
/// \endcode
///
/// Data travel in log2(ranks) steps, each with one message to one rank and one from one rank, however many ranks have something for
/// each other; what goes far is handed on. Of two ranks each sends what it has for the other one.
///
/// A program that is only planned (RONDO_PLAN) has no other ranks: there a team is one rank, which makes all of it.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace rondo {

class scheduler;
class transport;

namespace detail::inline distributed {

class message_poller;
struct polled_transport;

class team {
public:
  /// Bytes that a rank has for each rank, or has got from each.
  using mail = std::vector<std::vector<std::byte>>;

  explicit team(scheduler& s);
  explicit team(transport& t);
  /// One rank.
  team() = default;

  [[nodiscard]] unsigned rank() const { return rank_; }
  [[nodiscard]] unsigned ranks() const { return ranks_; }

  /// `out[r]` goes to rank r; returns what each rank has sent here.
  mail swap_mail(mail out);
  /// The same of values.
  template<class T>
  std::vector<std::vector<T>> swap_mail(std::vector<std::vector<T>> out);
  /// Between ranks that know of each other: returns what each rank of `from` has sent here, in that order. Sent at once, and to nobody else,
  /// so it is for few ranks, or much.
  struct letter_to {
    unsigned rank;
    std::vector<std::byte> text;
  };
  std::vector<std::vector<std::byte>> swap_letters(
    std::vector<letter_to> out, std::span<const unsigned> from);
  /// Each becomes its sum over all ranks; these have as many.
  void add_up(std::span<std::int64_t> values);
  /// Each becomes the least one of all ranks.
  void take_least(std::span<double> values);
  /// The sum of what ranks before this one have.
  [[nodiscard]] std::int64_t before(std::int64_t own);

private:
  /// Of a team of several.
  [[nodiscard]] polled_transport members() const;
  /// Rank 0 folds, in log2(ranks) steps, and tells; so all have the same bits.
  template<class T, class F>
  void fold_all(std::span<T> values, const F& fold);

  transport* over_ = nullptr;        ///< Null of a team of one rank.
  message_poller* poller_ = nullptr; ///< Of the scheduler: looks whether all ranks do the same.
  unsigned rank_ = 0;
  unsigned ranks_ = 1;
};

// Memory is given back as soon as may be: meshes are large.
template<class T>
std::vector<std::vector<T>> team::swap_mail(std::vector<std::vector<T>> out) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::vector<T>> in(out.size());
  in[rank_] = std::move(out[rank_]);
  mail bytes(out.size());
  for(std::size_t r = 0; r != out.size(); ++r) {
    const auto from = std::as_bytes(std::span(out[r]));
    if(r != rank_)
      bytes[r].assign(from.begin(), from.end());
    out[r] = {};
  }
  bytes = swap_mail(std::move(bytes));
  for(std::size_t r = 0; r != in.size(); ++r)
    if(!bytes[r].empty()) {
      in[r].resize(bytes[r].size() / sizeof(T));
      std::memcpy(in[r].data(), bytes[r].data(), bytes[r].size());
      bytes[r] = {};
    }
  return in;
}

} // namespace detail::inline distributed

/// For a cut of the program's own: docs/unstructured.md.
namespace topo {
using detail::team;
}

} // namespace rondo
