// What the fragments of docs/futures.md take for granted.
#include <cstdio>
#include <exception>
#include <mutex>
#include <vector>

#include <rondo/futures.hpp>

extern rondo::executor& ex;
double residual(int i);
rondo::future<double> remote(int level);
void save(const char* path);
void log(const char* text);

struct scratch_memory {
  double* begin();
};
extern thread_local scratch_memory scratch;

extern std::mutex table_mutex;
extern std::vector<double> table;
extern std::vector<rondo::future<double>> all;
