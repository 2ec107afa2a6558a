#include "header.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "line.hpp"

namespace rondo::detail::matrix_market {

namespace {

constexpr std::string_view banner = "%%MatrixMarket";
/// Larger numbers are damage.
constexpr std::int64_t largest_number = std::int64_t{1} << 53;

/// In small letters, as capitals make no difference here.
std::string small(std::string_view word) {
  std::string made(word);
  std::ranges::transform(made, made.begin(),
    [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return made;
}

void read_banner(const input& file, line& l, header& h) {
  const char* const begin = l.at();
  if(small(l.word()) != small(banner))
    file.fail(begin, "this is no file of Matrix Market: such a file begins with "
                     "'%%MatrixMarket matrix coordinate real general'");
  const auto next = [&](const char* what) {
    const char* const here = l.at();
    std::string word = small(l.word());
    if(word.empty())
      file.fail(here, std::string(what) + " should be here, and the line ends");
    return word;
  };
  const char* here = l.at();
  if(next("'matrix'") != "matrix")
    file.fail(here, file.word(here) + " is no matrix");
  here = l.at();
  if(const std::string format = next("'coordinate'"); format == "array")
    file.fail(here, "the matrix has all its entries, 'array'; write it as one with coordinates, in "
                    "Python scipy.io.mmwrite(name, scipy.sparse.coo_matrix(a))");
  else if(format != "coordinate")
    file.fail(here, "'coordinate' should be here, and there is " + file.word(here));
  here = l.at();
  if(const std::string field = next("'real', 'integer' or 'pattern'"); field == "complex")
    file.fail(here, "the values are complex; write the real parts as one matrix, and the imaginary "
                    "parts as another one");
  else if(field == "integer")
    h.what = values::integer;
  else if(field == "pattern")
    h.what = values::none;
  else if(field != "real" && field != "double")
    file.fail(
      here, "'real', 'integer' or 'pattern' should be here, and there is " + file.word(here));
  here = l.at();
  if(const std::string half = next("'general', 'symmetric' or 'skew-symmetric'");
     half == "symmetric")
    h.half = symmetry::symmetric;
  else if(half == "skew-symmetric") {
    h.half = symmetry::skew;
    if(h.what == values::none)
      file.fail(
        here, "a pattern has no values that could change their signs; write it as symmetric");
  }
  else if(half != "general")
    file.fail(here,
      "'general', 'symmetric' or 'skew-symmetric' should be here, and there is " + file.word(here));
  l.end("the first line has five words");
}

} // namespace

header read_header(const input& file) {
  header h;
  line l(file, file.begin());
  read_banner(file, l, h);
  for(;;) {
    if(l.next() == file.end())
      file.fail(file.end(), "the file ends before it says how many rows, columns and entries there "
                            "are: it has been cut off");
    l = line(file, l.next());
    if(!l.is_empty())
      break;
  }
  const char* const begin = l.at();
  h.rows = l.integer("the number of rows");
  const std::int64_t columns = l.integer("the number of columns");
  h.entries = l.integer("the number of entries");
  l.end("this line has the numbers of rows, columns and entries");
  for(const std::int64_t n : {h.rows, columns, h.entries})
    if(n < 0 || n > largest_number)
      file.fail(begin, std::to_string(n) + " can't be the number of rows, columns or entries");
  if(h.rows != columns)
    file.fail(begin, "the matrix has " + std::to_string(h.rows) + " rows and " +
                       std::to_string(columns) +
                       " columns, and has to have as many of these; add "
                       "empty ones");
  h.end = l.next();
  return h;
}

} // namespace rondo::detail::matrix_market
