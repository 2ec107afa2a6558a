#include <rondo/distributed/box.hpp>

#include <ostream>

namespace rondo {

template<std::size_t D>
std::string describe(const box<D>& b) {
  std::string text;
  for(std::size_t a = 0; a != D; ++a) {
    text += a != 0 ? " x [" : "[";
    text += std::to_string(b.lo[a]) + ", " + std::to_string(b.hi[a]) + ")";
  }
  return text;
}

template<std::size_t D>
std::ostream& operator<<(std::ostream& out, const box<D>& b) {
  return out << describe(b);
}

template std::string describe(const box<1>&);
template std::string describe(const box<2>&);
template std::string describe(const box<3>&);
template std::ostream& operator<<(std::ostream&, const box<1>&);
template std::ostream& operator<<(std::ostream&, const box<2>&);
template std::ostream& operator<<(std::ostream&, const box<3>&);

} // namespace rondo
