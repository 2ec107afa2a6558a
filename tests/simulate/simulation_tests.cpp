// Plans that are so small that one knows when they end, and random ones that a slow simulation plays as well.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "play/simulation.hpp"

using namespace rondo::simulate;

namespace {

using distances = std::vector<std::uint32_t>;
using actions = std::vector<action>;

action sent(std::uint32_t stream, std::uint32_t bytes = 0) { return {true, stream, bytes}; }
action taken(std::uint32_t stream) { return {false, stream, 0}; }

/// A plan, what it costs, and how it is played.
struct made {
  plan p;
  costs c;
  network n;
  wishes w;

  explicit made(std::uint32_t ranks = 1, std::uint32_t workers = 1) {
    p.workers = workers;
    p.roles.resize(1);
    p.ranks.resize(ranks);
  }

  /// Tasks of this name take so many nanoseconds.
  std::uint32_t site(const std::string& name, double task, double launch = 0) {
    p.sites.push_back({name, "a.cpp:1"});
    const std::string key = key_of(name, "a.cpp:1");
    c.tasks[key] = {{task}, {1}, 1};
    c.launches[key] = {launch, 0};
    return static_cast<std::uint32_t>(p.sites.size() - 1);
  }
  launch& add(std::uint32_t site, const distances& before = {}, const actions& all = {},
    std::uint32_t of_role = 0) {
    role& r = p.roles[of_role];
    launch l;
    l.site = site;
    l.first_before = static_cast<std::uint32_t>(r.before.size());
    l.befores = static_cast<std::uint32_t>(before.size());
    r.before.insert(r.before.end(), before.begin(), before.end());
    l.first_action = static_cast<std::uint32_t>(r.actions.size());
    l.actions = static_cast<std::uint32_t>(all.size());
    r.actions.insert(r.actions.end(), all.begin(), all.end());
    r.launches.push_back(l);
    return r.launches.back();
  }
  launch& wait(const distances& before) {
    launch& l = add(0, before);
    l.is_wait = true;
    l.has_task = false;
    return l;
  }
  void loop(std::uint32_t begin, std::uint32_t end, std::uint32_t repetitions) {
    p.roles[0].loop_begin = begin;
    p.roles[0].loop_end = end;
    p.roles[0].repetitions = repetitions;
  }
  /// A stream of messages.
  void connect(std::uint32_t from, std::uint32_t to, std::uint32_t channel = 0) {
    p.ranks[from].out.push_back({to, channel});
    p.ranks[to].in.push_back({from, channel});
  }

  [[nodiscard]] outcome play() const { return simulate(p, c, n, w); }
  [[nodiscard]] double ns() const {
    const outcome o = play();
    CHECK(o.stuck == 0);
    return 1e9 * o.what.seconds;
  }
};

Approx ns(double x) { return Approx(x).epsilon(1e-9); }

/// Rank 0 sends after a task of 100, rank 1 takes.
made two_ranks(std::uint32_t bytes = 0) {
  made m(2);
  m.p.roles.resize(2);
  m.p.ranks[1].role = 1;
  m.connect(0, 1);
  m.add(m.site("a", 100), {}, {sent(0, bytes)});
  return m;
}

} // namespace

TEST_CASE("one worker launches, and then runs task after task") {
  made m;
  const auto a = m.site("a", 100, 10);
  const auto b = m.site("b", 1000, 20);
  m.add(a);
  m.add(b);
  m.add(a);
  CHECK(m.ns() == ns(40 + 1200));
  m.c.between_tasks = 7;
  CHECK(m.ns() == ns(40 + 1200 + 14));
  const outcome o = m.play();
  CHECK(1e9 * o.what.computing == ns(1200));
  CHECK(1e9 * o.what.most_computing == ns(1200));
  CHECK(1e9 * o.what.launching == ns(40));
  CHECK(o.what.in_runtime == 0);
  CHECK(o.what.launches == 3);
  CHECK(o.events > 0);
}

TEST_CASE("a message that comes while all workers are busy is seen when one is not") {
  made m(2);
  m.p.roles.resize(2);
  m.p.ranks[1].role = 1;
  m.connect(0, 1);
  m.connect(1, 0);
  m.n.within_node.latency = 50;
  m.add(m.site("a", 100), {}, {sent(0), taken(0), taken(0)}); // sends at 100
  const auto answers = m.site("answers", 0);
  const auto takes_long = m.site("takes long", 1000);
  m.add(answers, {}, {sent(0), taken(0), sent(0)}, 1);
  m.add(takes_long, {}, {}, 1);
  m.c.launches.clear();
  CHECK(m.ns() == ns(1050)); // taken at 1000, when the long one has ended
  m.w.has_progress_thread = true;
  CHECK(m.ns() == ns(1000)); // taken at 150, so the answer comes at 200
  m.w.has_progress_thread = false;
  m.p.workers = 2;
  CHECK(m.ns() == ns(1000));
}

