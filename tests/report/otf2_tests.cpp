// Archives of OTF2, read back by its own reader.

#include "output_files.hpp"

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <otf2.hpp>

using namespace rondo;
using namespace rondo::report;

#ifdef RONDO_REPORT_OTF2

#include <map>

#include <otf2/otf2.h>

namespace {

struct read_archive {
  std::map<OTF2_StringRef, std::string> strings;
  std::map<OTF2_RegionRef, std::string> regions;
  std::map<OTF2_LocationRef, std::string> locations;
  std::map<OTF2_LocationGroupRef, std::string> groups;
  std::vector<std::string> events; ///< "1000 1 enter relax"
};

read_archive& of(void* data) { return *static_cast<read_archive*>(data); }

OTF2_CallbackCode on_string(void* d, OTF2_StringRef self, const char* text) {
  of(d).strings[self] = text;
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_region(void* d, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef,
  OTF2_StringRef, OTF2_RegionRole, OTF2_Paradigm, OTF2_RegionFlag, OTF2_StringRef file,
  std::uint32_t line, std::uint32_t) {
  of(d).regions[self] =
    of(d).strings.at(name) + " @ " + of(d).strings.at(file) + ':' + std::to_string(line);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_group(void* d, OTF2_LocationGroupRef self, OTF2_StringRef name,
  OTF2_LocationGroupType, OTF2_SystemTreeNodeRef, OTF2_LocationGroupRef) {
  of(d).groups[self] = of(d).strings.at(name);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_location(void* d, OTF2_LocationRef self, OTF2_StringRef name,
  OTF2_LocationType, std::uint64_t events, OTF2_LocationGroupRef group) {
  of(d).locations[self] =
    of(d).groups.at(group) + ", " + of(d).strings.at(name) + ": " + std::to_string(events);
  return OTF2_CALLBACK_SUCCESS;
}
void note(void* d, OTF2_LocationRef where, OTF2_TimeStamp at, const std::string& what) {
  of(d).events.push_back(std::to_string(at) + ' ' + std::to_string(where) + ' ' + what);
}
OTF2_CallbackCode on_enter(
  OTF2_LocationRef l, OTF2_TimeStamp at, void* d, OTF2_AttributeList*, OTF2_RegionRef r) {
  note(d, l, at, "enter " + of(d).regions.at(r));
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_leave(
  OTF2_LocationRef l, OTF2_TimeStamp at, void* d, OTF2_AttributeList*, OTF2_RegionRef r) {
  note(d, l, at, "leave " + of(d).regions.at(r));
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_send(OTF2_LocationRef l, OTF2_TimeStamp at, void* d, OTF2_AttributeList*,
  std::uint32_t to, OTF2_CommRef, std::uint32_t tag, std::uint64_t bytes) {
  note(d, l, at,
    "send " + std::to_string(to) + ' ' + std::to_string(tag) + ' ' + std::to_string(bytes));
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_receive(OTF2_LocationRef l, OTF2_TimeStamp at, void* d, OTF2_AttributeList*,
  std::uint32_t from, OTF2_CommRef, std::uint32_t tag, std::uint64_t bytes) {
  note(d, l, at,
    "receive " + std::to_string(from) + ' ' + std::to_string(tag) + ' ' + std::to_string(bytes));
  return OTF2_CALLBACK_SUCCESS;
}

read_archive read(const std::string& folder) {
  read_archive result;
  OTF2_Reader* const reader = OTF2_Reader_Open((folder + "/traces.otf2").c_str());
  REQUIRE(reader != nullptr);
  REQUIRE(OTF2_Reader_SetSerialCollectiveCallbacks(reader) == OTF2_SUCCESS);
  std::uint64_t n = 0;

  OTF2_GlobalDefReader* const definitions = OTF2_Reader_GetGlobalDefReader(reader);
  OTF2_GlobalDefReaderCallbacks* const told = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(told, &on_string);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(told, &on_region);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(told, &on_group);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(told, &on_location);
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, told, &result);
  OTF2_GlobalDefReaderCallbacks_Delete(told);
  REQUIRE(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n) == OTF2_SUCCESS);

  for(const auto& [location, name] : result.locations)
    REQUIRE(OTF2_Reader_SelectLocation(reader, location) == OTF2_SUCCESS);
  REQUIRE(OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS);
  REQUIRE(OTF2_Reader_OpenEvtFiles(reader) == OTF2_SUCCESS);
  for(const auto& [location, name] : result.locations) {
    OTF2_DefReader* const local = OTF2_Reader_GetDefReader(reader, location);
    REQUIRE(local != nullptr);
    REQUIRE(OTF2_Reader_ReadAllLocalDefinitions(reader, local, &n) == OTF2_SUCCESS);
    OTF2_Reader_CloseDefReader(reader, local);
    OTF2_Reader_GetEvtReader(reader, location);
  }
  OTF2_Reader_CloseDefFiles(reader);
  if(result.locations.empty()) { // then it can't read events, not even none
    OTF2_Reader_Close(reader);
    return result;
  }

  OTF2_GlobalEvtReader* const events = OTF2_Reader_GetGlobalEvtReader(reader);
  OTF2_GlobalEvtReaderCallbacks* const seen = OTF2_GlobalEvtReaderCallbacks_New();
  OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(seen, &on_enter);
  OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(seen, &on_leave);
  OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(seen, &on_send);
  OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(seen, &on_receive);
  OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, seen, &result);
  OTF2_GlobalEvtReaderCallbacks_Delete(seen);
  REQUIRE(OTF2_Reader_ReadAllGlobalEvents(reader, events, &n) == OTF2_SUCCESS);
  OTF2_Reader_CloseGlobalEvtReader(reader, events);
  OTF2_Reader_CloseEvtFiles(reader);
  OTF2_Reader_Close(reader);
  return result;
}

} // namespace

TEST_CASE("OTF2's reader finds the run in an archive") {
  const folder_of_test folder;
  write_otf2(small_run(), folder.file("archive"));
  const read_archive seen = read(folder.file("archive"));
  CHECK(seen.locations == std::map<OTF2_LocationRef, std::string>{{0, "rank 0, main thread: 5"},
                            {1, "rank 0, worker 0: 8"}, {2, "rank 1, main thread: 1"}});
  const std::string relax = "relax, \"red\"\n\xc3\xa4 @ a,b.cpp:3";
  CHECK(seen.events == std::vector<std::string>{"1000 0 enter step @ main.cpp:7",
                         "1000 1 enter " + relax, "1500 1 enter fork @ :0",
                         "2000 0 enter waited for a region @ main.cpp:8", "2500 1 leave fork @ :0",
                         "3000 0 leave waited for a region @ main.cpp:8", "3000 1 leave " + relax,
                         "3000 1 enter " + relax, "4000 0 send 1 5 64", "4000 1 leave " + relax,
                         "4000 1 enter slept @ a,b.cpp:3", "4001 2 receive 0 5 64",
                         "8000 0 leave step @ main.cpp:7", "1500000000 1 leave slept @ a,b.cpp:3"});
}

TEST_CASE("ranks that are missing, or have no lanes, don't spoil an archive") {
  const folder_of_test folder;
  detail::timeline t = small_run();
  t.ranks.insert(t.ranks.begin(), detail::timeline_rank{});
  t.ranks[0].rank = 7;
  t.ranks.pop_back();
  write_otf2(t, folder.file("archive"));
  const read_archive seen = read(folder.file("archive"));
  CHECK(seen.locations.size() == 2);
  for(const std::string& event : seen.events)
    CHECK_THAT(event, !Catch::Contains("send"));
  write_otf2({}, folder.file("empty"));
  CHECK(read(folder.file("empty")).locations.empty());
}

TEST_CASE("an archive needs a folder of its own") {
  const folder_of_test folder;
  std::ofstream(folder.file("a file")) << "text";
  CHECK_THROWS_WITH(
    write_otf2(small_run(), folder.name.string()), Catch::Contains("has to be empty"));
  CHECK_THROWS_WITH(write_otf2(small_run(), folder.file("a file")),
    Catch::Contains("can't make the folder " + folder.file("a file")));
}

#else

TEST_CASE("without OTF2 it says what to install") {
  CHECK_THROWS_WITH(write_otf2({}, "archive"), Catch::Contains("libotf2-trace-dev"));
}

#endif
