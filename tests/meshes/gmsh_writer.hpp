#pragma once

// Small meshes, as Gmsh would write them in each of its formats.

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "file_of_test.hpp"

enum class format { text_2, binary_2, text_4, binary_4 };
inline constexpr std::array all_formats{
  format::text_2, format::binary_2, format::text_4, format::binary_4};
inline bool is_binary(format f) { return f == format::binary_2 || f == format::binary_4; }
inline bool is_version_4(format f) { return f == format::text_4 || f == format::binary_4; }

struct written_node {
  std::int64_t number;
  std::array<double, 3> at;
};
struct written_element {
  std::int64_t number;
  int type;
  int entity;
  std::vector<std::int64_t> nodes;
};
using entity_key = std::pair<int, int>; // dimension and number
struct written_mesh {
  std::vector<written_node> nodes;
  std::vector<written_element> elements;
  std::map<entity_key, std::vector<int>> groups; // of entities
  std::map<entity_key, std::string> names;       // of groups
};

inline int dimension_of(int type) {
  return type == 15 ? 0 : type == 1 || type == 8 ? 1 : type == 2 || type == 3 || type == 9 ? 2 : 3;
}

/// Numbers as text with blanks, or as bytes.
class number_writer {
public:
  explicit number_writer(bool binary) : is_binary_(binary) { out_.precision(17); }

