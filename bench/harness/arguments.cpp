#include "harness/arguments.hpp"

#include <cstdio>
#include <sstream>

#include <CLI/CLI.hpp>

namespace bench {

struct arguments::parser {
  CLI::App app;
  std::vector<CLI::Option*> options;

  std::size_t keep(CLI::Option* option) {
    options.push_back(option);
    return options.size() - 1;
  }
  template<class T>
  std::size_t add(const std::string& name, T& to, const std::string& help) {
    return keep(app.add_option(name, to, help));
  }
};

void bad_arguments::print() const { std::fputs(what(), status_ == 0 ? stdout : stderr); }

arguments::option arguments::option::positive() const {
  of_->options[number_]->check(CLI::PositiveNumber);
  return *this;
}
arguments::option arguments::option::non_negative() const {
  of_->options[number_]->check(CLI::NonNegativeNumber);
  return *this;
}
arguments::option arguments::option::range(int least, int most) const {
  of_->options[number_]->check(CLI::Range(least, most));
  return *this;
}
arguments::option arguments::option::one_of(const std::vector<std::string>& words) const {
  of_->options[number_]->check(CLI::IsMember(words));
  return *this;
}
arguments::option arguments::option::expected(int count) const {
  of_->options[number_]->expected(count);
  return *this;
}
arguments::option arguments::option::delimiter(char between) const {
  of_->options[number_]->delimiter(between);
  return *this;
}
arguments::option arguments::option::excludes(const option& other) const {
  of_->options[number_]->excludes(other.of_->options[other.number_]);
  return *this;
}

arguments::arguments() : parser_(std::make_unique<parser>()) {}
arguments::~arguments() = default;

arguments::option arguments::add(const std::string& name, int& to, const std::string& help) {
  return {*parser_, parser_->add(name, to, help)};
}
arguments::option arguments::add(const std::string& name, unsigned& to, const std::string& help) {
  return {*parser_, parser_->add(name, to, help)};
}
arguments::option arguments::add(
  const std::string& name, std::int64_t& to, const std::string& help) {
  return {*parser_, parser_->add(name, to, help)};
}
arguments::option arguments::add(
  const std::string& name, std::uint64_t& to, const std::string& help) {
  return {*parser_, parser_->add(name, to, help)};
}
arguments::option arguments::add(const std::string& name, double& to, const std::string& help) {
  return {*parser_, parser_->add(name, to, help)};
}
arguments::option arguments::add(
  const std::string& name, std::string& to, const std::string& help) {
  return {*parser_, parser_->add(name, to, help)};
}
arguments::option arguments::add(
  const std::string& name, std::vector<std::int64_t>& to, const std::string& help) {
  return {*parser_, parser_->add(name, to, help)};
}
arguments::option arguments::add(
  const std::string& name, std::vector<std::uint64_t>& to, const std::string& help) {
  return {*parser_, parser_->add(name, to, help)};
}
arguments::option arguments::add_flag(const std::string& name, bool& to, const std::string& help) {
  return {*parser_, parser_->keep(parser_->app.add_flag(name, to, help))};
}

void arguments::parse(int argc, const char* const* argv) {
  try {
    parser_->app.parse(argc, argv);
  }
  catch(const CLI::ParseError& e) {
    std::ostringstream text;
    const int status = parser_->app.exit(e, text, text);
    throw bad_arguments(text.str(), status);
  }
}

std::optional<int> arguments::try_parse(int argc, const char* const* argv) {
  try {
    parse(argc, argv);
    return {};
  }
  catch(const bad_arguments& e) {
    e.print();
    return e.status();
  }
}

} // namespace bench
