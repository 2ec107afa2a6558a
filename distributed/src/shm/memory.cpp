#include "memory.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../open_files.hpp"
#include "../timespec_of.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// Pages of their own: they are there only if somebody uses them, on the node of who does so first.
constexpr std::size_t page = 4096;
constexpr std::size_t pipe_size = (sizeof(pipe_memory) + page - 1) / page * page;

/// What is before the pipes: how many are there, and their bells.
struct beginning {
  alignas(2 * pipe_memory::line) std::atomic<std::uint32_t> present;
};
std::size_t size_of_beginning(unsigned ranks) {
  return (sizeof(beginning) + ranks * sizeof(bell) + page - 1) / page * page;
}

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error("rondo: no memory can be shared by the ranks of this node: " + what +
                           ": " + std::strerror(errno) + "; RONDO_TRANSPORT=mpi does without" +
                           if_out_of_files());
}

} // namespace

void bell::wake() {
  // A rank that sleeps may be waiting for several: only the first one calls the kernel.
  if(sleeps.exchange(0, std::memory_order_seq_cst) != 0)
    syscall(SYS_futex, &sleeps, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void bell::sleep(std::chrono::nanoseconds most) {
  const timespec time = timespec_of(most);
  // The caller looks, for whatever reason it ends.
  syscall(SYS_futex, &sleeps, FUTEX_WAIT, 1, &time, nullptr, 0);
  cancel();
}

node_memory::node_memory(unsigned ranks)
    : ranks_(ranks), descriptor_(memfd_create("rondo", MFD_CLOEXEC)) {
  if(descriptor_ == -1)
    fail("memfd_create");
  if(ftruncate(descriptor_, off_t(size())) != 0) {
    close(descriptor_);
    fail("ftruncate");
  }
  map();
}

node_memory::node_memory(unsigned ranks, int process, int descriptor) : ranks_(ranks) {
  const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
  descriptor_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if(descriptor_ == -1)
    fail(path);
  // In another namespace that process may be somebody else.
  struct stat what {};
  if(fstat(descriptor_, &what) != 0 || std::size_t(what.st_size) != size()) {
    close(descriptor_);
    errno = EINVAL;
    fail(path);
  }
  map();
}

node_memory::~node_memory() {
  munmap(begin_, size());
  close(descriptor_);
}

void node_memory::map() {
  void* const at = mmap(nullptr, size(), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if(at == MAP_FAILED) { // NOLINT: a macro of the system
    close(descriptor_);
    fail("mmap");
  }
  begin_ = static_cast<std::byte*>(at);
  madvise(at, size(), MADV_DONTDUMP); // gigabytes, nearly all of which nobody uses
  reinterpret_cast<beginning*>(begin_)->present.fetch_add(1, std::memory_order_relaxed);
}

std::size_t node_memory::size() const { return begin_to_lend(ranks_); }

std::uint64_t node_memory::begin_to_lend(unsigned rank) const {
  return size_of_beginning(ranks_) + std::size_t{ranks_} * ranks_ * pipe_size +
         std::size_t{rank} * to_lend;
}

// A pipe, or a bell, is all zero at first: nobody has to make it, and nobody has to wait until it is made.

pipe_memory& node_memory::pipe(unsigned from, unsigned to) const {
  return *reinterpret_cast<pipe_memory*>(
    begin_ + size_of_beginning(ranks_) + (std::size_t{to} * ranks_ + from) * pipe_size);
}

bell& node_memory::bell_of(unsigned rank) const {
  return reinterpret_cast<bell*>(begin_ + sizeof(beginning))[rank];
}

unsigned node_memory::present() const {
  return reinterpret_cast<const beginning*>(begin_)->present.load(std::memory_order_relaxed);
}

} // namespace rondo::detail::inline distributed
