#include <rondo/observe/timeline/file.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "read_rank.hpp"

namespace rondo::detail::inline observe {

namespace {

using json = nlohmann::json;

/// The words and the numbers of a block.
std::pair<json, std::span<const std::byte>> parts_of(std::span<const std::byte> block) {
  std::uint64_t length = 0;
  if(block.size() < sizeof length)
    throw std::runtime_error("it is cut off");
  std::memcpy(&length, block.data(), sizeof length);
  block = block.subspan(sizeof length);
  if(length > block.size())
    throw std::runtime_error("it is cut off");
  const auto* const text = reinterpret_cast<const char*>(block.data());
  return {json::parse(text, text + length), block.subspan(length)};
}

void check(const timeline_block_head& head) {
  if(std::memcmp(head.magic, timeline_block_head::usual, sizeof head.magic) != 0)
    throw std::runtime_error("it is no timeline, or is damaged");
}

void add_block(timeline& all, const timeline_block_head& head, std::span<const std::byte> block) {
  if(check_of(block) != head.check)
    throw std::runtime_error("it is damaged");
  const auto [words, numbers] = parts_of(block);
  if(head.kind == timeline_block::rank)
    all.ranks.push_back(rank_of(words, numbers));
  else if(head.kind == timeline_block::run) {
    all.program = words.at("program");
    all.began = words.at("began");
    // Ranks that were told to end, since one has failed, say no more than that.
    if(all.failure.empty() || all.failure.starts_with(told_to_end))
      if(const std::string failure = words.at("failure"); !failure.empty())
        all.failure = failure;
    all.digest = words.at("digest");
    all.ranks_of_run = words.at("ranks");
  }
  else
    throw std::runtime_error("it is damaged, or of another version of Rondo");
}

void add_blocks(timeline& all, std::span<const std::byte> file) {
  if(file.empty())
    throw std::runtime_error("it is empty");
  while(!file.empty()) {
    timeline_block_head head{};
    if(file.size() < sizeof head)
      throw std::runtime_error("it is no timeline, or is damaged");
    std::memcpy(&head, file.data(), sizeof head);
    check(head);
    file = file.subspan(sizeof head);
    if(head.bytes > file.size())
      throw std::runtime_error("it is cut off");
    add_block(all, head, file.first(head.bytes));
    file = file.subspan(head.bytes);
  }
}

/// What `f` throws, with the name of the file.
template<class F>
auto reading(const std::string& name, const F& f) {
  try {
    return f();
  }
  catch(const json::exception&) {
    throw std::runtime_error("rondo: " + name + ": it is damaged, or of another version of Rondo");
  }
  catch(const std::exception& e) {
    throw std::runtime_error("rondo: " + name + ": " + e.what());
  }
}

std::vector<std::byte> bytes_of_file(const std::string& name) {
  if(std::filesystem::is_directory(name))
    throw std::runtime_error("it is a folder");
  std::ifstream file(name, std::ios::binary | std::ios::ate);
  if(!file && std::filesystem::exists(name + ".rank-0"))
    throw std::runtime_error("it is not there, since the program has not come to its end; " + name +
                             ".rank-* have what its ranks have seen");
  if(!file)
    throw std::runtime_error("it can't be opened");
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::max<std::streamoff>(0, file.tellg())));
  file.seekg(0);
  if(!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
    throw std::runtime_error("it can't be read");
  return bytes;
}

} // namespace

timeline read_timeline(const std::vector<std::string>& files) {
  timeline all;
  for(const std::string& name : files)
    reading(name, [&] { add_blocks(all, bytes_of_file(name)); });
  if(all.ranks.empty())
    throw std::runtime_error(
      "rondo: " + (files.empty() ? "no file" : files.front() + ": it is cut off"));
  std::ranges::sort(all.ranks, {}, &timeline_rank::rank);
  const auto twice = std::ranges::adjacent_find(all.ranks, {}, &timeline_rank::rank);
  if(twice != all.ranks.end())
    throw std::runtime_error("rondo: the files have rank " + std::to_string(twice->rank) +
                             " twice: they are of different runs");
  for(const timeline_rank& r : all.ranks)
    if(r.run != all.ranks.front().run)
      throw std::runtime_error("rondo: the files of rank " +
                               std::to_string(all.ranks.front().rank) + " and rank " +
                               std::to_string(r.rank) + " are of different runs");
  all.ranks_of_run = std::max(all.ranks_of_run, static_cast<std::uint32_t>(all.ranks.size()));
  return all;
}

timeline read_timeline(const std::string& file) {
  return read_timeline(std::vector<std::string>{file});
}

timeline_stream::timeline_stream(std::string file)
    : name_(std::move(file)), file_(name_ == "-" ? stdin : std::fopen(name_.c_str(), "rbe")) {
  if(file_ == nullptr)
    throw std::runtime_error("rondo: " + name_ + ": it can't be opened: " + std::strerror(errno));
}

timeline_stream::~timeline_stream() {
  if(file_ != stdin)
    std::fclose(file_);
}

bool timeline_stream::next(timeline& into) {
  return reading(name_, [&] {
    timeline_block_head head{};
    const std::size_t read = std::fread(&head, 1, sizeof head, file_);
    if(read == 0)
      return false;
    if(read != sizeof head)
      throw std::runtime_error("it is cut off");
    check(head);
    constexpr std::uint64_t most = std::uint64_t{1} << 40U; // more than that is damage
    if(head.bytes > most)
      throw std::runtime_error("it is damaged");
    block_.resize(head.bytes);
    if(std::fread(block_.data(), 1, block_.size(), file_) != block_.size())
      throw std::runtime_error("it is cut off");
    add_block(into, head, block_);
    return true;
  });
}

} // namespace rondo::detail::inline observe