  void text(const std::string& t) { out_ << t; }
  void integer(std::int64_t value) { number(static_cast<std::int32_t>(value), value); }
  void size(std::int64_t value) { number(static_cast<std::uint64_t>(value), value); }
  void real(double value) { number(value, value); }
  void end_line() {
    if(!is_binary_)
      out_ << "\n";
  }
  void end_section(const std::string& name) {
    out_ << (is_binary_ ? "\n" : "") << "$End" << name << "\n";
  }
  [[nodiscard]] std::string done() const { return out_.str(); }

private:
  template<class Bytes, class Text>
  void number(Bytes bytes, Text value) {
    if(is_binary_)
      out_.write(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    else
      out_ << value << ' ';
  }

  bool is_binary_;
  std::ostringstream out_;
};

inline std::string header(const written_mesh& m, format f) {
  number_writer w(is_binary(f));
  w.text(std::string("$MeshFormat\n") + (is_version_4(f) ? "4.1" : "2.2") +
         (is_binary(f) ? " 1 8\n" : " 0 8\n"));
  if(is_binary(f))
    w.integer(1);
  w.end_section("MeshFormat");
  if(m.names.empty())
    return w.done();
  w.text("$PhysicalNames\n" + std::to_string(m.names.size()) + "\n");
  for(const auto& [group, name] : m.names)
    w.text(
      std::to_string(group.first) + " " + std::to_string(group.second) + " \"" + name + "\"\n");
  w.text("$EndPhysicalNames\n");
  return w.done();
}

inline std::string body_2(const written_mesh& m, bool binary) {
  number_writer w(binary);
  w.text("$Nodes\n" + std::to_string(m.nodes.size()) + "\n");
  for(const auto& node : m.nodes) {
    w.integer(node.number);
    for(const double x : node.at)
      w.real(x);
    w.end_line();
  }
  w.end_section("Nodes");

  // Once for each group, with a number of its own.
  std::vector<std::pair<written_element, int>> records;
  for(const auto& e : m.elements) {
    const auto of = m.groups.find({dimension_of(e.type), e.entity});
    const auto groups = of != m.groups.end() ? of->second : std::vector<int>{0};
    for(std::size_t i = 0; i != groups.size(); ++i) {
      records.emplace_back(e, groups[i]);
      if(i > 0)
        records.back().first.number = e.number * 1000 + static_cast<std::int64_t>(i);
    }
  }
  w.text("$Elements\n" + std::to_string(records.size()) + "\n");
  for(std::size_t i = 0; i != records.size(); ++i) {
    const auto& [e, group] = records[i];
    if(binary && (i == 0 || e.type != records[i - 1].first.type)) {
      std::size_t behind = i;
      while(behind != records.size() && records[behind].first.type == e.type)
        ++behind;
      w.integer(e.type);
      w.integer(static_cast<std::int64_t>(behind - i));
      w.integer(2);
    }
    w.integer(e.number);
    if(!binary) {
      w.integer(e.type);
      w.integer(2);
    }
    w.integer(group);
    w.integer(e.entity);
    for(const auto node : e.nodes)
      w.integer(node);
    w.end_line();
  }
  w.end_section("Elements");
  return w.done();
}

inline void entities_4(number_writer& w, const written_mesh& m) {
  w.text("$Entities\n");
  for(int d = 0; d != 4; ++d) {
    std::int64_t n = 0;
    for(const auto& [entity, groups] : m.groups)
      n += entity.first == d;
    w.size(n);
  }
  w.end_line();
  for(const auto& [entity, groups] : m.groups) {
    w.integer(entity.second);
    for(int i = 0; i != (entity.first == 0 ? 3 : 6); ++i)
      w.real(i * .5);
    w.size(static_cast<std::int64_t>(groups.size()));
    for(const int g : groups)
      w.integer(g);
    if(entity.first != 0) {
      w.size(2); // its ends
      w.integer(1);
      w.integer(-2);
    }
    w.end_line();
  }
  w.end_section("Entities");
}

inline std::string body_4(const written_mesh& m, bool binary) {
  number_writer w(binary);
  entities_4(w, m);

  // Two blocks, one of them with parameters, and an empty one.
  const std::size_t first = m.nodes.size() / 2;
  w.text("$Nodes\n");
  w.size(3);
  w.size(static_cast<std::int64_t>(m.nodes.size()));
  w.size(1);
  w.size(1'000'000);
  w.end_line();
  const std::array<std::array<std::size_t, 3>, 3> blocks{
    {{0, first, 2}, {first, first, 0}, {first, m.nodes.size(), 0}}};
  for(const auto& [from, to, parameters] : blocks) {
    w.integer(2);
    w.integer(1);
    w.integer(parameters != 0);
    w.size(static_cast<std::int64_t>(to - from));
    w.end_line();
    for(std::size_t i = from; i != to; ++i) {
      w.size(m.nodes[i].number);
      w.end_line();
    }
    for(std::size_t i = from; i != to; ++i) {
      for(const double x : m.nodes[i].at)
        w.real(x);
      for(std::size_t p = 0; p != parameters; ++p)
        w.real(.25);
      w.end_line();
    }
  }
  w.end_section("Nodes");

  const auto same_block = [](const written_element& a, const written_element& b) {
    return a.type == b.type && a.entity == b.entity;
  };
  std::int64_t heads = 0;
  for(std::size_t i = 0; i != m.elements.size(); ++i)
    heads += i == 0 || !same_block(m.elements[i], m.elements[i - 1]);
  w.text("$Elements\n");
  w.size(heads);
  w.size(static_cast<std::int64_t>(m.elements.size()));
  w.size(1);
  w.size(1'000'000);
  w.end_line();
  for(std::size_t i = 0; i != m.elements.size(); ++i) {
    const auto& e = m.elements[i];
    if(i == 0 || !same_block(e, m.elements[i - 1])) {
      std::size_t behind = i;
      while(behind != m.elements.size() && same_block(m.elements[behind], e))
        ++behind;
      w.integer(dimension_of(e.type));
      w.integer(e.entity);
      w.integer(e.type);
      w.size(static_cast<std::int64_t>(behind - i));
      w.end_line();
    }
    w.size(e.number);
    for(const auto node : e.nodes)
      w.size(node);
    w.end_line();
  }
  w.end_section("Elements");
  return w.done();
}

inline std::string bytes_of(const written_mesh& m, format f) {
  return header(m, f) + (is_version_4(f) ? body_4(m, is_binary(f)) : body_2(m, is_binary(f)));
}

/// Two triangles with a floor of one edge, a wall of two, and a corner; node 9 belongs to nothing.
inline written_mesh two_triangles() {
  return {
    .nodes = {{4, {1, 1, 0}}, {1, {0, 0, 0}}, {2, {1, 0, .125}}, {9, {5, 5, 5}}, {3, {0, 1, 0}}},
    .elements = {{1, 15, 1, {1}}, {2, 1, 1, {1, 2}}, {3, 1, 2, {2, 4}}, {4, 1, 2, {4, 3}},
      {5, 2, 1, {1, 2, 3}}, {6, 2, 1, {2, 4, 3}}},
    .groups = {{{0, 1}, {3}}, {{1, 1}, {1}}, {{1, 2}, {7}}, {{2, 1}, {1}}},
    .names = {{{1, 1}, "the floor"}, {{2, 1}, "all"}, {{0, 3}, "corner"}},
  };
}

/// n by n squares, some of them cut into two triangles; squares in two groups on the left.
inline written_mesh triangles_and_quads(int n) {
  written_mesh m;
  const auto node = [&](int i, int j) { return std::int64_t{1} + j * (n + 1) + i; };
  for(int j = 0; j <= n; ++j)
    for(int i = 0; i <= n; ++i)
      m.nodes.push_back({node(i, j), {i * .5, j * .25, 0}});
  std::int64_t number = 1;
  for(int i = 0; i != n; ++i)
    m.elements.push_back({number++, 1, 1, {node(i, 0), node(i + 1, 0)}});
  for(int j = 0; j != n; ++j)
    for(int i = 0; i != n; ++i) {
      const auto a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1), d = node(i, j + 1);
      const int entity = i < n / 2 ? 1 : 2;
      if((i + j) % 3 != 0)
        m.elements.push_back({number++, 3, entity, {a, b, c, d}});
      else {
        m.elements.push_back({number++, 2, entity, {a, b, c}});
        m.elements.push_back({number++, 2, entity, {a, c, d}});
      }
    }
  m.groups = {{{1, 1}, {1}}, {{2, 1}, {1, 2, 5}}, {{2, 2}, {1}}};
  m.names = {{{1, 1}, "floor"}, {{2, 1}, "all"}, {{2, 2}, "left \"half\""}};
  return m;
}

/// One element of each kind of volume, and the faces of some.
inline written_mesh volumes() {
  written_mesh m;
  for(int i = 0; i != 12; ++i)
    m.nodes.push_back({i + 1, {i % 2 * 1., i / 2 % 2 * 1., i / 4 * 1.}});
  m.elements = {{1, 2, 1, {1, 2, 3}}, {2, 3, 1, {1, 2, 4, 3}}, {3, 4, 1, {1, 2, 3, 5}},
    {4, 4, 1, {2, 3, 5, 6}}, {5, 5, 1, {1, 2, 4, 3, 5, 6, 8, 7}}, {6, 6, 1, {5, 6, 7, 9, 10, 11}},
    {7, 7, 1, {5, 6, 8, 7, 12}}};
  m.groups = {{{2, 1}, {4}}};
  m.names = {{{2, 4}, "inlet"}};
  return m;
}
