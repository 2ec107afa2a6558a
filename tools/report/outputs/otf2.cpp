#include "otf2.hpp"

#include <stdexcept>

#ifndef RONDO_REPORT_OTF2

namespace rondo::report {

void write_otf2(const detail::timeline& /*t*/, const std::string& /*folder*/) {
  throw std::runtime_error("rondo-report was built without OTF2: install libotf2-trace-dev "
                           "(Debian), otf2-devel (Fedora) or otf2 "
                           "(Spack), version 3 or later, and build it again");
}

} // namespace rondo::report

#else

#include "file_to_write.hpp"
#include "message_ends.hpp"
#include "names.hpp"
#include "otf2_definitions.hpp"
#include "slices.hpp"
#include "times.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

namespace rondo::report {

namespace {

struct otf2_event {
  std::int64_t at;
  enum { enter, leave, send, receive } what;
  std::uint32_t region;        ///< Of `enter` and `leave`.
  const message_ends* message; ///< Of the others.
};

/// Errors of OTF2, which it would print, while this exists.
class noted_errors {
public:
  noted_errors() : before_(OTF2_Error_RegisterCallback(&note, this)) {}
  ~noted_errors() { OTF2_Error_RegisterCallback(before_, nullptr); }
  noted_errors(const noted_errors&) = delete;
  noted_errors& operator=(const noted_errors&) = delete;

  [[noreturn]] void tell(const std::string& folder) const {
    throw std::runtime_error(
      "can't write " + folder + ": " + (first_.empty() ? "OTF2 fails" : first_));
  }

private:
  static OTF2_ErrorCode note(void* self, const char* /*file*/, std::uint64_t /*line*/,
    const char* /*function*/, OTF2_ErrorCode code, const char* format, va_list values) {
    auto& first = static_cast<noted_errors*>(self)->first_;
    if(first.empty()) {
      std::array<char, 1024> text{};
      std::vsnprintf(text.data(), text.size(), format, values);
      first = std::string(OTF2_Error_GetDescription(code)) + " (" + text.data() + ')';
    }
    return code;
  }

  OTF2_ErrorCallback before_;
  std::string first_;
};

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

class otf2_archive {
public:
  otf2_archive(const detail::timeline& t, const std::string& folder)
      : t_(t), folder_(folder), span_(span_of(t)), messages_(messages_of(t)), definitions_(t) {
    constexpr std::uint64_t chunk_of_events = std::uint64_t{1} << 20U;
    constexpr std::uint64_t chunk_of_definitions = std::uint64_t{1} << 22U;
    archive_.reset(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, chunk_of_events,
      chunk_of_definitions, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
    check(archive_ != nullptr);
    static constexpr OTF2_FlushCallbacks callbacks{&flush, nullptr};
    check(OTF2_Archive_SetFlushCallbacks(archive_.get(), &callbacks, nullptr));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_.get()));
    check(OTF2_Archive_SetCreator(archive_.get(), "rondo-report"));
    check(OTF2_Archive_SetDescription(archive_.get(), (t.program + ", " + t.began).c_str()));
  }

  void write() {
    check(OTF2_Archive_OpenEvtFiles(archive_.get()));
    for(const auto& rank : t_.ranks)
      for(const auto& lane : rank.lanes)
        write_events(events_of(rank, lane));
    check(OTF2_Archive_CloseEvtFiles(archive_.get()));

    // Readers want the file of each location, also if there is nothing in it.
    check(OTF2_Archive_OpenDefFiles(archive_.get()));
    for(std::uint64_t location = 0; location != events_.size(); ++location) {
      OTF2_DefWriter* const out = OTF2_Archive_GetDefWriter(archive_.get(), location);
      check(out != nullptr);
      check(OTF2_Archive_CloseDefWriter(archive_.get(), out));
    }
    check(OTF2_Archive_CloseDefFiles(archive_.get()));

    OTF2_GlobalDefWriter* const out = OTF2_Archive_GetGlobalDefWriter(archive_.get());
    check(out != nullptr);
    check(definitions_.write(out, span_, events_));
    check(OTF2_Archive_Close(archive_.release()));
  }

private:
  std::vector<otf2_event> events_of(
    const detail::timeline_rank& rank, const detail::timeline_lane& lane) {
    std::vector<otf2_event> events;
    walk(
      slices_of(lane),
      [&](const slice& s) {
        events.push_back({s.begin, otf2_event::enter, definitions_.region(lane, s), nullptr});
      },
      [&](const slice& s) {
        events.push_back({s.end, otf2_event::leave, definitions_.region(lane, s), nullptr});
      });
    // Readers find out that messages belong together by their order, so those of which one end is missing are left out.
    if(&lane == &rank.lanes.front())
      for(const message_ends& m : messages_)
        if(m.is_whole()) {
          if(m.from == rank.rank)
            events.push_back({m.posted->at, otf2_event::send, 0, &m});
          if(m.to == rank.rank)
            events.push_back({m.arrival(), otf2_event::receive, 0, &m});
        }
    std::stable_sort(events.begin(), events.end(),
      [](const otf2_event& a, const otf2_event& b) { return a.at < b.at; });
    return events;
  }

  void write_events(const std::vector<otf2_event>& events) {
    OTF2_EvtWriter* const out = OTF2_Archive_GetEvtWriter(archive_.get(), events_.size());
    check(out != nullptr);
    for(const otf2_event& e : events) {
      const auto at = static_cast<OTF2_TimeStamp>(e.at - span_.begin);
      const message_ends* const m = e.message;
      switch(e.what) {
      case otf2_event::enter:
        check(OTF2_EvtWriter_Enter(out, nullptr, at, e.region));
        break;
      case otf2_event::leave:
        check(OTF2_EvtWriter_Leave(out, nullptr, at, e.region));
        break;
      case otf2_event::send:
        check(OTF2_EvtWriter_MpiSend(out, nullptr, at, definitions_.place_of_rank(m->to),
          otf2_definitions::communicator, m->channel, m->bytes));
        break;
      case otf2_event::receive:
        check(OTF2_EvtWriter_MpiRecv(out, nullptr, at, definitions_.place_of_rank(m->from),
          otf2_definitions::communicator, m->channel, m->bytes));
        break;
      }
    }
    std::uint64_t written = 0;
    check(OTF2_EvtWriter_GetNumberOfEvents(out, &written));
    check(OTF2_Archive_CloseEvtWriter(archive_.get(), out));
    events_.push_back(written);
  }

  void check(bool is_well) const {
    if(!is_well)
      errors_.tell(folder_);
  }
  void check(OTF2_ErrorCode code) const { check(code == OTF2_SUCCESS); }

  struct closes {
    void operator()(OTF2_Archive* a) const noexcept { (void)OTF2_Archive_Close(a); }
  };

  const detail::timeline& t_;
  const std::string& folder_;
  const time_span span_;
  const std::vector<message_ends> messages_;
  otf2_definitions definitions_;
  noted_errors errors_;
  std::unique_ptr<OTF2_Archive, closes> archive_;
  std::vector<std::uint64_t> events_; ///< How many there are, of each location.
};

} // namespace

void write_otf2(const detail::timeline& t, const std::string& folder) {
  make_folder(folder);
  if(!std::filesystem::is_empty(folder))
    throw std::runtime_error(
      "can't write a trace of OTF2 to " + folder + ": the folder has to be empty");
  otf2_archive(t, folder).write();
}

} // namespace rondo::report

#endif
