// Elements whose type says of which kind they are: a checked build tells a task that asks a field of another kind for one. In other
// builds they are numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>
#include <rondo/topologies.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

/// Of a ring: each color has two of them.
template<class Kind>
class elements final : public topo::index_space {
public:
  struct part {
    color_id color;
  };
  class view {
  public:
    using of_topology = topo::made_of<elements>;
    explicit view(const part&) {}
  };

  [[nodiscard]] std::uint64_t colors() const { return 2; }
  [[nodiscard]] part part_of(color_id c) const { return {c}; }
  [[nodiscard]] topo::block_layout layout(color_id) const override {
    return topo::block_layout::in_a_row(2);
  }
  [[nodiscard]] topo::selection owned(color_id) const override {
    return topo::selection::of_range(0, 2);
  }
  [[nodiscard]] std::vector<topo::neighbour> neighbours(color_id) const override { return {}; }
  [[nodiscard]] bool has_ghosts() const override { return false; }
  [[nodiscard]] const char* element_name() const override { return Kind::space_calls_it; }
};

struct post {
  static constexpr const char* name = "post";
  static constexpr const char* space_calls_it = name;
  operator std::int64_t() const { return number; }
  std::int64_t number;
};
struct rail {
  static constexpr const char* name = "rail";
  static constexpr const char* space_calls_it = name;
  operator std::int64_t() const { return number; }
  std::int64_t number;
};
struct unnamed {
  static constexpr const char* space_calls_it = nullptr;
};

using posts = topo::made_of<elements<post>>;
using rails = topo::made_of<elements<rail>>;
using things = topo::made_of<elements<unnamed>>;
using numbers = field<double>;
using lists = field<ragged<int>>;

template<class E>
void set(posts::view, numbers::accessor<rw> u) {
  u(E{1}) = 7;
}
template<class E>
void add(posts::view, lists::accessor<rw> rows) {
  rows(E{1}).push_back(7);
}

/// What a task is told that gets a field over these.
template<auto F, class Field, class Topology>
std::string told() {
  std::string what;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    const posts p{s, {}};
    const Topology over{p, {}};
    Field u{over, "u"};
    s.execute<F>(p, u);
    what = thrown_by([&s] { s.wait(); });
  });
  return what;
}

const std::string of_rails =
  "field 'u' of color 0, which owns [0, 2): it has a value for each rail, and is asked for "
  "post 1; take a rail, or launch the task with a field of the kind that it is "
  "written for (docs/mistakes.md)";

std::string if_checked(const std::string& what) { return detail::is_checked ? what : ""; }

} // namespace

TEST_CASE("a field over elements of one kind isn't asked for those of another one") {
  CHECK(told<set<post>, numbers, posts>().empty());
  CHECK(told<set<rail>, numbers, rails>().empty());
  CHECK(told<set<post>, numbers, rails>() == if_checked(of_rails));
}

TEST_CASE("rows aren't, either") {
  CHECK(told<add<post>, lists, posts>().empty());
  CHECK(told<add<post>, lists, rails>() == if_checked(of_rails));
}

TEST_CASE("elements that have no name are any") {
  CHECK(told<set<post>, numbers, things>().empty());
  CHECK(told<set<rail>, numbers, things>().empty());
}
