// Values of options: numbers as text, and what is said of those that make no sense.

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include <rondo/core/nearest.hpp>
#include <rondo/core/option_value.hpp>

namespace rondo::detail::inline core {

namespace {

template<class T>
bool read(std::string_view text, T& x) {
  if(text.starts_with('+') && !text.starts_with("+-"))
    text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, x);
  return error == std::errc() && stop == end;
}

template<class T>
std::string write(T x) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

} // namespace

bool read_number(std::string_view text, std::int64_t& x) { return read(text, x); }
bool read_number(std::string_view text, std::uint64_t& x) { return read(text, x); }
bool read_number(std::string_view text, double& x) { return read(text, x) && std::isfinite(x); }
std::string write_number(std::int64_t x) { return write(x); }
std::string write_number(std::uint64_t x) { return write(x); }
std::string write_number(float x) { return write(x); }
std::string write_number(double x) { return write(x); }

std::string option_rule::text() const {
  std::string all;
  const auto add = [&all](std::string_view words, const std::optional<std::string>& x) {
    if(x)
      all.append(all.empty() ? "" : ", ").append(words).append(*x);
  };
  if(least && most)
    all.append("from ").append(*least).append(" to ").append(*most);
  else {
    add("at least ", least);
    add("at most ", most);
  }
  add("more than ", above);
  for(std::size_t k = 0; k != choices.size(); ++k)
    all.append(k == 0                    ? (all.empty() ? "" : ", ")
               : k + 1 == choices.size() ? " or "
                                         : ", ")
      .append(choices[k]);
  return all;
}

std::string should_be(const option_rule& rule, std::size_t values, std::string_view text) {
  std::string said = "should be ";
  const std::string such = rule.text();
  if(!rule.choices.empty())
    said.append(values == 1 ? "" : "some, with commas between, of ").append(such);
  else {
    if(values == 1)
      said.append(rule.whole ? "a whole number" : "a number");
    else
      said.append(values == 0 ? "" : std::to_string(values) + " ")
        .append(rule.whole ? "whole numbers" : "numbers")
        .append(" with commas between");
    if(such.starts_with("at "))
      said.append(values == 1 ? " of " : ", each ").append(such);
    else if(!such.empty())
      said.append(values == 1 ? " " : ", each ").append(such);
  }
  said.append(", not \"").append(text).append("\"");
  const std::vector<std::string_view> words(rule.choices.begin(), rule.choices.end());
  if(const std::string_view meant = nearest(text, words); !meant.empty())
    said.append("; did you mean ").append(meant).append("?");
  return said;
}

std::vector<std::string_view> parts_of(std::string_view text, bool numbers) {
  std::vector<std::string_view> parts;
  for(;;) {
    const std::size_t end = text.find_first_of(numbers ? ",x" : ",");
    parts.push_back(text.substr(0, end));
    if(end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

void option_state::check_use() const {
  if(!parsed)
    throw std::logic_error("rondo: the option " + words.name +
                           " is used before options::parse has read the command line");
}

} // namespace rondo::detail::inline core
