#include "run.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <rondo/core/executor.hpp>
#include <rondo/core/planned.hpp>
#include <rondo/observe/c_file.hpp>
#include <rondo/observe/timeline/file.hpp>
#include <rondo/observe/timeline/recorder.hpp>

#include "../choose/launcher.hpp"
#include "../failure.hpp"
#include "transport.hpp"

namespace rondo::detail::inline distributed {

namespace {

class planning {
public:
  planning() { is_only_planned = true; }
  ~planning() { is_only_planned = false; }
  planning(const planning&) = delete;
  planning& operator=(const planning&) = delete;
};

class plan_file {
public:
  explicit plan_file(const std::string& name)
      : name_(name), file_(std::fopen(name.c_str(), "wbe")) {
    if(file_ == nullptr)
      fail();
  }
  void add(std::span<const std::byte> bytes) {
    if(std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
      fail();
  }
  void close() {
    if(std::fclose(file_.release()) != 0)
      fail();
  }

private:
  [[noreturn]] void fail() const {
    throw std::runtime_error(
      "rondo: RONDO_PLAN: the plan can't be written to " + name_ + ": " + std::strerror(errno));
  }

  std::string name_;
  c_file file_;
};

/// What one rank would do.
std::vector<std::byte> plan_rank(function_ref<void(scheduler&)> body, const flow_options& options,
  transport& t, std::string& task) {
  executor ex({.workers = 1});
  timeline_recorder seen(ex);
  {
    scheduler s(ex, t, options);
    ex.run([&] {
      try {
        body(s);
        s.end_program();
        s.wait();
      }
      catch(...) {
        task = s.failed_task(std::current_exception());
        throw;
      }
    });
  }
  seen.stop();
  rank_of_timeline of;
  of.rank = t.rank();
  of.workers = t.planned_workers();
  of.run_began = seen.began();
  return seen.bytes(of);
}

/// One process plans all ranks.
void check_alone() {
  if(const auto launcher = find_launcher(); launcher && launcher->processes > 1)
    throw std::runtime_error("rondo: RONDO_PLAN: one process plans all ranks, and this one was "
                             "started as one of several (" +
                             launcher->sign + "); start the program without mpirun");
  if(const char* const observed = std::getenv("RONDO_OBSERVE");
     observed != nullptr && *observed != '\0')
    throw std::runtime_error(
      "rondo: RONDO_PLAN: tasks do not run, so there is nothing to observe; unset RONDO_OBSERVE");
}

} // namespace

int plan_program(
  function_ref<void(scheduler&)> body, const flow_options& options, const plan_wish& what) {
  const planning here;
  std::string task;
  std::unique_ptr<transport> t;
  try {
    check_alone();
    plan_file file(what.file);
    timeline words = words_of_this_run();
    words.ranks_of_run = what.ranks;
    file.add(block_of_run(words));
    for(unsigned rank = what.first; rank != what.last; ++rank) {
      t = make_planned_transport(rank, what.ranks, what.workers);
      file.add(plan_rank(body, options, *t, task));
    }
    file.close();
    return EXIT_SUCCESS;
  }
  catch(const std::exception& e) {
    if(t == nullptr)
      std::fprintf(stderr, "rondo: %s\n", without_name(e.what()).c_str());
    else
      tell_failure(*t, task, std::current_exception());
  }
  return EXIT_FAILURE;
}

} // namespace rondo::detail::inline distributed
