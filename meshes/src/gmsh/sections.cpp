#include "gmsh/sections.hpp"

#include <cstring>

#include "gmsh/text_cursor.hpp"

namespace rondo::detail::gmsh {

namespace {

[[noreturn]] void fail_version(const input& file, const char* at, const std::string& version) {
  file.fail(at,
    "the file has format " + version +
      ", and Rondo reads 4.1 and 2.2; save it anew: gmsh OLD.msh -save -format msh41 -o NEW.msh");
}

/// The first numbers of a binary file: a 1, by which the order of bytes is seen.
void check_byte_order(cursor& c) {
  if(c.bytes_left() < sizeof(std::uint32_t))
    c.fail_at_end();
  std::uint32_t one;
  std::memcpy(&one, c.at(), sizeof one);
  if(one == std::uint32_t{1} << 24)
    c.fail("the file was written by a machine with another order of bytes; save it there as text");
  if(one != 1)
    c.fail("a binary 1 should be here: the file is damaged");
  c.go_to(c.at() + sizeof one);
}

} // namespace

format read_format(input& file, cursor& c) {
  if(!c.skip_blanks() || *c.at() != '$')
    c.fail("this is no Gmsh file: $MeshFormat should be here, and there is " + file.word(c.at()));
  for(const char* at = c.at(); true; at = c.at()) {
    const std::string name = next_section(c);
    if(name == "MeshFormat")
      break;
    if(name.empty())
      file.fail("the file has no $MeshFormat");
    if(name == "NOD") // there is no other section in format 1 that could be the first one
      fail_version(file, at, "1");
    skip_section(c, name);
  }

  text_cursor words(file, c.at());
  const char* const at = words.next();
  const double version = words.real();
  if(version != 2.2 && version != 4.1) {
    const std::string quoted = file.word(at);
    fail_version(file, at, quoted.substr(1, quoted.size() - 2));
  }
  const char* const kind_at = words.next();
  const std::int64_t kind = words.integer();
  if(kind != 0 && kind != 1)
    file.fail(
      kind_at, "a file is text (0) or binary (1), and here it says " + std::to_string(kind));
  const char* const bytes_at = words.next();
  if(const std::int64_t bytes = words.integer(); bytes != 8)
    file.fail(
      bytes_at, "numbers have " + std::to_string(bytes) + " bytes, and Rondo reads those with 8");
  if(const char* const more = words.at(); !words.line().empty())
    file.fail(more, "the line should end here");
  c.go_to(words.at());
  if(kind == 1) {
    file.is_binary();
    check_byte_order(c);
  }
  c.end_of_section("MeshFormat");
  return {version == 4.1, kind == 1};
}

std::string next_section(cursor& c) {
  if(!c.skip_blanks())
    return {};
  const char* const here = c.at();
  if(*here != '$')
    c.fail("a section should begin here, such as $Nodes, and there is " + c.file().word(here));
  const std::string name(c.line().substr(1));
  if(name.empty() || name.starts_with("End"))
    c.file().fail(
      here, "a section should begin here, such as $Nodes, and there is " + c.file().word(here));
  return name;
}

void skip_section(cursor& c, std::string_view name) {
  const std::string end = "$End" + std::string(name);
  const char* const begin = c.at();
  for(;;) {
    const auto* const found = static_cast<const char*>(std::memchr(c.at(), '$', c.bytes_left()));
    if(found == nullptr)
      c.file().fail(begin, "the file ends without " + end + ": it has been cut off");
    c.go_to(found);
    if(std::string_view(found, c.bytes_left()).starts_with(end)) {
      // $EndNodeData is no end of $Node.
      if(c.line() == end)
        return;
      c.go_to(found);
    }
    c.go_to(found + 1);
  }
}

void read_names(cursor& c, groups& to) {
  text_cursor words(c.file(), c.at());
  for(std::int64_t n = words.size(); n > 0; --n) {
    const char* const at = words.next();
    const std::int64_t dimension = words.integer();
    const std::int64_t number = words.integer();
    const std::string_view rest = words.line();
    if(words.bytes_left() == 0)
      words.fail_at_end();
    if(rest.size() < 2 || rest.front() != '"' || rest.back() != '"')
      c.file().fail(at, "a group should be here, such as 2 7 \"inlet\"");
    to.names[{dimension, number}] = rest.substr(1, rest.size() - 2);
  }
  c.go_to(words.at());
}

} // namespace rondo::detail::gmsh
