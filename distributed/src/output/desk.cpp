#include "desk.hpp"

#include <algorithm>
#include <exception>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <rondo/core/place.hpp>
#include <rondo/core/planned.hpp>
#include <rondo/tracing/later.hpp>

#include "../failure.hpp"
#include "reading.hpp"
#include "request.hpp"

namespace rondo::detail::inline distributed {

namespace {
/// Does `f`, and keeps why that failed, unless something has failed before.
template<class F>
void try_to(std::string& error, const F& f) {
  try {
    f();
  }
  catch(const std::exception& e) {
    if(error.empty())
      error = e.what();
  }
}

/// Each once: all arrays of a cloud are of one field.
std::span<const stored_field> used_fields(const file_request& r) {
  const std::span all(r.fields);
  return r.is_cloud ? all.first(1) : all;
}

/// The accesses of a color's launch to the fields; `has_global`: also of what all ranks have.
std::vector<region_access> accesses(const file_request& r, std::size_t c, bool is_written,
  bool has_global, const std::source_location& where) {
  std::vector<region_access> all;
  for(const stored_field& f : used_fields(r))
    if(f.what_for != stored_for::all || has_global) {
      region<color_block>& values = f.state->owned(f.state->seen_by(c));
      all.emplace_back(is_written ? region_access(rondo::write(values, where))
                                  : region_access(rondo::read(values, where)));
    }
  return all;
}

/// What all ranks have, to be read by each.
std::vector<region_access> accesses_to_global(
  const file_request& r, const std::source_location& where) {
  std::vector<region_access> all;
  for(const stored_field& f : r.fields)
    if(f.what_for == stored_for::all)
      all.emplace_back(rondo::write(f.state->owned(0), where));
  return all;
}

open_file not_yet_open(const file_request& r, const file_turn& t) {
  return {{}, t.path + ".part", t, contents_of(r), {}, {}};
}

constexpr const char* opening = "write: open";

/// How many values the rows of each ragged field have.
void note_counts(file_contents& c, const row_counts& counts) {
  auto next = counts.begin();
  for(file_contents::values& a : c.fields)
    if(a.what_for == stored_for::rows)
      a.count = *next++;
}
} // namespace

struct output_desk::begun {
  struct array {
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
  };
  std::array<array, most_stored_arrays> arrays{};
  std::array<std::uint64_t, mesh_arrays> mesh{};
  std::uint64_t has_room = 0; ///< Without room nothing is written.
};

struct output_desk::ended {
  std::array<char, 500> why{}; ///< Empty unless it has failed.
};

output_desk::output_desk(scheduler& s)
    : s_(s), single_(s.launches(), turn_, "file"), writing_(s.launches(), open_, "file"),
      reading_(s.launches(), input_, "file"), disk_(s.home()) {}

output_desk& output_desk::of(scheduler& s) {
  if(s.output_ == nullptr)
    s.output_ = std::make_unique<output_desk>(s);
  return *s.output_;
}

staging& output_desk::staging_for(const topology_state& t) {
  return staging_.try_emplace(t.number(), s_.launches(), t.local_colors()).first->second;
}

/// Before anything is launched: all arguments, on all ranks; and what the fields' ghosts need.
const file_format& output_desk::check(
  file_request& r, const char* task, const std::source_location& where, bool is_written) {
  const file_format* kind = nullptr;
  try {
    kind = r.is_cloud                ? &format_of_cloud(r.path)
           : r.mesh.shape == nullptr ? &format_of(r.path)
                                     : &format_of_unstructured(r.path);
    if(!r.is_cloud && kind->has_clouds())
      throw std::invalid_argument("'" + r.path +
                                  "': .vtp is for clouds, s.write_cloud<&atom::position>(path, "
                                  "mesh, atoms), which are not read again");
    if((r.is_cloud || r.mesh.shape != nullptr) && (r.in_space.origin != mesh_in_space().origin ||
                                                    r.in_space.spacing != mesh_in_space().spacing))
      throw std::invalid_argument(
        "'" + r.path +
        (r.is_cloud ? "': a cloud has positions of its own"
                    : "': an unstructured mesh says itself where its vertices are") +
        "; leave out the option .where");
    sort_out(r);
    if(is_written)
      kind->check(r.path, r.mesh, r.fields);
  }
  catch(const std::exception& e) {
    throw std::invalid_argument(place(where) + ": " + without_name(e.what()));
  }
  std::vector<launch_argument> uses{{r.mesh.state, nullptr, na, na, 0}};
  // To write what all ranks have is refused to tasks over a mesh, and right here: all read the same.
  std::vector<launch_argument> of_all;
  std::uint64_t hash = hash_of_letters(r.path);
  for(const stored_field& f : used_fields(r)) {
    const launch_argument u{&f.state->of(), f.state, is_written ? ro : wo, na, 0};
    (is_written || f.what_for != stored_for::all ? uses : of_all).push_back(u);
    hash = 31 * hash + f.state->number();
  }
  s_.begin_launch(step_kind::execute, {task, where}, hash, uses);
  uses.insert(uses.end(), of_all.begin(), of_all.end());
  s_.launch_ghosts(uses, where);
  return *kind;
}

std::optional<output_desk::collectives> output_desk::find_collectives(const file_request& r) {
  static constexpr char tags[4]{};
  const topology_state& over = *r.mesh.state;
  collectives c{
    nullptr, nullptr, s_.collective_of<failures>(&tags[0], over.number(), over.cut()), nullptr};
  if(c.failed == nullptr)
    return {};
  if(std::ranges::any_of(r.fields, [](const stored_field& f) { return f.state->has_rows(); })) {
    c.rows = s_.collective_of<counts_before>(&tags[3], 0);
    if(c.rows == nullptr)
      return {};
  }
  if(s_.ranks() > 1) {
    c.start = s_.collective_of<broadcast>(&tags[1], 0, s_.rank(), s_.ranks(), sizeof(begun));
    c.end = s_.collective_of<broadcast>(&tags[2], 0, s_.rank(), s_.ranks(), sizeof(ended));
    if(c.start == nullptr || c.end == nullptr)
      return {};
  }
  return c;
}

// ---- writing ---------------------------------------------------------------------------------

/// Which file it is.
void output_desk::launch_turn(
  const request& r, region<file_turn>& turn, const std::source_location& where) {
  s_.launches().submit(named(
                         "write: which file",
                         [r](file_turn& t) {
                           if(is_only_planned)
                             t = {r->path, 0, true};
                           else if(r->numbers != nullptr)
                             r->numbers->count(t);
                           else
                             t = {r->path, 0, false};
                         },
                         where),
    rondo::write(turn, where));
}

/// On rank 0 the file is made, when it is known how long it will be ...
void output_desk::launch_creation(const request& r, const file_format& kind,
  region<file_turn>& turn, const future<double>& time, const collectives& c,
  const std::source_location& where) {
  flow& launches = s_.launches();
  const auto create = [this, r, &kind, rows = c.rows](
                        rondo::completion done, open_file& o, const file_turn& t, double at) {
    o = not_yet_open(*r, t);
    o.contents.time = at;
    if(rows != nullptr)
      note_counts(o.contents, rows->all());
    if(t.is_left_out) {
      done();
      return;
    }
    disk_.post([&kind, done, &o] {
      try_to(o.error, [&] {
        make_directory_of(o.turn.path);
        kind.create(o.part, o.contents);
        o.file = system_file(o.part, system_file::mode::write);
      });
      done();
    });
  };
  std::vector<region_access> counts;
  if(c.rows != nullptr)
    counts.emplace_back(rondo::read(c.rows->as_region(), where));
  const auto launch = [&](const auto& at) {
    launches.submit(ends_later(opening, create, where), rondo::write(writing_, where),
      rondo::read(turn, where), at, counts);
  };
  if(time.valid())
    launch(time);
  else
    launch(no_time);
  if(c.start == nullptr)
    return;
  launches.submit(named(
                    opening,
                    [](const open_file& o, sent_value& sent) {
                      begun b;
                      b.has_room = o.file.is_open() ? 1 : 0;
                      for(std::size_t i = 0; i != o.contents.fields.size(); ++i)
                        b.arrays[i] = {o.contents.fields[i].offset, o.contents.fields[i].count};
                      if(o.contents.mesh.has_value())
                        b.mesh = o.contents.mesh->offsets;
                      sent.set(b);
                    },
                    where),
    rondo::read(writing_, where), rondo::write(c.start->value(), where));
  c.start->send(launches, opening, where);
}

/// ... and the others hear where they find the room for what they have.
void output_desk::launch_opening(
  const request& r, region<file_turn>& turn, broadcast& start, const std::source_location& where) {
  flow& launches = s_.launches();
  start.launch_receive(launches, opening, where);
  launches.submit(named(
                    opening,
                    [r](open_file& o, const file_turn& t, const sent_value& sent) {
                      const auto b = sent.as<begun>();
                      o = not_yet_open(*r, t);
                      for(std::size_t i = 0; i != o.contents.fields.size(); ++i) {
                        o.contents.fields[i].offset = b.arrays[i].offset;
                        o.contents.fields[i].count = b.arrays[i].count;
                      }
                      if(o.contents.mesh.has_value())
                        o.contents.mesh->offsets = b.mesh;
                      // A rank without colors writes nothing.
                      if(b.has_room != 0 && !r->mesh.colors.empty())
                        try_to(
                          o.error, [&] { o.file = system_file(o.part, system_file::mode::write); });
                    },
                    where),
    rondo::write(writing_, where), rondo::read(turn, where), rondo::read(start.value(), where));
}

/// The program goes on when its colors are copied.
void output_desk::launch_copies(
  const request& r, const copies& to, region<file_turn>& turn, const std::source_location& where) {
  for(std::size_t c = 0; c != r->mesh.colors.size(); ++c) {
    const std::vector<region_access> fields =
      accesses(*r, c, false, r->mesh.colors[c].has_global(), where);
    s_.launches().submit(named(
                           "write: copy",
                           [r, values = to.values, c](staged_color& /*to*/, const file_turn& t) {
                             if(!t.is_left_out)
                               values->take(r->mesh, c, r->fields);
                           },
                           where),
      rondo::write(to.regions.of(c), where), rondo::read(turn, where), fields);
  }
}

/// How many values they have: then rank 0 knows how long the file is, and each rank where its own go.
void output_desk::launch_count_of_rows(const request& r, const copies& in, counts_before& rows,
  region<file_turn>& turn, const std::source_location& where) {
  std::vector<region_access> all;
  for(std::size_t c = 0; c != r->mesh.colors.size(); ++c)
    all.emplace_back(rondo::write(in.regions.of(c), where));
  s_.launches().submit(
    ends_later(
      "write: rows",
      [r, values = in.values](rondo::completion done, counts_before& counted, const file_turn& t) {
        counted.begin(
          t.is_left_out ? row_counts{} : values->count_rows(r->mesh.colors.size()), done);
      },
      where),
    rondo::write(rows.as_region(), where), rondo::read(turn, where), all);
}

/// Copies are written while the program goes on.
void output_desk::launch_colors(
  const request& r, const copies& from, counts_before* rows, const std::source_location& where) {
  flow& launches = s_.launches();
  const auto& values = from.values;
  for(std::size_t b = 0; b != values->bundles().size(); ++b) {
    const std::vector<std::size_t>& colors = values->bundles()[b].colors;
    std::vector<region_access> others;
    for(std::size_t i = 1; i != colors.size(); ++i)
      others.emplace_back(rondo::write(from.regions.of(colors[i]), where));
    if(rows != nullptr)
      others.emplace_back(rondo::read(rows->as_region(), where));
    launches.submit(
      ends_later(
        "write: to the disk",
        [this, r, values, b, rows](
          rondo::completion done, staged_color& /*from*/, const open_file& to) {
          if(!to.file.is_open()) {
            done();
            return;
          }
          disk_.post([r, values, b, rows, done, &to] {
            std::string error;
            const row_counts before = rows == nullptr ? row_counts{} : rows->before();
            try_to(error, [&] { values->write(to.file, to.contents, r->mesh, b, before); });
            if(to.disk_error.empty())
              to.disk_error = std::move(error);
            done();
          });
        },
        where),
      rondo::write(from.regions.of(colors.front()), where), rondo::read(writing_, where), others);
  }
}

/// Brings this rank's bytes to the disk, before anybody may count on them.
void output_desk::launch_sync(const std::source_location& where) {
  s_.launches().submit(ends_later(
                         "write: on the disk",
                         [this](rondo::completion done, open_file& o) {
                           if(!o.file.is_open()) {
                             done();
                             return;
                           }
                           disk_.post([done, &o] {
                             o.keep_disk_error();
                             try_to(o.error, [&] { o.file.finish(); });
                             done();
                           });
                         },
                         where),
    rondo::write(writing_, where));
}

/// Of ranks that could not write their part.
void output_desk::launch_count_of_failures(
  const request& r, failures& failed, const std::source_location& where) {
  constexpr const char* name = "write: all";
  for(std::size_t c = 0; c != r->mesh.colors.size(); ++c)
    s_.launches().submit(named(
                           name,
                           [](color_value& v, const open_file& o) {
                             static_cast<reduced<int>&>(v).here = o.error.empty() ? 0 : 1;
                           },
                           where),
      rondo::write(failed.of(c), where), rondo::read(writing_, where));
  // A rank without colors: the others may not take the file for complete while it reads the one before.
  if(r->mesh.colors.empty())
    s_.launches().submit(
      named(
        name, [](reduction_launches& /*sum*/, const open_file& /*closed*/) {}, where),
      rondo::write(failed.as_region(), where), rondo::read(writing_, where));
  failed.launch_steps(s_.launches(), name, where);
}

/// Rank 0 gives the file its name, or takes it away; all others hear how that went.
future<std::uint64_t> output_desk::launch_completion(const request& r, const file_format& kind,
  const collectives& c, const std::source_location& where) {
  flow& launches = s_.launches();
  const bool completes = s_.rank() == 0;
  launches.submit(ends_later(
                    "write: complete",
                    [this, r, &kind, completes](
                      rondo::completion done, open_file& o, const reduction_launches& count) {
                      if(!o.turn.is_left_out && o.error.empty() && failures::result_in(count) != 0)
                        o.error = "rondo: can't write '" + o.turn.path +
                                  "': another rank could not write its part";
                      if(o.turn.is_left_out || !completes) {
                        done();
                        return;
                      }
                      disk_.post([r, &kind, done, &o] {
                        const file_before before(o.turn.path);
                        if(o.error.empty())
                          try_to(o.error, [&] {
                            kind.complete(o.part, o.turn.path, o.contents);
                            if(r->numbers != nullptr)
                              r->numbers->add_to_list(o.turn, o.contents.time);
                          });
                        if(!o.error.empty())
                          remove_file(o.part);
                        done();
                      });
                    },
                    where),
    rondo::write(writing_, where), rondo::read(c.failed->as_region(), where));
  const auto finish = [](const open_file& o) {
    if(!o.error.empty())
      throw std::runtime_error(o.error);
    return o.turn.is_left_out ? 0 : o.contents.bytes();
  };
  if(completes && c.end != nullptr) {
    launches.submit(named(
                      "write: end",
                      [](const open_file& o, sent_value& sent) {
                        ended e;
                        o.error.copy(e.why.data(), e.why.size() - 1);
                        sent.set(e);
                      },
                      where),
      rondo::read(writing_, where), rondo::write(c.end->value(), where));
    c.end->send(launches, "write: end", where);
  }
  if(completes)
    return launches.submit(named(
                             "write", [finish](open_file& o) { return finish(o); }, where),
      rondo::write(writing_, where));
  c.end->launch_receive(launches, "write: end", where);
  return launches.submit(named(
                           "write",
                           [finish](open_file& o, const sent_value& sent) {
                             const auto e = sent.as<ended>();
                             if(o.error.empty())
                               o.error = e.why.data();
                             return finish(o);
                           },
                           where),
    rondo::write(writing_, where), rondo::read(c.end->value(), where));
}

future<std::uint64_t> output_desk::write(
  file_request what, const future<double>& time, const std::source_location& where) {
  if(what.numbers != nullptr)
    what.path = what.numbers->any_path();
  s_.launches().open_for(time); // on all ranks
  const file_format& kind = check(what, "write", where, true);
  const request r = std::make_shared<const file_request>(std::move(what));
  staging& kept = staging_for(*r->mesh.state);
  const copies copied{kept, kept.values(r->mesh, r->fields)};
  region<file_turn>& turn = r->numbers != nullptr ? r->numbers->turn() : single_;
  const std::optional<collectives> between = find_collectives(*r);
  if(!between.has_value())
    return s_.launches().submit(named(
      "write", []() -> std::uint64_t { throw cancelled(); }, where));
  launch_turn(r, turn, where);
  launch_copies(r, copied, turn, where);
  if(between->rows != nullptr)
    launch_count_of_rows(r, copied, *between->rows, turn, where);
  if(s_.rank() == 0)
    launch_creation(r, kind, turn, time, *between, where);
  else
    launch_opening(r, turn, *between->start, where);
  launch_colors(r, copied, between->rows, where);
  launch_sync(where);
  launch_count_of_failures(r, *between->failed, where);
  return launch_completion(r, kind, *between, where);
}

// ---- reading ---------------------------------------------------------------------------------

future<double> output_desk::read(file_request what, const std::source_location& where) {
  const file_format& kind = check(what, "read", where, false);
  const request r = std::make_shared<const file_request>(std::move(what));
  flow& launches = s_.launches();
  launches.submit(named(
                    "read: open",
                    [r, &kind](file_to_read& in, const open_file& /*written before*/) {
                      in.file = system_file(r->path, system_file::mode::read);
                      in.contents = kind.read(in.file);
                      in.contents.fields = arrays_in(in.contents, *r, r->path);
                      in.places = element_places(in.file, in.contents, r->mesh);
                    },
                    where),
    rondo::write(reading_, where), rondo::read(writing_, where));
  for(std::size_t c = 0; c != r->mesh.colors.size(); ++c) {
    const std::vector<region_access> fields = accesses(*r, c, true, false, where);
    launches.submit(named(
                      "read",
                      [r, c](const file_to_read& in) {
                        read_color(in.file, in.contents, r->mesh, c, r->fields, in.places);
                      },
                      where),
      rondo::read(reading_, where), fields);
  }
  if(const std::vector<region_access> of_all = accesses_to_global(*r, where); !of_all.empty())
    launches.submit(
      named(
        "read", [r](const file_to_read& in) { read_global(in.file, in.contents, r->fields); },
        where),
      rondo::read(reading_, where), of_all);
  return launches.submit(named(
                           "read: time",
                           [](file_to_read& in) {
                             in.file.finish();
                             in.places = {};
                             return in.contents.time;
                           },
                           where),
    rondo::write(reading_, where));
}

future<std::uint64_t> write_file(
  scheduler& s, file_request what, future<double> time, const std::source_location& where) {
  return output_desk::of(s).write(std::move(what), time, where);
}

future<double> read_file(scheduler& s, file_request what, const std::source_location& where) {
  return output_desk::of(s).read(std::move(what), where);
}

std::shared_ptr<file_numbers> make_file_numbers(scheduler& s, const std::string& path,
  const file_series_options& options, const std::source_location& where) {
  s.refuse_in_body("a series of files", where);
  try {
    std::unique_ptr<file_numbers> made(
      new file_numbers(s.launches(), path, options.every, options.after, options.list_of));
    if(options.after != 0) {
      s.wait(); // for those of a series that has ended here
      if(s.rank() == 0)
        made->take_up();
    }
    return {made.release(), [&s](file_numbers* n) {
              s.let_go(); // launches use it
              delete n;
            }};
  }
  catch(const std::exception& e) {
    throw std::invalid_argument(place(where) + ": " + without_name(e.what()));
  }
}

} // namespace rondo::detail::inline distributed