TEST_CASE("what launches cost") {
  made m;
  m.add(m.site("a", 0));
  auto& of_a = m.c.launches.begin()->second;
  of_a = {0, 5};
  CHECK(m.ns() == ns(5));
  m.c.any_launch = {30, 40};
  CHECK(m.ns() == ns(5));
  of_a = {0, 0};
  CHECK(m.ns() == ns(30));
  m.c.launches.clear();
  CHECK(m.ns() == ns(30));
  m.loop(0, 1, 1);
  CHECK(m.ns() == ns(40));
  m.w.how.is_traced = false;
  CHECK(m.ns() == ns(30));
}

TEST_CASE("two workers: the other one runs tasks while the main thread launches") {
  made m(1, 2);
  const auto a = m.site("a", 100, 10);
  for(int i = 0; i != 4; ++i)
    m.add(a);
  CHECK(m.ns() == ns(40 + 200));
  // A wait ends a group.
  m = made(1, 2);
  m.site("a", 100, 10);
  m.site("b", 5, 300);
  m.add(0);
  m.wait({1});
  m.add(1);
  CHECK(m.ns() == ns(10 + 100 + 300 + 5));
  m = made(1, 2);
  m.site("a", 100, 10);
  for(int i = 0; i != 65; ++i) // the last one is a group of its own
    m.add(0, i == 0 ? distances{} : distances{1});
  CHECK(m.ns() == ns(640 + 6500));
}

TEST_CASE("one launch waits for others") {
  made m(1, 3);
  const auto a = m.site("a", 100);
  const auto b = m.site("b", 40);
  m.add(a);
  m.add(b);
  m.add(b, {1});
  m.add(a, {1, 3});
  CHECK(m.ns() == ns(200));
  m.add(a, {1}).has_task = false;
  m.add(b, {1});
  CHECK(m.ns() == ns(240));
  CHECK(m.play().what.launches == 5);
}

TEST_CASE("launches without a task end as soon as those before have") {
  made m;
  const auto a = m.site("a", 100, 10);
  for(int i = 0; i != 300; ++i)
    m.add(a, i == 0 ? distances{} : distances{1}).has_task = false;
  CHECK(m.ns() == ns(3000));
  CHECK(m.play().what.launches == 0);
}

TEST_CASE("tasks that send come first, though others are older") {
  made m(2);
  m.p.roles.resize(2);
  m.p.ranks[1].role = 1;
  m.connect(0, 1);
  const auto slow = m.site("slow", 1000);
  m.add(slow);
  m.add(slow);
  m.add(m.site("halo: send", 10), {2}, {sent(0)});
  m.add(m.site("behind", 5000), {}, {taken(0)}, 1);
  CHECK(m.ns() == ns(1010 + 5000));
  const outcome o = m.play();
  CHECK(1e9 * o.what.in_runtime == ns(10 / 2.0));
  CHECK(1e9 * o.what.computing == ns(7000 / 2.0));
}

TEST_CASE("a message takes its time") {
  made m = two_ranks(1000);
  SECTION("and then the task runs") { m.add(m.site("b", 50), {}, {taken(0)}, 1); }
  SECTION("or what is behind the task goes on") {
    m.add(m.site("b", 50), {}, {}, 1);
    m.p.roles[1].launches[0].has_task = false;
    m.add(m.site("c", 50), {1}, {taken(0)}, 1);
  }
  m.n.within_node = {500, 20, 0.1};
  m.n.between_nodes = {3000, 30, 0.5};
  m.n.per_message_of_card = 5;
  CHECK(m.ns() == ns(100 + 20 + 100 + 500 + 20 + 50));
  m.n.ranks_per_node = 1;
  CHECK(m.ns() == ns(100 + 30 + 500 + 3000 + 500 + 30 + 50));
  m.n.per_message_of_card = 600;
  CHECK(m.ns() == ns(100 + 30 + 600 + 3000 + 600 + 30 + 50));
  CHECK(m.play().what.messages == 1);
  CHECK(m.play().what.bytes == 1000);
}

