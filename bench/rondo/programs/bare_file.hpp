#pragma once

// The least that files beside a loop cost: a thread which writes the same bytes, from memory where they are already, by one call
// that copies nothing, waits until the disk has them, and gives the file its name. What a loop loses beside it no library can give back.

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace bench::programs {

class bare_file {
public:
  // A file of its own for each rank, of so many bytes at least.
  bare_file(const std::string& path, std::size_t bytes) : path_(path), bytes_(round(bytes)) {
    void* const all =
      mmap(nullptr, bytes_ + large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if(all == MAP_FAILED)
      throw std::bad_alloc();
    memory_ = static_cast<char*>(all) + (large - reinterpret_cast<std::uintptr_t>(all) % large);
    madvise(memory_, bytes_, MADV_HUGEPAGE);
    std::memset(memory_, 1, bytes_);
    writer_ = std::thread([this] { run(); });
  }
  ~bare_file() {
    ends_ = true;
    begin();
    writer_.join();
    unlink(path_.c_str());
  }
  bare_file(const bare_file&) = delete;
  bare_file& operator=(const bare_file&) = delete;

  // One more.
  void begin() {
    begun_.fetch_add(1);
    begun_.notify_one();
  }
  // All are complete.
  void wait() {
    for(std::uint64_t n = written_.load(); n != begun_.load(); n = written_.load())
      written_.wait(n);
  }

private:
  static constexpr std::size_t large = std::size_t{1} << 21U;
  static std::size_t round(std::size_t n) { return (n + large - 1) / large * large; }

  void run() {
    for(;;) {
      begun_.wait(written_.load());
      if(ends_)
        return;
      const int before = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
      write();
      written_.fetch_add(1);
      written_.notify_all();
      if(before >= 0)
        close(before); // with it the disk takes the room of the file before back
    }
  }
  void write() {
    const std::string part = path_ + ".part";
    const int f = open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_DIRECT | O_CLOEXEC, 0666);
    bool is_good = f >= 0 && ftruncate(f, static_cast<off_t>(bytes_)) == 0;
    for(std::size_t done = 0; is_good && done != bytes_;) {
      const ssize_t n = pwrite(f, memory_ + done, bytes_ - done, static_cast<off_t>(done));
      is_good = n > 0;
      done += is_good ? static_cast<std::size_t>(n) : 0;
    }
    is_good = is_good && fsync(f) == 0;
    is_good = f >= 0 && close(f) == 0 && is_good;
    is_good = is_good && std::rename(part.c_str(), path_.c_str()) == 0;
    if(!is_good)
      std::fprintf(stderr, "%s: %s\n", path_.c_str(), std::strerror(errno));
  }

  std::string path_;
  std::size_t bytes_;
  char* memory_ = nullptr;
  std::atomic<std::uint64_t> begun_{0}, written_{0};
  std::atomic<bool> ends_{false};
  std::thread writer_;
};

} // namespace bench::programs
