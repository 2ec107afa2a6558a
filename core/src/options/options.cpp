#include <rondo/options.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <thread>

#include <CLI/CLI.hpp>

#include <rondo/core/first_rank.hpp>
#include <rondo/core/nearest.hpp>

#include "../environment.hpp"
#include "help.hpp"
#include "settings.hpp"

namespace rondo {

struct options::all {
  std::string about;
  std::vector<std::shared_ptr<detail::option_state>> own;
  std::vector<std::unique_ptr<detail::setting_option>> settings = detail::options_of_settings();
};

namespace {

std::string dashed(const detail::option_state& o) {
  return (o.words.kind.argument ? "" : "--") + o.words.name;
}

/// CLI11 finds out which text belongs to which option; what the texts mean is ours.
class command_line {
public:
  command_line() {
    app_.set_help_flag();
    app_.allow_extras();
    app_.add_flag("-h,--help", asks_for_help_);
  }

  void take(detail::option_state& o) {
    entry& e = *entries_.emplace_back(std::make_unique<entry>(entry{&o, nullptr, {}}));
    if(o.words.kind.flag)
      e.at = app_.add_flag_function(
        dashed(o), [&e](std::int64_t times) { e.text = times > 0 ? "true" : "false"; });
    else // the last one counts: scripts add options behind others
      e.at =
        app_.add_option(dashed(o), e.text)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }

  /// What is wrong, or nothing.
  std::string read(int argc, const char* const* argv) {
    if(std::string wrong = wrong_flag(argc, argv); !wrong.empty())
      return wrong;
    std::vector<std::string> backwards;
    for(int k = argc; k-- > 1;)
      backwards.emplace_back(argv[k]);
    try {
      app_.parse(backwards);
    }
    catch(const CLI::ArgumentMismatch& e) {
      const std::string_view said = e.what();
      return std::string(said.substr(0, said.find(':'))) + ": its value is missing";
    }
    catch(const CLI::ParseError& e) {
      return e.what();
    }
    if(asks_for_help_)
      return {};
    for(const auto& e : entries_)
      if(e->at->count() > 0 && is_option(e->text))
        return dashed(*e->option) + ": its value is missing";
    for(const std::string& extra : app_.remaining())
      if(extra != "--") // behind it are arguments only
        return no_use_for(extra);
    for(const auto& e : entries_) {
      detail::option_state& o = *e->option;
      o.given = e->at->count() > 0;
      if(o.given)
        if(const std::string wrong = o.read(e->text); !wrong.empty())
          return dashed(o) + ": " + wrong;
      if(!o.given && o.words.kind.required)
        return dashed(o) + " is missing: " + o.words.what;
    }
    return {};
  }

  [[nodiscard]] bool asks_for_help() const { return asks_for_help_; }

private:
  struct entry {
    detail::option_state* option;
    CLI::Option* at;
    std::string text;
  };

  /// A flag with another value than yes or no: CLI11 takes numbers for how often it is given, and throws what is none of its exceptions
  /// for other words.
  [[nodiscard]] std::string wrong_flag(int argc, const char* const* argv) const {
    constexpr std::array<std::string_view, 8> words{
      "yes", "no", "true", "false", "on", "off", "1", "0"};
    for(int k = 1; k < argc && std::string_view(argv[k]) != "--"; ++k) {
      const std::string_view text = argv[k];
      const auto equals = text.find('=');
      const std::string_view name = text.substr(0, equals);
      if(equals == std::string_view::npos || !is_flag(name))
        continue;
      const std::string_view value = text.substr(equals + 1);
      if(std::ranges::count(words, value) == 0)
        return std::string(name).append(": \"").append(value).append("\" is neither yes nor no");
    }
    return {};
  }
  [[nodiscard]] bool is_flag(std::string_view name) const {
    return name == "--help" || std::ranges::any_of(entries_, [&](const auto& e) {
      return e->option->words.kind.flag && dashed(*e->option) == name;
    });
  }

  [[nodiscard]] bool is_option(std::string_view text) const {
    return text.starts_with("--") &&
           std::ranges::any_of(entries_, [&](const auto& e) { return dashed(*e->option) == text; });
  }

