// Copies of fields on their way to files.

#include <cstdint>
#include <memory>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "folder_of_test.hpp"
#include "output/staging.hpp"
#include "output/stored_arrays.hpp"
#include "ranks.hpp"

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;
constexpr std::int64_t width = 1000;
constexpr std::int64_t height = 2200; // more than goes to the disk at once

void fill(grid::view m, numbers::accessor<wo> u, double shift) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = static_cast<double>(i + width * j) + shift;
}

/// What a launch of `write` does with these fields, step by step.
struct file {
  detail::stored_mesh mesh;
  std::vector<detail::stored_field> fields;
  std::shared_ptr<const detail::staged_values> copies;

  template<class... F>
  file(detail::staging& kept, const grid& m, const F&... f)
      : mesh(detail::stored_mesh::of(m)), fields{detail::stored_field::of(f)...} {
    for(detail::stored_field& x : fields)
      x.count = width * height;
    copies = kept.values(mesh, fields);
  }
  void copy_all() const {
    for(std::size_t c = 0; c != mesh.colors.size(); ++c)
      copies->take(mesh, c, fields);
  }
  /// Of how many points the file has other values.
  [[nodiscard]] std::size_t wrong_in_file(const std::string& path, double shift) const {
    detail::file_contents c;
    c.fields = detail::arrays_of(fields);
    std::uint64_t end = 0;
    for(auto& a : c.fields) {
      a.offset = end;
      end += a.bytes();
    }
    detail::system_file(path, detail::system_file::mode::create).set_size(end);
    const detail::system_file to(path, detail::system_file::mode::write);
    for(std::size_t b = 0; b != copies->bundles().size(); ++b)
      copies->write(to, c, mesh, b, {});
    std::vector<double> all(width * height);
    std::size_t wrong = 0;
    for(const auto& a : c.fields) {
      detail::system_file(path, detail::system_file::mode::read)
        .read(std::as_writable_bytes(std::span(all)), a.offset);
      for(std::size_t k = 0; k != all.size(); ++k)
        wrong += all[k] == static_cast<double>(k) + shift ? 0U : 1U;
    }
    return wrong;
  }
};

} // namespace

TEST_CASE("what is copied for a file stays until it is written, whatever other files have") {
  const folder_of_test here;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const grid m{s, {.extents = {width, height}, .colors = {1, 8}}};
    const numbers u{m, "u"}, v{m, "v"};
    detail::staging kept(s.launches(), 8);
    s.execute<fill>(m, u, 0.);
    s.execute<fill>(m, v, 0.);
    s.wait();
    const file large(kept, m, u, v);
    REQUIRE(large.copies->bundles().size() > 1);
    large.copy_all();
    s.execute<fill>(m, u, 1000.);
    s.wait();
    const file small(kept, m, u);
    small.copy_all();
    s.execute<fill>(m, u, 2000.);
    s.wait();
    // One like the first would have the memory of the first, which is not written yet; but others have their own.
    CHECK(large.wrong_in_file(here / "large", 0) == 0);
    CHECK(small.wrong_in_file(here / "small", 1000) == 0);
    const file again(kept, m, u);
    again.copy_all();
    CHECK(again.wrong_in_file(here / "again", 2000) == 0);
    CHECK(large.wrong_in_file(here / "large", 0) == 0);
  });
}
