// What observers are told of regions of fields, and of messages.

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;
using what_type = message_info::what_type;

namespace {

using grid = structured<2>;
using numbers = field<double>;

void set(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = 1;
}
void smooth(grid::view m, numbers::accessor<rw, ro> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = 0.5 * u(i, j) + 1;
}
double sum_of(grid::view m, numbers::accessor<ro> u) {
  double sum = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      sum += u(i, j);
  return sum;
}

struct rank_told final : observer {
  struct message_event {
    message_info what;
    std::size_t place; ///< In the order of all that this rank was told of messages.
  };
  std::vector<message_event> messages;
  std::map<task_id, std::string> names;
  std::map<task_id, std::string> details;
  std::map<std::string, std::set<region_number>> written; ///< By the tasks of this name.

  void message(const message_info& m) noexcept override {
    const std::lock_guard lock(mutex_);
    messages.push_back({m, messages.size()});
  }
  void launched(const launch_info& l) noexcept override {
    const std::lock_guard lock(mutex_);
    names[l.id] = l.name;
    details[l.id] = l.details();
    for(std::size_t i = 0; i != l.accesses; ++i)
      if(l.access(i).mode == access_info::mode_type::write)
        written[l.name].insert(l.access(i).region);
  }

private:
  std::mutex mutex_;
};

} // namespace

TEST_CASE("regions of fields have the same numbers on all ranks, by field and color") {
  constexpr unsigned ranks = 3;
  std::vector<rank_told> told(ranks);
  std::vector<std::uint32_t> number(ranks);
  on_ranks(make_local_transports(ranks), 1, [&](scheduler& s) {
    rank_told& mine = told[s.rank()];
    s.home().attach(mine);
    grid m{s, {.extents = {12, 12}, .colors = {2, 3}}};
    numbers other{m, "other"};
    numbers u{m, "u"};
    number[s.rank()] = u.number();
    s.execute<set>(m, u);
    s.wait();
    s.home().detach(mine);
    expect(u.number() != other.number());
  });
  std::set<region_number> all;
  for(unsigned r = 0; r != ranks; ++r) {
    CHECK(number[r] == number[0]);
    for(const auto& [name, regions] : told[r].written)
      if(name == "set")
        for(const region_number& n : regions) {
          CHECK(n.field == number[0]);
          CHECK(all.insert(n).second);
        }
  }
  // A color has its owned elements and its ghosts, and `set` writes the former.
  std::set<std::uint32_t> parts;
  for(const region_number& n : all)
    parts.insert(n.part);
  CHECK(parts == std::set<std::uint32_t>{0, 2, 4, 6, 8, 10});
}

TEST_CASE("messages are told at both ends, in their order, with the task that they serve") {
  const unsigned workers = GENERATE(1U, 2U);
  const auto way = GENERATE(0, 1); // a loop that is found, or closed
  CAPTURE(workers, way);
  constexpr unsigned ranks = 3;
  constexpr int passes = 30;
  std::vector<rank_told> told(ranks);
  on_ranks(make_local_transports(ranks), workers, [&](scheduler& s) {
    rank_told& mine = told[s.rank()];
    s.home().attach(mine);
    {
      grid m{s, {.extents = {12, 12}, .colors = {1, 3}}};
      numbers u{m, "u"};
      s.execute<set>(m, u);
      const auto pass = [&] { s.execute<smooth>(m, u); };
      if(way == 1)
        s.repeat(passes, pass);
      else
        for(int i = 0; i != passes; ++i)
          pass();
      const double sum = s.reduce<sum_of, fold::sum>(m, u).get();
      expect(sum > 1);
      s.wait();
    }
    s.home().detach(mine);
  });

  using end = std::tuple<unsigned, unsigned, std::uint32_t>; // from, to, channel
  std::map<end, std::vector<std::size_t>> posted, sent, arrived, taken;
  for(unsigned r = 0; r != ranks; ++r)
    for(const auto& [m, place] : told[r].messages) {
      CHECK(m.peer < ranks);
      CHECK(m.peer != r);
      CHECK(m.bytes != 0);
      switch(m.what) {
      case what_type::posted:
        posted[{r, m.peer, m.channel}].push_back(m.bytes);
        break;
      case what_type::sent:
        sent[{r, m.peer, m.channel}].push_back(m.bytes);
        break;
      case what_type::arrived:
        arrived[{m.peer, r, m.channel}].push_back(m.bytes);
        break;
      case what_type::taken:
        taken[{m.peer, r, m.channel}].push_back(m.bytes);
        break;
      }
      if(m.what == what_type::posted || m.what == what_type::taken) {
        CHECK(m.serves.flow != 0);
        task_id launch = m.serves;
        launch.pass = 0;
        const std::string& name = told[r].names[launch];
        const bool is_expected =
          name == (m.what == what_type::posted ? "halo: send" : "halo: receive") ||
          name == "sum_of";
        CHECK(is_expected);
      }
    }
  CHECK(posted.size() >= 4); // along y there is one neighbour at the rims, and two in the middle
  CHECK(posted == sent);
  CHECK(posted == taken);
  std::size_t of_halos = 0;
  for(const auto& [from_to, all] : posted) {
    // One may have arrived for which nothing was launched any more: none here.
    CHECK(arrived[from_to] == all);
    of_halos += all.size() == static_cast<std::size_t>(passes) ? 1 : 0;
  }
  CHECK(of_halos == 4);
}
