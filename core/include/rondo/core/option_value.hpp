#pragma once

/// \file
/// Values of options, and how they are read: behind <rondo/options.hpp>.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace rondo::detail::inline core {

// Numbers as text: the whole text is one, or it is none. "1e4" is no whole number, and NaN no number.
bool read_number(std::string_view text, std::int64_t& x);
bool read_number(std::string_view text, std::uint64_t& x);
bool read_number(std::string_view text, double& x);
std::string write_number(std::int64_t x);
std::string write_number(std::uint64_t x);
std::string write_number(float x);
std::string write_number(double x); ///< The shortest one that is read as this one.

template<class T>
struct option_shape {
  using element = T;
};
template<class T, std::size_t N>
struct option_shape<std::array<T, N>> {
  using element = T;
};
template<class T>
struct option_shape<std::vector<T>> {
  using element = T;
};
template<class T>
using option_element = typename option_shape<T>::element;

template<class T>
concept option_number = std::is_arithmetic_v<T> && !std::same_as<T, bool> &&
                        !std::same_as<T, long double> && !std::same_as<T, char>;
template<option_number T>
using widest_number = std::conditional_t<std::is_floating_point_v<T>, double,
  std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template<option_number T>
std::string write_element(T x) {
  if constexpr(std::is_same_v<T, float>)
    return write_number(x);
  else
    return write_number(widest_number<T>(x));
}
inline std::string write_element(const std::string& x) { return x; }
inline std::string write_element(bool x) { return x ? "yes" : "no"; }

/// A sentence about a kind of values: "a whole number of at least 3".
struct option_rule {
  bool whole = false; ///< Numbers.
  std::optional<std::string> least, most, above;
  std::vector<std::string> choices;

  /// "at least 3", or nothing.
  [[nodiscard]] std::string text() const;
};
/// Of one value, or of so many with commas between; 0: of any number of them.
std::string should_be(const option_rule& rule, std::size_t values, std::string_view text);
std::vector<std::string_view> parts_of(std::string_view text, bool numbers);

template<class T>
struct option_limits {
  std::optional<T> least, most, above;
  std::vector<T> choices;

  [[nodiscard]] option_rule rule() const {
    const auto written = [](const std::optional<T>& x) {
      return x ? std::optional<std::string>(write_element(*x)) : std::nullopt;
    };
    option_rule all{std::is_integral_v<T>, written(least), written(most), written(above), {}};
    for(const T& x : choices)
      all.choices.push_back(write_element(x));
    return all;
  }
  [[nodiscard]] bool allows(const T& x) const {
    bool chosen = choices.empty();
    for(const T& choice : choices)
      chosen = chosen || x == choice;
    return chosen && !(least && x < *least) && !(most && *most < x) && !(above && !(*above < x));
  }
};

struct option_kind {
  bool argument = false, flag = false, required = false;
};
struct option_words {
  std::string name, what;
  option_kind kind;
};

struct option_state {
  explicit option_state(option_words w) : words(std::move(w)) {}
  virtual ~option_state() = default;
  option_state(const option_state&) = delete;
  option_state& operator=(const option_state&) = delete;

  /// What is wrong with it, or nothing; then the value is this.
  [[nodiscard]] virtual std::string read(std::string_view text) = 0;
  [[nodiscard]] virtual std::string text() const = 0;          ///< The value now.
  [[nodiscard]] virtual std::string kind_of_value() const = 0; ///< "N", "N,N", "TEXT".
  [[nodiscard]] virtual option_rule rule() const = 0;
  /// Throws before `options::parse`.
  void check_use() const;

  option_words words;
  bool given = false;
  bool parsed = false;
};

template<class T>
struct option_value final : option_state {
  using element = option_element<T>;
  static constexpr bool is_many = !std::is_same_v<T, element>;
  static constexpr bool is_vector = std::is_same_v<T, std::vector<element>>;
  static constexpr bool is_flag = std::is_same_v<T, bool>;
  static_assert(option_number<element> || std::is_same_v<element, std::string> || is_flag,
    "rondo::options: values are numbers, std::string, and arrays or vectors of these; an option "
    "without a value is a flag: o.flag(name, what)");

  option_value(option_words w, T x) : option_state(std::move(w)), own(std::move(x)) {}
  option_value(option_words w, T* variable) : option_state(std::move(w)), at(variable) {}

  std::string read(std::string_view text) override {
    if constexpr(is_flag) {
      *at = text == "true";
      return {};
    }
    else {
      T all{};
      if(!read_all(text, all))
        return should_be(rule(), values(), text);
      *at = std::move(all);
      return {};
    }
  }
  [[nodiscard]] std::string text() const override {
    if constexpr(is_many) {
      std::string all;
      for(const element& x : *at)
        all.append(all.empty() ? "" : ",").append(write_element(x));
      return all;
    }
    else
      return write_element(*at);
  }
  [[nodiscard]] std::string kind_of_value() const override {
    const std::string one = is_flag                             ? ""
                            : std::is_integral_v<element>       ? "N"
                            : std::is_floating_point_v<element> ? "X"
                                                                : "TEXT";
    if constexpr(is_vector)
      return one + "," + one + ",...";
    std::string all = one;
    for(std::size_t k = 1; k < values(); ++k)
      all.append(",").append(one);
    return all;
  }
  [[nodiscard]] option_rule rule() const override {
    if constexpr(is_flag)
      return {};
    else
      return limit.rule();
  }

  static constexpr std::size_t values() {
    if constexpr(is_vector)
      return 0;
    else if constexpr(is_many)
      return std::tuple_size_v<T>;
    else
      return 1;
  }

  T own{};
  T* at = &own;
  option_limits<element> limit;

private:
  bool read_element(std::string_view text, element& x) const {
    if constexpr(option_number<element>) {
      widest_number<element> wide{};
      if(!read_number(text, wide))
        return false;
      x = element(wide);
      if constexpr(std::is_integral_v<element>)
        if(widest_number<element>(x) != wide)
          return false;
    }
    else
      x = std::string(text);
    return limit.allows(x);
  }
  bool read_all(std::string_view text, T& all) const {
    if constexpr(is_many) {
      const auto parts = parts_of(text, option_number<element>);
      if constexpr(is_vector)
        all.resize(parts.size());
      else if(parts.size() != all.size() && parts.size() != 1)
        return false;
      for(std::size_t k = 0; k != all.size(); ++k)
        if(!read_element(parts.size() == 1 ? parts[0] : parts[k], all[k]))
          return false;
      return true;
    }
    else
      return read_element(text, all);
  }
};

} // namespace rondo::detail::inline core
