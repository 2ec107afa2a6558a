// reduce(r) hands over a copy of its own

#include <vector>

#include <rondo/flow.hpp>

void launch(rondo::flow& f, rondo::region<double>& sum) {
  std::vector<rondo::region_access> list{reduce(sum)};
  f.submit([] {}, list);
}
