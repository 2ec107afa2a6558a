// RONDO_OBSERVE.

#include <stdexcept>

#include <catch2/catch.hpp>
#include <rondo/observe/wishes.hpp>

using rondo::detail::wishes;

TEST_CASE("nothing is observed unless somebody wants it") {
  CHECK_FALSE(wishes::from("").wants_digest);
}

TEST_CASE("a digest, printed or in a file") {
  CHECK(wishes::from("digest").wants_digest);
  CHECK(wishes::from("digest").json_file.empty());
  CHECK(wishes::from("digest=run.json").wants_digest);
  CHECK(wishes::from("digest=run.json").json_file == "run.json");
  CHECK(wishes::from("digest,digest=a=b.json").json_file == "a=b.json");
}

TEST_CASE("what makes no sense is refused with what there is") {
  for(const char* const text : {"digests", "digest=", "1", "digest,x", ","})
    CHECK_THROWS_WITH(wishes::from(text), Catch::Contains("expected digest"));
}

TEST_CASE("a timeline has a file, and several things can be wished for") {
  const wishes w = wishes::from("digest,timeline=run.rondo");
  CHECK(w.wants_digest);
  CHECK(w.timeline_file == "run.rondo");
  CHECK(wishes::from("digest").timeline_file.empty());
  CHECK_THROWS_WITH(wishes::from("timeline"), Catch::Contains("timeline=FILE"));
  CHECK_THROWS_WITH(wishes::from("timeline="), Catch::Contains("timeline=FILE"));
}

TEST_CASE("a misspelled word is asked for, and two files for the same are refused") {
  CHECK_THROWS_WITH(wishes::from("digets"), Catch::Contains("did you mean digest?"));
  CHECK_THROWS_WITH(wishes::from("digest,timelin=x"), Catch::Contains("did you mean timeline?"));
  CHECK_THROWS_WITH(wishes::from("digest="), !Catch::Contains("did you mean"));
  CHECK_THROWS_WITH(wishes::from("digest=a,digest=b"), Catch::Contains("a and b"));
  CHECK_THROWS_WITH(wishes::from("timeline=a,timeline=b"), Catch::Contains("a and b"));
}
