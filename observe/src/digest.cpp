#include <rondo/digest.hpp>

#include <vector>

#include <rondo/observe/recorder.hpp>
#include <rondo/observe/whole_run.hpp>

namespace rondo {

struct digest::parts {
  explicit parts(executor& ex) : seen(ex) {}
  [[nodiscard]] detail::whole_run so_far() const {
    return detail::put_together(std::vector<detail::measures>{seen.taken()});
  }

  detail::recorder seen;
};

digest::digest(executor& ex) : parts_(std::make_unique<parts>(ex)) {}
digest::~digest() = default;

void digest::clear() { parts_->seen.clear(); }
std::string digest::text() const { return detail::text_of(parts_->so_far()); }
std::string digest::json() const { return detail::json_of(parts_->so_far()); }
std::string digest::verdict() const {
  return detail::name_of(detail::judge(parts_->so_far()).front().kind);
}

} // namespace rondo