TEST_CASE("a launch that needs a message leaves its worker to others") {
  made m = two_ranks();
  m.connect(1, 0);
  m.n.within_node.latency = 1000;
  m.add(m.site("b", 50), {}, {sent(0), taken(0)}, 1); // at rest from 50 until 1100
  m.add(m.site("c", 700), {}, {}, 1);
  m.add(m.site("d", 1), {2}, {}, 1);
  CHECK(m.ns() == ns(1101));
  m.c.between_tasks = 10;
  CHECK(m.ns() == ns(1101));
  m.n.within_node.per_message = 3;
  CHECK(m.ns() == ns(100 + 3 + 1000 + 3 + 1));
  // Before its task it needs none either.
  m = two_ranks();
  m.n.within_node.latency = 1000;
  m.add(m.site("b", 50), {}, {taken(0)}, 1);
  m.add(m.site("c", 700), {}, {}, 1);
  CHECK(m.ns() == ns(1150));
}

TEST_CASE("sending occupies the worker") {
  made m = two_ranks();
  m.p.roles[0].actions.assign(3, sent(0));
  m.p.roles[0].launches[0].actions = 3;
  m.add(0);
  m.n.within_node.per_message = 10;
  CHECK(m.ns() == ns(230));
  m.n = {};
  m.n.ranks_per_node = 1;
  m.n.between_nodes.per_message = 10;
  CHECK(m.ns() == ns(230));
}

TEST_CASE("a chain across ranks") {
  made m(5);
  m.p.roles.resize(3);
  const auto a = m.site("a", 100);
  m.add(a, {}, {sent(0)}, 0);
  m.add(a, {}, {taken(0), sent(0)}, 1);
  m.add(a, {}, {taken(0)}, 2);
  for(std::uint32_t r = 1; r != 5; ++r) {
    m.connect(r - 1, r, r);
    m.p.ranks[r].role = r == 4 ? 2 : 1;
  }
  m.n.within_node.latency = 10;
  m.n.between_nodes.latency = 1000;
  CHECK(m.ns() == ns(540));
  m.n.ranks_per_node = 2;
  CHECK(m.ns() == ns(500 + 2 * 10 + 2 * 1000));
}

TEST_CASE("a card sends one message after the other, and takes them so") {
  // Three ranks of one node send at the same time to three of another one, or all to one node from three.
  made m(6);
  m.p.roles.resize(2);
  m.add(m.site("a", 100), {}, {sent(0, 1000)}, 0);
  m.add(m.site("b", 7), {}, {taken(0)}, 1);
  for(std::uint32_t r = 0; r != 6; ++r)
    m.p.ranks[r].role = r / 3;
  for(std::uint32_t r = 0; r != 3; ++r)
    m.connect(r, 3 + r);
  m.n.between_nodes = {5000, 0, 0.2};
  m.n.ranks_per_node = 3;
  CHECK(m.ns() == ns(100 + 3 * 200 + 5000 + 200 + 7));
  m.n.ranks_per_node = 1;
  CHECK(m.ns() == ns(100 + 200 + 5000 + 200 + 7));

  made one(4);
  one.p.roles.resize(2);
  one.add(one.site("a", 100), {}, {sent(0, 1000)}, 0);
  one.add(one.site("b", 7), {}, {taken(0), taken(1), taken(2)}, 1);
  one.p.ranks[3].role = 1;
  for(std::uint32_t r = 0; r != 3; ++r)
    one.connect(r, 3);
  one.n = m.n;
  CHECK(one.ns() == ns(100 + 200 + 5000 + 3 * 200 + 7));
}

TEST_CASE("messages of a stream are taken in the order in which they come") {
  made m = two_ranks();
  m.add(m.site("later", 900), {1}, {sent(0)});
  const auto b = m.site("b", 10);
  m.add(b, {}, {taken(0)}, 1);
  m.add(b, {}, {taken(0)}, 1);
  m.add(m.site("between", 300), {2}, {}, 1);
  CHECK(m.ns() == ns(1010));
  // Nobody has to wait for them.
  made early = two_ranks();
  early.add(0, {1}, {sent(0)});
  early.add(early.site("long", 5000), {}, {}, 1);
  early.add(early.site("b", 10), {1}, {taken(0), taken(0)}, 1);
  CHECK(early.ns() == ns(5010));
}

TEST_CASE("the window: a full one is half emptied before launching goes on") {
  made m;
  const auto a = m.site("a", 100, 10);
  for(int i = 0; i != 6; ++i)
    m.add(a);
  m.w.window = 4;
  CHECK(m.ns() == ns(660)); // one worker does the same in another order
  m.p.workers = 2;
  // Launches until 40; 40-240 four tasks by two; two end at 140: two launches until 160, one worker runs the third.
  // Then 140-240 the third, 160-260 the fourth, 240-340 and 260-360 the others.
  CHECK(m.ns() == ns(360));
  m.w.window = 6; // launches until 60, six tasks by two
  CHECK(m.ns() == ns(360));
  m.w.window = 1; // 10-110 a task, by the other; then the next
  CHECK(m.ns() == ns(660));
  m.w.window =
    2; // launches until 20, 20-120 two tasks; one has ended at 120, and the other: as they are two
  CHECK(m.ns() == ns(3 * 120));
}

