// rely_on_one_worker

#include <rondo/core/executor.hpp>

bool rely(rondo::executor& ex) { return ex.rely_on_one_worker(); }
