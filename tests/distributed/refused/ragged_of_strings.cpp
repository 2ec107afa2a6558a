// values travel between ranks as bytes; their type must be trivially copyable

#include <string>

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using lists = field<ragged<double>>;

field<ragged<std::string>> made(const grid& m) { return field<ragged<std::string>>(m); }
