#include "help.hpp"

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace rondo::detail::inline core {

namespace {

constexpr std::size_t width = 96;
constexpr std::size_t widest_left = 30; ///< Wider options have a line of their own.

struct row {
  std::string left, right;
};

/// Words of the text in lines of the page's width, with so many spaces in front of all but the first one.
void append_wrapped(std::string& page, const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::size_t column = indent;
  bool first = true;
  for(std::string word; words >> word; first = false) {
    if(!first && column + 1 + word.size() > width) {
      page.append("\n").append(indent, ' ');
      column = indent;
      first = true;
    }
    page.append(first ? "" : " ").append(word);
    column += word.size() + (first ? 0 : 1);
  }
  page.append("\n");
}

void append_table(std::string& page, const std::vector<row>& rows) {
  std::size_t left = 0;
  for(const row& r : rows)
    if(r.left.size() <= widest_left)
      left = std::max(left, r.left.size());
  for(const row& r : rows) {
    page.append("  ").append(r.left);
    if(r.left.size() > left)
      page.append("\n").append(left + 4, ' ');
    else
      page.append(left - r.left.size() + 2, ' ');
    append_wrapped(page, r.right, left + 4);
  }
}

std::string shown_left(const option_state& o) {
  std::string said = o.words.kind.argument ? "" : "--";
  said.append(o.words.name);
  if(!o.words.kind.argument && !o.words.kind.flag)
    said.append(" ").append(o.kind_of_value());
  return said;
}

/// "points along each side (512; at least 3)", "how time goes on (implicit or explicit; implicit if not given)"
std::string shown_right(const option_state& o) {
  std::string said = o.words.what;
  if(o.words.kind.flag)
    return said;
  const option_rule rule = o.rule();
  const std::string such = rule.text();
  std::string otherwise = o.words.kind.required ? "has to be given" : o.text();
  if(!rule.choices.empty() && !o.words.kind.required)
    otherwise.append(" if not given");
  const std::string& one = rule.choices.empty() ? otherwise : such;
  const std::string& other = rule.choices.empty() ? such : otherwise;
  if(!one.empty() || !other.empty())
    said.append(" (")
      .append(one)
      .append(one.empty() || other.empty() ? "" : "; ")
      .append(other)
      .append(")");
  return said;
}

std::string shown_right(const setting_option& o) {
  std::string said = o.words.what;
  if(const option_rule rule = o.rule(); !rule.choices.empty())
    said.append(": ").append(rule.text());
  return said.append(" (").append(o.variable()).append(")");
}

} // namespace

std::string help_text(std::string_view program, std::string_view about,
  const std::vector<std::shared_ptr<option_state>>& own,
  const std::vector<std::unique_ptr<setting_option>>& settings) {
  std::string page;
  append_wrapped(page, std::string(about), 0);
  page.append("\nUsage: ").append(program).append(" [options]");
  std::string closing;
  for(const auto& o : own)
    if(o->words.kind.argument && o->words.kind.required)
      page.append(" ").append(o->words.name);
    else if(o->words.kind.argument) {
      page.append(" [").append(o->words.name);
      closing.append("]");
    }
  page.append(closing).append("\n\n");

  std::vector<row> rows;
  for(const bool arguments : {true, false})
    for(const auto& o : own)
      if(o->words.kind.argument == arguments)
        rows.push_back({shown_left(*o), shown_right(*o)});
  rows.push_back({"--help", "this"});
  append_table(page, rows);

  page.append("\nFor Rondo, in place of environment variables:\n");
  rows.clear();
  for(const auto& o : settings)
    rows.push_back({shown_left(*o), shown_right(*o)});
  append_table(page, rows);
  return page;
}

} // namespace rondo::detail::inline core