TEST_CASE("waits of the main thread") {
  made m;
  const auto a = m.site("a", 100, 10);
  m.add(a);
  m.wait({1});
  m.add(a);
  CHECK(m.ns() == ns(220));
  m.p.workers = 2;
  CHECK(m.ns() == ns(220));
  m = made(1, 3);
  m.site("a", 100, 10);
  m.site("b", 500, 10);
  m.add(0);
  m.add(1);
  m.wait({2}); // for the short one only
  m.add(0);
  CHECK(m.ns() == ns(520));
  m.p.roles[0].launches[2].waits_for_all = true;
  CHECK(m.ns() == ns(520 + 110));
}

TEST_CASE("a loop is unrolled, and so are distances in it") {
  made m(1, 8);
  const auto a = m.site("a", 100);
  const auto b = m.site("b", 30);
  m.add(b);
  m.add(a, {2});    // the one of the repetition before; in the first that of the begin is one back
  m.add(a, {5});    // two repetitions before, and the begin never
  m.add(a, {2, 1}); // behind the loop: waits for both of the last repetition
  m.loop(1, 3, 7);
  CHECK(m.ns() == ns(800));
  m.p.roles[0].repetitions = 3;
  CHECK(m.ns() == ns(400));
  CHECK(m.play().what.launches == 8);
  m.p.roles[0].before[0] = 1; // the first of each repetition waits for the second of the one before
  CHECK(m.ns() == ns(30 + 100 + 100 + 100));
  m.p.roles[0].before[1] = 1; // and that for the first
  CHECK(m.ns() == ns(30 + 600 + 100));
  m.p.roles[0].repetitions = 100;
  CHECK(m.ns() == ns(30 + 200 * 100 + 100));
  m.p.roles[0].before[2] = 200; // behind the loop, for the first of all
  m.p.roles[0].before[3] = 201;
  CHECK(m.ns() == ns(30 + 200 * 100));
}

TEST_CASE("a blocking loop waits for each result") {
  made m(1, 2);
  const auto a = m.site("a", 100, 10);
  m.add(a).has_result = true;
  m.add(a);
  m.wait({1});
  m.loop(0, 3, 10);
  // All launches at once, 20 tasks for two workers.
  CHECK(m.ns() == ns(200 + 1000));
  // Launches and their tasks take turns.
  m.w.how.is_blocking = true;
  CHECK(m.ns() == ns(10 * 220));
  m.p.roles[0].launches[0].has_result = false;
  CHECK(m.ns() == ns(10 * 120));
  // Behind the loop, waits are kept, and results are not waited for.
  m.w.how.is_blocking = false;
  m.p.roles[0].launches[0].has_result = true;
  m.loop(0, 0, 0);
  m.add(a);
  CHECK(m.ns() == ns(20 + 100 + 10 + 100));
  m.loop(0, 3, 1);
  CHECK(m.ns() == ns(30 + 200));
  m.p.roles[0].launches[2].waits_for_all = true;
  CHECK(m.ns() == ns(20 + 100 + 10 + 100));
}

TEST_CASE("a butterfly: each rank needs all others") {
  made m(8);
  actions all;
  for(std::uint32_t k = 0; k != 3; ++k) {
    all.push_back(sent(k, 8));
    all.push_back(taken(k));
  }
  for(std::uint32_t r = 0; r != 8; ++r)
    for(std::uint32_t k = 0; k != 3; ++k) {
      m.p.ranks[r].out.push_back({r ^ 1U << k, 9});
      m.p.ranks[r].in.push_back({r ^ 1U << k, 9});
    }
  m.add(m.site("reduction: sum", 50), {}, all);
  m.add(m.site("a", 1000), {1});
  m.loop(0, 2, 4);
  m.p.roles[0].before.assign(1, 1);
  m.p.roles[0].launches[0].befores = 1;
  m.n.within_node = {100, 7, 0};
  CHECK(m.ns() == ns(4 * (1000 + 50 + 3 * (100 + 14))));
  m.n.ranks_per_node = 1;
  m.n.between_nodes = {300, 9, 0};
  m.n.per_message_of_card = 11;
  CHECK(m.ns() == ns(4 * (1000 + 50 + 3 * (300 + 18 + 22))));
  CHECK(m.play().what.messages == 96);
  // One that is late delays all; what it takes is there then, but for the first time.
  m.p.roles.push_back(m.p.roles[0]);
  m.p.ranks[5].role = 1;
  m.p.roles[1].launches[1].site = m.site("slow", 3000);
  const outcome o = m.play();
  CHECK(1e9 * o.what.seconds == ns(4 * 3000 + (50 + 3 * 340) + 3 * (50 + 3 * 18)));
  CHECK(1e9 * o.what.most_computing == ns(4 * 3000));
  CHECK(1e9 * o.what.computing == ns(4 * (7 * 1000 + 3000) / 8.0));
}

