// Ranks in one process.

#include <cstdio>
#include <cstdlib>

#include <rondo/distributed/transports.hpp>

#include "../choose/factories.hpp"
#include "../mismatch.hpp"
#include "channels.hpp"

namespace rondo {

namespace {

class local_transport final : public transport {
public:
  local_transport(std::shared_ptr<detail::local_channels> channels, unsigned rank, unsigned ranks)
      : channels_(std::move(channels)), inbox_(channels_->inbox(rank)), rank_(rank), ranks_(ranks) {
  }

  [[nodiscard]] const char* name() const override { return ranks_ == 1 ? "solo" : "local"; }
  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned ranks() const override { return ranks_; }

  std::unique_ptr<message> make_sender(
    unsigned to, std::uint32_t channel, std::span<const std::byte> from, completion done) override {
    detail::check_rank(*this, to, "to");
    return channels_->make_sender(*this, {rank_, to, channel}, from, done);
  }

  std::unique_ptr<message> make_receiver(
    unsigned from, std::uint32_t channel, std::span<std::byte> into, completion done) override {
    detail::check_rank(*this, from, "from");
    return channels_->make_receiver(*this, {from, rank_, channel}, into, done);
  }

  bool poll() override { return inbox_.poll(); }
  [[nodiscard]] bool is_sending() const override { return inbox_.is_sending(); }

  void start_meeting() override { meeting_ = channels_->join_meeting(); }
  bool has_met() override { return channels_->is_over(meeting_); }

  communicator mpi() override {
    if(ranks_ != 1)
      return transport::mpi();
    if(mpi_ == nullptr)
      mpi_ = detail::begin_mpi_alone();
    return mpi_->mpi();
  }

  void abort(int exit_code) override {
    std::fflush(nullptr);
    std::_Exit(exit_code); // other threads run on: nothing may be destroyed
  }

private:
  std::shared_ptr<detail::local_channels> channels_; ///< Of all ranks.
  detail::local_inbox& inbox_;
  unsigned rank_;
  unsigned ranks_;
  std::size_t meeting_ = 0;
  std::unique_ptr<detail::lone_mpi> mpi_; ///< If somebody has asked.
};

} // namespace

std::vector<std::unique_ptr<transport>> make_local_transports(unsigned n) {
  const auto channels = std::make_shared<detail::local_channels>(n);
  std::vector<std::unique_ptr<transport>> all;
  all.reserve(n);
  for(unsigned i = 0; i != n; ++i)
    all.push_back(std::make_unique<local_transport>(channels, i, n));
  return all;
}

} // namespace rondo
