#pragma once

// The line of JSON that a program of its own prints at its end, for run_programs to read:
//
//   bench::line line = {{"program", "MPI"}, {"ranks", w.size}};
//   line["residual"] = g.residual();
//   std::printf("%s\n", line.text().c_str());
//
// The library that writes JSON is in line.cpp alone: its headers take longer to compile than all else of
// a program.

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace bench {

class line {
public:
  // A number, a string or a bool. A double has the shortest text that is exact.
  class value {
  public:
    value() = default; // null, as is a double that is not finite
    value(bool x);
    value(int x);
    value(unsigned x);
    value(long x);
    value(unsigned long x);
    value(double x);
    value(const char* x);
    value(const std::string& x);

    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_ = "null";
  };

  struct entry {
    std::string name;
    value is;
  };

  line(std::initializer_list<entry> entries);

  value& operator[](const std::string& name) { return values_[name]; }

  // Without the end of the line; the names in alphabetical order.
  [[nodiscard]] std::string text() const;

private:
  std::map<std::string, value> values_;
};

// "us_per_NAME", "us_per_NAME_min", "us_per_NAME_max" and "reps", of repetitions that took so many
// microseconds and did it n times each, less what is known.
void report(
  line& to, const std::vector<double>& times, const std::string& name, double n, double known = 0);

} // namespace bench
