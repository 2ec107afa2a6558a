// rondo-report: pictures and tables of a run's timeline. docs/report.md

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "analysis.hpp"
#include "compare.hpp"
#include "outputs/csv.hpp"
#include "outputs/file_to_write.hpp"
#include "outputs/otf2.hpp"
#include "outputs/perfetto.hpp"
#include "outputs/png.hpp"
#include "page.hpp"
#include "runs.hpp"

namespace {

using namespace rondo;

struct wishes {
  std::vector<std::string> files;
  std::string before;
  std::string page;
  std::string perfetto;
  std::string csv;
  std::string otf2;
  std::string png;
  bool wants_text = false;

  [[nodiscard]] bool is_page_wanted() const {
    return !page.empty() || (perfetto + csv + otf2 + png).empty();
  }
};

/// "run.html" of "folder/run.rondo", in the folder that the program was started in.
std::string page_beside(const std::string& file) {
  std::string name = file.substr(file.rfind('/') + 1);
  if(const std::size_t dot = name.rfind(".rondo"); dot != std::string::npos)
    name.resize(dot);
  return name + ".html";
}

void say(const std::string& what, const std::string& where) {
  std::printf("%s: %s\n", what.c_str(), where.c_str());
}

/// An output that is one of the inputs would be the end of that.
void check_outputs(const wishes& w) {
  for(const std::string& output : {w.page, w.perfetto, w.csv, w.otf2, w.png})
    if(output == w.before || std::ranges::find(w.files, output) != w.files.end())
      if(!output.empty())
        throw std::runtime_error(output + " is the timeline itself, and would be written over");
}

void make(const wishes& w) {
  check_outputs(w);
  const report::runs read = report::read_runs(w.files, w.before);
  const detail::timeline& run = read.run;
  if(!read.said.empty())
    std::printf("%s\n", read.said.c_str());
  // What needs no analysis first.
  if(!w.perfetto.empty()) {
    report::write_perfetto(run, w.perfetto);
    say("for ui.perfetto.dev", w.perfetto);
  }
  if(!w.csv.empty()) {
    report::write_csv(run, w.csv);
    say("tables", w.csv);
  }
  if(!w.otf2.empty()) {
    report::write_otf2(run, w.otf2);
    say("OTF2", w.otf2);
  }
  if(!w.png.empty()) {
    report::write_png(run, w.png);
    say("picture", w.png);
  }
  if(!w.wants_text && !w.is_page_wanted())
    return;
  const report::analysis found(run);
  std::optional<report::analysis> before;
  if(read.before)
    before.emplace(*read.before);
  if(w.wants_text)
    std::fputs(
      before ? text_of(compared(*before, found), found).c_str() : text_of(found).c_str(), stdout);
  if(w.wants_text && w.page.empty())
    return;
  const std::string page = w.page.empty() ? page_beside(read.files.front()) : w.page;
  const std::string text = report::page_of(found, before ? &*before : nullptr);
  report::file_to_write file(page);
  file.write(text);
  file.close();
  say("page", page);
}

} // namespace

int main(int argc, char** argv) {
  wishes w;
  CLI::App app("Pictures and tables of a run that was made with RONDO_OBSERVE=timeline=FILE.");
  app.footer("Without any of these options: a page, run.html of run.rondo.");
  app
    .add_option("FILE", w.files,
      "the timeline; several, if ranks have left one each; two of a whole run each are compared")
    ->required();
  app.add_option("-o,--page", w.page, "the page goes to this file");
  app.add_option(
    "--before", w.before, "the timeline of another run, to say what has changed since");
  app.add_flag("--text", w.wants_text, "what was found out, on the terminal");
  app.add_option("--perfetto", w.perfetto, "a file for ui.perfetto.dev");
  app.add_option("--csv", w.csv, "a folder with tables");
  app.add_option("--otf2", w.otf2, "a folder for readers of OTF2, such as Vampir");
  app.add_option("--png", w.png, "a picture of the whole run");
  CLI11_PARSE(app, argc, argv);
  try {
    make(w);
    return EXIT_SUCCESS;
  }
  catch(const std::exception& e) {
    const std::string what = e.what();
    std::fprintf(
      stderr, "rondo-report: %s\n", what.substr(what.rfind("rondo: ", 0) == 0 ? 7 : 0).c_str());
    return EXIT_FAILURE;
  }
}
