#pragma once

// The command line of a program of its own:
//
//   bench::arguments args;
//   args.add("--reps", reps, "repetitions, of which the median is reported").positive();
//   args.add_flag("--both-ways", both_ways, "both ranks send at the same time");
//   if(const auto status = args.try_parse(argc, argv))
//     return *status;
//
// The parser is in arguments.cpp alone: its headers take longer to compile than all else of a program.

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

// The words are not those that a program takes, or ask for its help.
class bad_arguments : public std::runtime_error {
public:
  bad_arguments(const std::string& text, int status) : std::runtime_error(text), status_(status) {}

  // What the program has to return: 0 after its help.
  [[nodiscard]] int status() const { return status_; }
  // Help goes to stdout, and what is wrong to stderr.
  void print() const;

private:
  int status_;
};

class arguments {
  struct parser;

public:
  // What else is to be said of an option. It must not outlive the arguments.
  class option {
  public:
    option positive() const;
    option non_negative() const;
    option range(int least, int most) const; // both of which it may be
    option one_of(const std::vector<std::string>& words) const;
    option expected(int count) const;     // words that follow, for a vector
    option delimiter(char between) const; // the values of a vector in one word
    option excludes(const option& other) const;

  private:
    friend arguments;
    option(parser& of, std::size_t number) : of_(&of), number_(number) {}

    parser* of_;
    std::size_t number_;
  };

  arguments();
  ~arguments();
  arguments(const arguments&) = delete;
  arguments& operator=(const arguments&) = delete;

  // `to` keeps its value unless the option is there, and has to live until all is parsed.
  option add(const std::string& name, int& to, const std::string& help = {});
  option add(const std::string& name, unsigned& to, const std::string& help = {});
  option add(const std::string& name, std::int64_t& to, const std::string& help = {});
  option add(const std::string& name, std::uint64_t& to, const std::string& help = {});
  option add(const std::string& name, double& to, const std::string& help = {});
  option add(const std::string& name, std::string& to, const std::string& help = {});
  option add(const std::string& name, std::vector<std::int64_t>& to, const std::string& help = {});
  option add(const std::string& name, std::vector<std::uint64_t>& to, const std::string& help = {});
  option add_flag(const std::string& name, bool& to, const std::string& help = {});

  // Throws bad_arguments: for programs of which one rank prints for all.
  void parse(int argc, const char* const* argv);
  // For a main function: prints what parse() would throw, and gives what is to be returned then.
  [[nodiscard]] std::optional<int> try_parse(int argc, const char* const* argv);

private:
  std::unique_ptr<parser> parser_;
};

} // namespace bench
