#include "harness/child.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/core.h>

extern char** environ;

namespace bench {

namespace {

std::string read_all(int fd) {
  std::string text;
  char part[4096];
  for(ssize_t n; (n = read(fd, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(n));
  return text;
}

// A line is "metric <tab> unit <tab> value", or "error <tab> text".
child_result parse(const std::string& text) {
  child_result r;
  std::istringstream lines(text);
  for(std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    measurement m;
    std::string value;
    if(!std::getline(fields, m.metric, '\t') || !std::getline(fields, m.unit, '\t'))
      continue;
    if(m.metric == "error")
      r.error = m.unit;
    else if(std::getline(fields, value)) {
      m.value = std::stod(value);
      r.values.push_back(std::move(m));
    }
  }
  return r;
}

std::string verdict(int status, unsigned limit_seconds) {
  if(WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM ? fmt::format("did not finish within {} s", limit_seconds)
                                       : fmt::format("ended by signal {} ({})", WTERMSIG(status),
                                           strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status) == 0 ? std::string()
                                  : fmt::format("exit code {}", WEXITSTATUS(status));
}

} // namespace

child_result run_child(const entry& e, const context& c, unsigned limit_seconds) {
  int ends[2];
  if(pipe(ends) != 0)
    return {{}, "no pipe for the child process"};

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);

  std::vector<std::string> words = {"bench", "--limit", std::to_string(limit_seconds)};
  if(c.quick)
    words.push_back("--quick");
  for(const auto& w : {std::string("--one"), e.test, e.system, std::to_string(c.workers)})
    words.push_back(w);
  std::vector<char*> argv;
  for(auto& w : words)
    argv.push_back(w.data());
  argv.push_back(nullptr);

  pid_t pid = 0;
  const int failed = posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if(failed != 0) {
    close(ends[0]);
    return {{}, fmt::format("cannot start the child process: {}", std::strerror(failed))};
  }

  auto r = parse(read_all(ends[0]));
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  if(r.error.empty())
    r.error = verdict(status, limit_seconds);
  if(r.error.empty() && r.values.empty())
    r.error = "printed no figures";
  return r;
}

int be_child(
  const std::string& test, const std::string& system, const context& c, unsigned limit_seconds) {
  const auto& all = entries();
  const auto e = std::find_if(
    all.begin(), all.end(), [&](const entry& x) { return x.test == test && x.system == system; });
  if(e == all.end()) {
    fmt::print("error\tno case '{}' for '{}' in this executable\n", test, system);
    return 2;
  }
  alarm(limit_seconds); // a peer that hangs costs one row, not the run
  try {
    for(const auto& m : e->run(c))
      fmt::print("{}\t{}\t{:.17g}\n", m.metric, m.unit, m.value);
  }
  catch(const std::exception& x) {
    fmt::print("error\t{}\n", x.what());
    return 1;
  }
  std::fflush(stdout);
  return 0;
}

} // namespace bench
