// What is said if a process may not open enough files.

#include "open_files.hpp"

#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../process_that.hpp"

using namespace rondo::detail;

namespace {

/// As many as it may open.
unsigned open_all() {
  unsigned n = 0;
  while(open("/dev/null", O_RDONLY | O_CLOEXEC) != -1)
    ++n;
  return n;
}

void allow(rlim_t files) {
  const rlimit few{files, files};
  setrlimit(RLIMIT_NOFILE, &few);
}

} // namespace

TEST_CASE("files that may still be opened are counted, and none is opened") {
  const death how = process_that([] {
    allow(200); // more than are looked at in one go
    const unsigned left = files_left(1000);
    close(open("/dev/null", O_RDONLY));
    if(files_left(1000) != left || files_left(3) != 3 || left == 0)
      _exit(1);
    if(open_all() != left || files_left(1000) != 0)
      _exit(2);
    close(STDIN_FILENO);
    _exit(files_left(1000) == 1 ? 0 : 3);
  });
  CHECK(how.signal == 0);
  CHECK(how.code == 0);
}

TEST_CASE("descriptors above the limit, which was lowered later, don't count") {
  const death how = process_that([] {
    open_all();
    allow(16);
    const bool none = files_left(10) == 0;
    close(7);
    _exit(none && files_left(10) == 1 ? 0 : 1);
  });
  CHECK(how.signal == 0);
  CHECK(how.code == 0);
}

TEST_CASE("the message says what is needed, what there is, and what to do") {
  const death how = process_that([] {
    allow(64);
    open_all();
    close(7);
    close(8);
    dprintf(
      STDERR_FILENO, "%s\n%s\n", too_few_files("the test", 5).c_str(), if_out_of_files().c_str());
  });
  CHECK(has(how.text,
    "rondo: the test needs 5 open files and sockets, but this process may open only 2 more "
    "(its limit is 64): raise the limit"));
  CHECK(has(how.text, "ulimit -n 1024"));
  CHECK(has(
    how.text, "; this process may open only 2 more files and sockets, which may be the reason"));
}

TEST_CASE("where there are enough files nobody speaks of them") {
  const death how = process_that([] {
    allow(200);
    _exit(if_out_of_files().empty() ? 0 : 1);
  });
  CHECK(how.code == 0);
}
