#include "runs.hpp"

#include <exception>
#include <utility>

#include <rondo/observe/timeline/file.hpp>

namespace rondo::report {

namespace {

/// The file, if it has all ranks of its run.
std::optional<detail::timeline> whole_run_in(const std::string& file) {
  try {
    detail::timeline t = detail::read_timeline(file);
    if(!t.program.empty() && t.ranks.size() == t.ranks_of_run)
      return t;
  }
  catch(const std::exception&) { // whoever reads all files says what is wrong with one
  }
  return {};
}

} // namespace

runs read_runs(const std::vector<std::string>& files, const std::string& before) {
  if(before.empty() && files.size() == 2)
    if(auto first = whole_run_in(files[0]))
      if(auto second = whole_run_in(files[1]))
        return {.run = std::move(*second),
          .before = std::move(first),
          .files = {files[1]},
          .said = "each file has a whole run: " + files[1] + " is compared with " + files[0] +
                  ", the run before"};
  runs all{.run = detail::read_timeline(files), .before = {}, .files = files, .said = {}};
  if(!before.empty())
    all.before = detail::read_timeline(before);
  return all;
}

} // namespace rondo::report
