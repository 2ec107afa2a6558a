// A program on several ranks whose timeline is read again when it has ended: what is there has to fit together. To be started by mpirun with
// RONDO_OBSERVE=timeline=FILE. With the argument `fails` it fails on the last rank; with `killed` it is told to end from outside.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <rondo/observe/timeline/file.hpp>
#include <rondo/observe/wishes.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;
using namespace rondo::detail;

namespace {

using line = structured<1>;
using numbers = field<double>;

constexpr int passes = 40;

void fill(line::view m, numbers::accessor<wo> u) {
  for(const auto i : m.owned(0))
    u(i) = static_cast<double>(i);
}
void shift(line::view m, numbers::accessor<ro, ro> from, numbers::accessor<wo> to) {
  for(const auto i : m.owned(0))
    to(i) = from(i - 1);
}
double sum(line::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto i : m.owned(0))
    all += u(i);
  return all;
}
void fail(line::view m, numbers::accessor<rw> /*u*/) {
  if(m.color() + 1 == m.colors())
    throw std::runtime_error("no luck");
}
void rest(line::view /*m*/, numbers::accessor<rw> /*u*/) {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

unsigned rank_here = 0;
unsigned ranks_here = 1;

int work(scheduler& s, const std::string& how) {
  rank_here = s.rank();
  ranks_here = s.ranks();
  line m{s, {.extents = {64}, .colors = {2 * s.ranks()}, .periodic = {true}}};
  numbers u{m, "u"};
  numbers v{m, "v"};
  s.execute<fill>(m, u);
  for(int i = 0; i != passes; ++i) {
    s.execute<shift>(m, u, v);
    s.execute<shift>(m, v, u);
  }
  s.repeat(passes, [&] {
    s.execute<shift>(m, u, v);
    s.execute<shift>(m, v, u);
  });
  const double all = s.reduce<sum, fold::sum>(m, u).get();
  if(all != 63.0 * 64 / 2)
    throw std::runtime_error("the program itself is wrong");
  if(how == "fails")
    s.execute<fail>(m, u);
  if(how == "killed") {
    for(int i = 0; i != 100; ++i)
      s.execute<rest>(m, u);
    std::raise(SIGTERM);
    std::this_thread::sleep_for(std::chrono::seconds(20));
  }
  return 0;
}

int wrong = 0;
void expect(bool is_so, const char* what, int at) {
  if(is_so)
    return;
  ++wrong;
  std::fprintf(stderr, "timeline_program.cpp:%d: not so: %s\n", at, what);
}
#define EXPECT(...) expect(__VA_ARGS__, #__VA_ARGS__, __LINE__)

using message_key = std::tuple<unsigned, unsigned, std::uint32_t, std::uint64_t>;

/// By the ranks that sent and received it, channel and count.
std::map<message_key, told_message> messages(
  const detail::timeline& t, message_info::what_type what) {
  std::map<message_key, told_message> all;
  for(const timeline_rank& r : t.ranks)
    for(const timeline_lane& l : r.lanes)
      for(const told_message& m : l.messages)
        if(m.what == what) {
          const bool is_sender = what == message_info::what_type::posted;
          const bool is_new = all
                                .emplace(message_key(is_sender ? r.rank : m.peer,
                                           is_sender ? m.peer : r.rank, m.channel, m.count),
                                  m)
                                .second;
          EXPECT(is_new);
        }
  return all;
}

void check_messages(const detail::timeline& t) {
  const auto posted = messages(t, message_info::what_type::posted);
  const auto arrived = messages(t, message_info::what_type::arrived);
  EXPECT(t.ranks.size() == 1 || posted.size() >= 4 * passes * t.ranks.size());
  EXPECT(posted.size() == arrived.size());
  for(const auto& [key, m] : posted) {
    const auto there = arrived.find(key);
    EXPECT(there != arrived.end());
    if(there == arrived.end())
      continue;
    EXPECT(there->second.bytes == m.bytes);
    const std::int64_t skew = t.ranks[std::get<0>(key)].skew + t.ranks[std::get<1>(key)].skew;
    EXPECT(there->second.at + skew + 1000 >= m.at); // ticks are of some nanoseconds
  }
}

void check_tasks(const timeline_rank& r) {
  std::map<std::string, int> count;
  for(const timeline_lane& l : r.lanes) {
    EXPECT(l.dropped == 0);
    for(const task_piece& p : l.tasks) {
      EXPECT(p.begin >= 0 && p.begin <= p.end && p.end <= r.ended);
      if(p.is_first)
        ++count[l.sites[p.site].name];
    }
  }
  EXPECT(count["shift"] == 2 * 2 * 2 * passes); // two launches, two colors, two loops
  EXPECT(count["fill"] == 2);
  std::uint64_t repeated = 0;
  for(const timeline_lane& l : r.lanes)
    for(const told_launch& launched : l.launches)
      if(launched.step != 0) {
        EXPECT(launched.passes == passes);
        repeated += l.sites[l.shapes[launched.shape].site].name == "shift" ? 1 : 0;
      }
  EXPECT(repeated == 4);
}

int check(const std::string& file) {
  const detail::timeline t = read_timeline(file);
  EXPECT(t.ranks.size() == ranks_here);
  EXPECT(t.ranks_of_run == ranks_here);
  EXPECT(t.failure.empty());
  EXPECT(t.program.find("timeline_program") != std::string::npos);
  for(const timeline_rank& r : t.ranks)
    check_tasks(r);
  check_messages(t);
  std::remove(file.c_str());
  if(wrong == 0)
    std::printf("%zu ranks, as they should be\n", t.ranks.size());
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// What ranks of a program that has not ended well have left. If one has failed the others may have been killed before they had written
/// theirs.
int check_failure(
  std::size_t ranks, const std::string& how, const std::vector<std::string>& files) {
  const detail::timeline t = read_timeline(files);
  EXPECT(t.ranks_of_run == ranks);
  EXPECT(!t.ranks.empty() && t.ranks.size() <= ranks);
  EXPECT((t.failure.find("no luck") != std::string::npos) == (how == "fails"));
  bool has_tasks = false;
  for(const timeline_rank& r : t.ranks)
    for(const timeline_lane& l : r.lanes)
      has_tasks = has_tasks || !l.tasks.empty();
  EXPECT(has_tasks);
  std::printf("%zu of %zu ranks\n", t.ranks.size(), ranks);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  if(how == "read")
    return check_failure(std::stoul(argv[2]), argv[3], {argv + 4, argv + argc});
  const std::string file = wishes::from_environment().timeline_file;
  const int failed = rondo::run(argc, argv, [&how](scheduler& s) { return work(s, how); });
  if(failed != 0)
    return failed;
  return rank_here == 0 ? check(file) : EXIT_SUCCESS;
}
