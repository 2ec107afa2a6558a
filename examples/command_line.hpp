#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>

// What the examples take on their command lines, read by CLI11: `--help`, and one sentence about a value
// that makes no sense, before anything is computed and before MPI begins.

class command_line {
public:
  command_line(const std::string& about, const std::string& program) : app_(about, program) {}

  /// Names as CLI11 takes them: "POINTS" is an argument, "--points" an option. The whole text has to be
  /// a number from `least` to `most`, so neither "abc" nor "1e9" is a whole one, and NaN is none.
  template<class T>
  void number(const std::string& name, T& value, T least, T most, const std::string& what) {
    std::ostringstream otherwise;
    otherwise << value;
    const auto read = [name, &value, least, most](const std::string& text) {
      T number{};
      const char* const end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, number);
      if(error != std::errc() || stop != end || !(least <= number && number <= most)) {
        std::ostringstream sentence;
        sentence << "should be a " << (T(1) / 2 == 0 ? "whole " : "") << "number from " << least
                 << " to " << most << ", not \"" << text << '"';
        throw CLI::ValidationError(name, sentence.str());
      }
      value = number;
    };
    app_.add_option_function<std::string>(name, read, what)
      ->type_name("")
      ->default_str(otherwise.str());
  }

  CLI::App& app() { return app_; }

  /// Ends the program if it is asked for help, or for what there isn't.
  void read(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    }
    catch(const CLI::ParseError& e) {
      if(e.get_exit_code() == 0)
        std::exit(app_.exit(e));
      std::fprintf(stderr, "%s: %s (see --help)\n", app_.get_name().c_str(), e.what());
      std::exit(EXIT_FAILURE);
    }
  }

private:
  CLI::App app_;
};
