#pragma once

/// \file
/// For tests of how programs end: what becomes of a process that does something.

#include <csignal>
#include <cstdio>
#include <string>

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct death {
  int signal;       ///< 0 if it ended by itself.
  int code;         ///< Then.
  std::string text; ///< What it wrote to stderr.
};

/// What becomes of a process that does this, with no handler of signals at first.
template<class F>
death process_that(F&& f) {
  std::fflush(nullptr); // or the child may write it as well
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if(child == 0) {
    std::signal(SIGSEGV, SIG_DFL); // Catch has one
    dup2(ends[1], STDERR_FILENO);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    f();
    _exit(0);
  }
  close(ends[1]);
  death how{0, 0, {}};
  char part[512];
  for(ssize_t n = 0; (n = read(ends[0], part, sizeof part)) > 0;)
    how.text.append(part, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if(WIFSIGNALED(status))
    how.signal = WTERMSIG(status);
  else
    how.code = WEXITSTATUS(status);
  return how;
}

inline bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}
