// companion

#include <rondo/core/executor.hpp>

struct mine : rondo::executor::companion {};
