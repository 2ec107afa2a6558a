# Fails unless the README contains the example as its first block of C++.
file(READ ${README} readme)
file(READ ${EXAMPLE} example)
string(FIND "${readme}" "```cpp\n${example}```" found)
if(found EQUAL -1)
  message(FATAL_ERROR "the program in ${README} differs from ${EXAMPLE}: copy it over")
endif()
