#include "file_to_write.hpp"

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace rondo::report {

namespace {

[[noreturn]] void cant_write(const std::string& name, int reason) {
  throw std::runtime_error("can't write " + name + ": " + std::generic_category().message(reason));
}

} // namespace

file_to_write::file_to_write(std::string name)
    : name_(std::move(name)), file_(std::fopen(name_.c_str(), "wb")) {
  if(!file_)
    cant_write(name_, errno);
}

void file_to_write::write(std::string_view bytes) {
  if(std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    cant_write(name_, errno);
}

void file_to_write::close() {
  if(std::fclose(file_.release()) != 0)
    cant_write(name_, errno);
}

void make_folder(const std::string& name) {
  std::error_code failed;
  std::filesystem::create_directories(name, failed);
  if(failed)
    throw std::runtime_error("can't make the folder " + name + ": " + failed.message());
  // Of a file with that name it says nothing.
  if(!std::filesystem::is_directory(name, failed))
    throw std::runtime_error("can't make the folder " + name + ": a file has that name");
}

} // namespace rondo::report
