// What the fragments of docs/flow.md take for granted.
#include <cstdint>
#include <cstdio>
#include <deque>
#include <optional>
#include <rondo/flow.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using field = std::vector<double>;
void smooth(const field&, field&);
void factor(field&);
void report(const field&);

rondo::executor ex;
#define LOCALS rondo::executor& ex
rondo::flow flow(ex);
field u, v;
double sum = 0;
rondo::region ru(flow, u, "u");
rondo::region rv(flow, v, "v");
rondo::region rs(flow, sum, "sum");

struct matrix {};
double norm_of(const field&);
void residual(const field&, double&);
void begin(field&);
void halve(field&);
bool is_smooth(const field&);
bool is_too_large(const field&);
bool is_late(std::uint64_t sweeps, double& time);
field saved;
double dt = 1;
int first = 0, last = 10;
void launch_steps(int first, int last);
struct too_large_step {};
void search(const std::string&, std::string&);
void print(const field&, std::uint64_t passes);
struct block {};
void relax_block(std::size_t);
void relax_from(block&, std::size_t);
std::deque<rondo::region<block>> rb;
std::vector<rondo::region_access> needs;
double r = 0;
matrix a;
std::string letters, longest_word;
rondo::region rr(flow, r, "r");
rondo::region ra(flow, a, "a");
rondo::region text(flow, letters, "text");
rondo::region found(flow, longest_word, "found");
