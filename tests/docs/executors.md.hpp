// What the fragments of docs/executors.md take for granted.
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>
#include <rondo/rondo.hpp>

int measure();
int read_header(int size);
void use(int n);
extern int argc;
extern char** argv;