  [[nodiscard]] std::string no_use_for(std::string_view extra) const {
    if(!extra.starts_with('-') || extra.size() < 2 || (extra[1] >= '0' && extra[1] <= '9'))
      return std::string("there is no use for \"").append(extra).append("\"");
    const std::string_view name = extra.substr(0, extra.find('='));
    // A beginning that several have in common says nothing about which one was meant.
    constexpr std::string_view ours = "--rondo-";
    const std::string_view same = name.starts_with(ours) ? ours : "--";
    std::vector<std::string> all{"--help"};
    for(const auto& e : entries_)
      if(!e->option->words.kind.argument)
        all.push_back(dashed(*e->option));
    std::vector<std::string_view> rests;
    for(const std::string_view known : all)
      if(known.starts_with(same))
        rests.push_back(known.substr(same.size()));
    std::string said = std::string("there is no option ").append(name);
    const std::string_view rest =
      name.starts_with(same) ? name.substr(same.size()) : name.substr(1);
    if(const std::string_view meant = detail::nearest(rest, rests); !meant.empty())
      said.append("; did you mean ").append(same).append(meant).append("?");
    return said;
  }

  CLI::App app_;
  bool asks_for_help_ = false;
  std::vector<std::unique_ptr<entry>> entries_;
};

} // namespace

options::options(std::string about) : all_(std::make_unique<all>()) {
  all_->about = std::move(about);
}
options::options(options&&) noexcept = default;
options& options::operator=(options&&) noexcept = default;
options::~options() = default;

void options::take(std::shared_ptr<detail::option_state> made) {
  const std::string& name = made->words.name;
  const auto refuse = [&name](const char* why) {
    throw std::invalid_argument("rondo::options: \"" + name + "\": " + why);
  };
  if(name.empty() || name.find_first_of(" =,") != std::string::npos)
    refuse("names of options are words without spaces, commas and =");
  if(name.starts_with('-'))
    refuse("its name is written without dashes in front");
  if(name == "help" || name == "h" || name.starts_with("rondo-"))
    refuse("an option of this name is Rondo's");
  if(std::ranges::any_of(all_->own, [&](const auto& o) { return o->words.name == name; }))
    refuse("there is an option of this name already");
  all_->own.push_back(std::move(made));
}

std::optional<options::end> options::try_parse(int argc, const char* const* argv) {
  const std::string_view path = argc > 0 ? argv[0] : "program";
  const std::string program(path.substr(path.rfind('/') + 1));
  command_line line;
  for(const auto& o : all_->own)
    line.take(*o);
  for(const auto& o : all_->settings)
    line.take(*o);
  if(const std::string wrong = line.read(argc, argv); !wrong.empty())
    return end{2, program + ": " + wrong + " (see --help)\n"};
  if(line.asks_for_help())
    return end{0, detail::help_text(program, all_->about, all_->own, all_->settings)};
  for(const auto& o : all_->settings)
    o->apply();
  for(const auto& o : all_->own)
    o->parsed = true;
  return std::nullopt;
}

void options::parse(int argc, char** argv) {
  const auto ends = try_parse(argc, argv);
  if(!ends)
    return;
  if(detail::is_first_rank()) {
    std::fputs(ends->text.c_str(), ends->code == 0 ? stdout : stderr);
    std::fflush(nullptr);
  }
  else if(ends->code != 0)
    // mpirun ends all ranks as soon as one has failed, and the first one has something to say.
    std::this_thread::sleep_for(std::chrono::seconds(1));
  std::exit(ends->code);
}

std::string options::text() const {
  std::string line;
  for(const auto& o : all_->own) {
    const std::string value = o->text();
    if(o->words.kind.flag ? value != "yes" : value.empty())
      continue;
    line.append(line.empty() ? "" : " ");
    if(!o->words.kind.argument)
      line.append("--").append(o->words.name);
    if(!o->words.kind.flag)
      line.append(o->words.kind.argument ? "" : " ").append(value);
  }
  return line;
}

} // namespace rondo
