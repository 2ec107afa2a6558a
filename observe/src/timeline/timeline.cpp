#include <rondo/timeline.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <rondo/observe/timeline/file.hpp>
#include <rondo/observe/timeline/recorder.hpp>

namespace rondo {

static_assert(timeline::usual_memory == detail::timeline_recorder::usual_memory);

struct timeline::parts {
  parts(executor& ex, std::string name, std::size_t most_memory)
      : file_name(std::move(name)), file(std::fopen(file_name.c_str(), "wbe")) {
    if(file == nullptr)
      fail();
    recorder = std::make_unique<detail::timeline_recorder>(ex, most_memory);
  }
  ~parts() {
    if(file != nullptr)
      std::fclose(file);
  }
  parts(const parts&) = delete;
  parts& operator=(const parts&) = delete;

  [[noreturn]] void fail() const {
    throw std::runtime_error(
      "rondo: the timeline can't be written to " + file_name + ": " + std::strerror(errno));
  }
  [[nodiscard]] bool write(std::span<const std::byte> bytes) const {
    return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  }

  const std::string file_name;
  std::FILE* file;
  std::unique_ptr<detail::timeline_recorder> recorder; ///< Null: it is written.
};

timeline::timeline(executor& ex, std::string file, std::size_t most_memory)
    : parts_(std::make_unique<parts>(ex, std::move(file), most_memory)) {}

void timeline::write() {
  if(parts_->recorder == nullptr)
    return;
  const auto recorder = std::exchange(parts_->recorder, nullptr);
  recorder->stop();
  detail::rank_of_timeline rank;
  rank.run_began = recorder->began();
  const bool is_written = parts_->write(block_of_run(detail::words_of_this_run())) &&
                          parts_->write(recorder->bytes(rank));
  if(std::fclose(std::exchange(parts_->file, nullptr)) != 0 || !is_written)
    parts_->fail();
}

timeline::~timeline() {
  try {
    write();
  }
  catch(const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
}

} // namespace rondo