TEST_CASE("a rank that waits for what never comes is stuck") {
  made m = two_ranks();
  m.add(m.site("b", 50), {}, {taken(0)}, 1);
  m.add(0, {1}, {}, 1);
  CHECK(m.play().stuck == 0);
  m.p.ranks[0].out[0].channel = 1; // which nobody takes
  CHECK(m.play().stuck == 1);
  CHECK(m.play().what.messages == 1);
  CHECK(1e9 * m.play().what.seconds == ns(100));
  m.p.roles[1].launches[0].actions = 0;
  CHECK(m.play().stuck == 0);
}

TEST_CASE("times are drawn by what a task is") {
  made m(20);
  const auto a = m.site("a", 0);
  for(int i = 0; i != 50; ++i)
    m.add(a);
  task_times& t = m.c.tasks.begin()->second;
  t.levels = {1000, 2000};
  t.spread = {0.5, 1.5};
  const auto seconds = [&] { return m.play().what.seconds; };
  const double first = seconds();
  CHECK(first == seconds());
  const components c = m.play().what;
  CHECK(c.most_computing < 120e-6);
  CHECK(c.most_computing > 80e-6);
  CHECK(c.computing == Approx(75e-6).epsilon(0.2));
  // Not by when it runs, nor on which worker.
  m.p.workers = 7;
  m.c.between_tasks = 1000;
  CHECK(m.play().what.computing == c.computing);
  CHECK(m.play().what.most_computing == c.most_computing);
  m.p.sites.insert(m.p.sites.begin(), {"other", ""});
  for(launch& l : m.p.roles[0].launches)
    l.site = 1;
  CHECK(m.play().what.computing == c.computing);
  m.w.seed = 2;
  CHECK(m.play().what.computing != c.computing);
  // Nor by how many ranks there are: the first ones do the same.
  m.w.seed = 1;
  m.p.ranks.resize(1);
  const double of_first = m.play().what.computing;
  m.p.ranks.resize(2);
  CHECK(m.play().what.computing != of_first);
  CHECK(m.play().what.most_computing >= of_first);
  // A task lies between two times.
  m.p.ranks.resize(1);
  m.p.roles[0].launches.resize(1);
  t.levels = {1000};
  CHECK(m.ns() > 500);
  CHECK(m.ns() < 1500);
  t.spread = {};
  CHECK(m.ns() == ns(1000));
}

TEST_CASE("tasks that were not measured") {
  made m;
  m.p.sites = {{"halo: send", ""}, {"task::new", "b.cpp:2"}};
  m.add(0);
  CHECK(m.ns() == ns(1000));
  m.add(1).has_task = false;
  CHECK(m.ns() == ns(1000));
  m.p.roles[0].launches[1].has_task = true;
  CHECK_THROWS_WITH(
    m.play(), Catch::Contains("the measured run has no task " + key_of("task::new", "b.cpp:2")));
}

TEST_CASE("a plan that is broken is refused") {
  made m = two_ranks();
  m.add(m.site("b", 50), {}, {taken(0)}, 1);
  CHECK(m.play().stuck == 0);
  const auto refused = [&](auto&& change) {
    made broken = m;
    change(broken.p);
    CHECK_THROWS_WITH(broken.play(), Catch::StartsWith("the plan is broken: "));
  };
  refused([](plan& p) { p.ranks[0].role = 2; });
  refused([](plan& p) { p.ranks[0].out[0].peer = 2; });
  refused([](plan& p) { p.ranks[1].in.clear(); });
  refused([](plan& p) { p.roles[0].launches[0].site = 2; });
  refused([](plan& p) { p.roles[0].launches[0].actions = 2; });
  refused([](plan& p) { p.roles[0].launches[0].befores = 1; });
  refused([](plan& p) { p.roles[0].loop_end = 2; });
  refused([](plan& p) { p.roles[0].loop_begin = 1; });
  refused([](plan& p) {
    p.roles[0].before = {0};
    p.roles[0].launches[0].befores = 1;
  });
  m.p = {};
  CHECK(m.play().what.seconds == 0);
}
