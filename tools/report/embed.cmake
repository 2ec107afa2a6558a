# cmake -DINPUT=FILE -DOUTPUT=FILE.cpp -P embed.cmake: the page's template as a source file, so that the program needs no other file.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "// Made from ${INPUT} by embed.cmake.
#include \"page_template.hpp\"

namespace rondo::report {

namespace {
constexpr unsigned char bytes[] = {${bytes}};
}

std::string_view page_template() { return {reinterpret_cast<const char*>(bytes), sizeof bytes}; }

} // namespace rondo::report
")
