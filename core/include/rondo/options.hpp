#pragma once

/// \file
/// Options of a program on its command line.
///
/// \code
///   #include <rondo/options.hpp>
///
///   int main(int argc, char** argv) {
///     rondo::options o{"Heat in a plate."};
///     const auto size = o.add("size", std::array{512, 512}, "points along each side").at_least(3);
///     const auto steps = o.add("steps", 1000, "how many").at_least(0);
///     const auto scheme = o.add("scheme", "implicit", "how time goes on").one_of({"implicit", "explicit"});
///     const auto hot = o.flag("hot", "begin with a hot edge");
///     o.parse(argc, argv);
///
///     return rondo::run(argc, argv, [&](rondo::scheduler& s) { simulate(s, *size, *steps, *scheme, *hot); });
///   }
/// \endcode
///
///     mpirun -np 4 ./heat --size 2048,1024 --steps=200 --hot --rondo-workers 2
///
/// `parse` comes before `run`. `--help` prints all options with their values if not given, and ends the program. What makes no sense (an
/// option that isn't there, "1e4" for a whole number, a number out of range) ends it with a sentence and exit code 2. All ranks do
/// the same, and only the first one prints.
///
/// Rondo's environment variables (docs/configuration.md) are options of the program as well: `--rondo-workers 2` is
/// RONDO_WORKERS=2, and goes before that.
///
/// This header is not part of <rondo/rondo.hpp>: many programs have a type called `options` of their own.

#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rondo/core/option_value.hpp>

namespace rondo {

/// What the command line says: a value after `options::parse`, and until then a promise. Copies are the same option.
template<class T>
class option {
public:
  using element = detail::option_element<T>;

  /// Throws std::logic_error before `options::parse`.
  const T& operator*() const {
    value_->check_use();
    return *value_->at;
  }
  const T* operator->() const { return &**this; }
  operator const T&() const { return **this; }

  /// Whether it was on the command line.
  [[nodiscard]] bool given() const { return value_->given; }

  // What values make sense; of arrays and vectors each element.
  option at_least(element x) const {
    value_->limit.least = x;
    return *this;
  }
  option at_most(element x) const {
    value_->limit.most = x;
    return *this;
  }
  option between(element least, element most) const { return at_least(least).at_most(most); }
  option more_than(element x) const {
    value_->limit.above = x;
    return *this;
  }
  option one_of(std::initializer_list<element> choices) const {
    value_->limit.choices.assign(choices.begin(), choices.end());
    return *this;
  }

private:
  friend class options;
  explicit option(std::shared_ptr<detail::option_value<T>> value) : value_(std::move(value)) {}

  std::shared_ptr<detail::option_value<T>> value_;
};

class options {
public:
  /// What the program is about, for `--help`.
  explicit options(std::string about);
  options(options&&) noexcept;
  options& operator=(options&&) noexcept;
  ~options();

  /// `--name VALUE` or `--name=VALUE`. T is a number, a std::string, an array of these (`--size 512,512`, or `512x512`; a single
  /// number is for all of them) or a vector (`--levels 1,2,4`).
  template<class T>
  option<T> add(std::string name, T otherwise, std::string what) {
    return keep<T>({std::move(name), std::move(what), {}}, std::move(otherwise));
  }
  option<std::string> add(std::string name, const char* otherwise, std::string what) {
    return add<std::string>(std::move(name), otherwise, std::move(what));
  }
  /// Into a variable of the program; what it has before is the value if not given.
  template<class T>
  option<T> add(std::string name, T* variable, std::string what) {
    return keep<T>({std::move(name), std::move(what), {}}, variable);
  }
  /// Has to be given: `o.add<double>("dt", "time step")`.
  template<class T>
  option<T> add(std::string name, std::string what) {
    return keep<T>({std::move(name), std::move(what), {.required = true}}, T());
  }

  /// `--name`: true if given.
  option<bool> flag(std::string name, std::string what) {
    return keep<bool>({std::move(name), std::move(what), {.flag = true}}, false);
  }
  option<bool> flag(std::string name, bool* variable, std::string what) {
    return keep<bool>({std::move(name), std::move(what), {.flag = true}}, variable);
  }

  /// By its place, in the order in which they are added: `./heat 512 100`.
  template<class T>
  option<T> argument(std::string name, T otherwise, std::string what) {
    return keep<T>({std::move(name), std::move(what), {.argument = true}}, std::move(otherwise));
  }
  option<std::string> argument(std::string name, const char* otherwise, std::string what) {
    return argument<std::string>(std::move(name), otherwise, std::move(what));
  }
  template<class T>
  option<T> argument(std::string name, T* variable, std::string what) {
    return keep<T>({std::move(name), std::move(what), {.argument = true}}, variable);
  }
  template<class T>
  option<T> argument(std::string name, std::string what) {
    return keep<T>({std::move(name), std::move(what), {.argument = true, .required = true}}, T());
  }

  /// Reads the command line. Ends the program if it asks for help (exit code 0) or makes no sense (2).
  void parse(int argc, char** argv);

  struct end {
    int code;
    std::string text; ///< Of help, or the sentence that says what is wrong.
  };
  /// The same for a caller that ends the program itself, or goes on.
  std::optional<end> try_parse(int argc, const char* const* argv);

  /// All values as a command line, for the record: "--size 2048,1024 --steps 200".
  [[nodiscard]] std::string text() const;

private:
  struct all;

  template<class T, class Value>
  option<T> keep(detail::option_words words, Value&& value) {
    auto made =
      std::make_shared<detail::option_value<T>>(std::move(words), std::forward<Value>(value));
    take(made);
    return option<T>(std::move(made));
  }
  void take(std::shared_ptr<detail::option_state> made);

  std::unique_ptr<all> all_;
};

} // namespace rondo
