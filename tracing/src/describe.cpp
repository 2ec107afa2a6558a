#include "describe.hpp"

#include <initializer_list>
#include <string>
#include <unordered_map>

#include <rondo/core/place.hpp>

namespace rondo::detail::inline tracing {

namespace {

std::string call(const launch_kind* kind, region_base* const* regions, const char* name) {
  std::string all = *name == '\0' ? "task" : name;
  all += '(';
  constexpr std::size_t most = 12; // a list of accesses may have thousands
  const std::size_t told = kind->accesses > most + 1 ? most : kind->accesses;
  for(std::size_t i = 0; i != told; ++i) {
    const char* const region = regions[i]->name();
    all += i == 0 ? "" : ", ";
    all += *region == '\0' ? "region" : region;
    all += ' ';
    all += word_for(kind->modes[i]);
  }
  if(told != kind->accesses)
    all += " and " + std::to_string(kind->accesses - told) + " more";
  return all += ')';
}

} // namespace

const char* word_for(access_mode m) {
  static constexpr const char* words[] = {"", "read", "write", "commute", "reduce", "write_part"};
  return words[static_cast<unsigned>(m)];
}

namespace {
std::string with_place(std::string launch, const std::source_location& where) {
  return where.line() == 0 ? launch : launch + " at " + place(where);
}
} // namespace

std::string describe(const token& t) {
  return with_place(call(t.kind, t.regions, t.name), t.where);
}

std::string describe_with_hints(const token& t) {
  const char* const hints = t.kind->hints != nullptr ? ", with a priority or worker,"
                                                     : ", with neither priority nor worker,";
  return with_place(call(t.kind, t.regions, t.name) + hints, t.where);
}

std::string describe(const template_node& n) { return describe(n.as_token()); }

namespace {

/// Writes a template for graphviz.
class dot_writer {
public:
  explicit dot_writer(const trace_template& t) {
    for(std::uint32_t i = 0; i != t.size(); ++i) {
      if(t[i].done != nullptr)
        names_[t[i].done] = name('t', i);
      if(t[i].folded != nullptr)
        names_[t[i].folded] = name('f', i);
    }
    for(std::uint32_t i = 0; i != t.size(); ++i)
      if(!t[i].is_left_out)
        write(t[i]);
  }
  std::string text() const { return "digraph trace {\n  node [shape=box];\n" + lines_ + "}\n"; }

private:
  static std::string name(char kind, std::uint32_t i) {
    std::string s(1, kind);
    return s += std::to_string(i);
  }
  void line(std::initializer_list<std::string> parts) {
    lines_ += "  ";
    for(const std::string& p : parts)
      lines_ += p;
    lines_ += ";\n";
  }
  void write_edges(const edge* e, std::uint32_t n, const std::string& to) {
    for(std::uint32_t i = 0; i != n; ++i)
      line({names_[&e[i].from()], " -> ", to,
        e[i].turn(0) == 0 ? " [style=dashed, constraint=false]" : ""});
  }
  void write(const template_node& n) {
    const std::string self = name('t', n.index);
    if(n.is_join()) {
      line({self, " [shape=point]"});
      write_edges(n.edges, n.edge_count, self);
      return;
    }
    line({self, " [label=\"", escaped(call(n.kind, n.regions, n.name)), "\", tooltip=\"",
      escaped(place(n.where)), "\"]"});
    write_edges(n.edges, n.edge_count, self);
    if(n.folded == nullptr)
      return;
    const std::string& fold = names_[n.folded];
    line({fold, " [label=\"fold\", shape=ellipse]"});
    line({self, " -> ", fold});
    write_edges(n.fold_edges, n.fold_edge_count, fold);
  }

  std::unordered_map<const progress*, std::string> names_;
  std::string lines_;
};

} // namespace

std::string dot(const trace_template& t) { return dot_writer(t).text(); }

} // namespace rondo::detail::inline tracing
