#pragma once

/// \file
/// Which files are of the run to tell of, and which are of one to compare it with.

#include <optional>
#include <string>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

struct runs {
  detail::timeline run;
  std::optional<detail::timeline> before;
  std::vector<std::string> files; ///< Of `run`.
  std::string said; ///< Not empty: what the files were taken for, though nobody has said so.
};

/// The files are of one run, whose ranks have left one each. But two that have a whole run each are of two runs, the first one of that
/// before, unless `before` names another one. Throws std::runtime_error as `read_timeline` does.
runs read_runs(const std::vector<std::string>& files, const std::string& before);

} // namespace rondo::report
