// What `system_file::write` gives the disk in place, and what it copies.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "output/file.hpp"
#include "output/page_memory.hpp"

namespace {

using namespace rondo::detail;
namespace fs = std::filesystem;

class file_of_test {
public:
  explicit file_of_test(const fs::path& in = fs::temp_directory_path()) {
    std::string name = (in / "rondo-file-XXXXXX").string();
    const int f = mkstemp(name.data());
    REQUIRE(f >= 0);
    close(f);
    path_ = name;
  }
  ~file_of_test() { fs::remove(path_); }
  file_of_test(const file_of_test&) = delete;
  file_of_test& operator=(const file_of_test&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::vector<char> bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

private:
  std::string path_;
};

constexpr std::size_t most = 3 * least_in_place + 2 * bytes_of_page;

std::span<const std::byte> numbers(const page_memory& m) {
  for(std::size_t i = 0; i != m.size(); ++i)
    m.begin()[i] = static_cast<std::byte>((i * i / 7 + i) % 251 + 1);
  return {m.begin(), m.size()};
}

} // namespace

TEST_CASE("a piece of a file is written where it belongs, wherever in a page it begins and ends") {
  const page_memory memory(most);
  const std::span<const std::byte> all = numbers(memory);
  const std::size_t begin = GENERATE(
    std::size_t{0}, std::size_t{8}, bytes_of_page - 1, bytes_of_page, 3 * bytes_of_page + 5);
  const std::size_t length = GENERATE(least_in_place - 1, least_in_place, least_in_place + 1,
    least_in_place + bytes_of_page - 8, 2 * least_in_place + 4000);
  const std::size_t shift = GENERATE(std::size_t{0}, std::size_t{8}); // in memory, against the file
  const std::span<const std::byte> piece = all.subspan(begin + shift, length);
  const file_of_test there;
  {
    system_file f(there.path(), system_file::mode::write);
    f.set_size(most);
    f.write(piece, begin);
    f.finish();
  }
  std::vector<char> expected(most);
  std::transform(piece.begin(), piece.end(), expected.begin() + static_cast<std::ptrdiff_t>(begin),
    [](std::byte b) { return static_cast<char>(b); });
  CHECK(there.bytes() == expected);
}

TEST_CASE("pieces that share a page of a file are both there") {
  const page_memory memory(most);
  const std::span<const std::byte> all = numbers(memory);
  const std::size_t middle = least_in_place + 1000;
  const file_of_test there;
  system_file one(there.path(), system_file::mode::write);
  system_file other(there.path(), system_file::mode::write);
  one.set_size(most);
  one.write(all.first(middle), 0);
  other.write(all.subspan(middle), middle);
  one.finish();
  other.finish();
  std::vector<char> expected;
  for(const std::byte b : all)
    expected.push_back(static_cast<char>(b));
  CHECK(there.bytes() == expected);
}

TEST_CASE("where a file system writes nothing in place, files are the same") {
  const page_memory memory(most);
  const std::span<const std::byte> all = numbers(memory);
  if(!fs::exists("/dev/shm"))
    return;
  const file_of_test there("/dev/shm"); // refuses it, or does so, as the kernel is old or new
  system_file f(there.path(), system_file::mode::write);
  f.write(all, 0);
  f.finish();
  CHECK(there.bytes().size() == most);
  CHECK(static_cast<std::byte>(there.bytes()[most - 1]) == all[most - 1]);
}

TEST_CASE("a disk that is full in the middle of a piece says so") {
  const page_memory memory(most);
  const std::span<const std::byte> all = numbers(memory);
  const file_of_test there;
  const system_file f(there.path(), system_file::mode::write);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit little{2 * least_in_place, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  std::string why;
  try {
    f.write(all, 0);
  }
  catch(const std::exception& e) {
    why = e.what();
  }
  setrlimit(RLIMIT_FSIZE, &limit);
  CHECK(why.find("can't write '" + there.path()) != std::string::npos);
}

TEST_CASE("memory for the disk begins a page, a large one where there is room for one") {
  const std::size_t large = std::size_t{1} << 21U;
  const std::size_t bytes =
    GENERATE(std::size_t{1}, bytes_of_page, std::size_t{1} << 21U, (std::size_t{5} << 20U) + 3);
  const page_memory m(bytes);
  CHECK(reinterpret_cast<std::uintptr_t>(m.begin()) % (bytes < large ? bytes_of_page : large) == 0);
  std::fill_n(m.begin(), bytes, std::byte{1});
  CHECK(m.begin()[bytes - 1] == std::byte{1});
  CHECK(page_memory(0).size() == 0);
}
