// What the fragments of docs/distributed.md take for granted.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

// The program at the top of the page.
void begin(grid::view m, numbers::accessor<wo> u);
void smooth(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> from);
double change(grid::view m, numbers::accessor<ro> a, numbers::accessor<ro> b);
void print(double sum, int pass);
extern scheduler& s;
extern grid m;
extern numbers u, v;
extern int pass;

// Tasks over the mesh.
void scale(grid::view m, numbers::accessor<rw> u);
void clip(grid::view m, numbers::accessor<rw> u, double limit);
void limit(grid::view m, numbers::accessor<rw> u);
void cheap(grid::view m, numbers::accessor<rw> u);
void careful(grid::view m, numbers::accessor<rw> u);
void add(grid::view m, numbers::accessor<rw> u, numbers::accessor<ro> w);
void spread(grid::view m, numbers::accessor<wo, fold::sum> next, numbers::accessor<ro, ro> u);
double norm(grid::view m, numbers::accessor<ro> u);
double speed(grid::view m, numbers::accessor<ro> u);
double step_of(grid::view m, numbers::accessor<ro> u);
void advance(grid::view m, numbers::accessor<rw> u, double dt);
double residual(grid::view m, numbers::accessor<ro, ro> u, numbers::accessor<ro> f);
void relax(grid::view m, numbers::accessor<rw, ro> w, numbers::accessor<ro> r, double dt);
double rate(grid::view m, numbers::accessor<wo> r, numbers::accessor<ro, ro> u);
double prepare(grid::view m, numbers::accessor<wo> w, numbers::accessor<ro> r, double dt);
extern numbers f, w, r, next, sums, dt;

// Tasks on rank 0, and what is done with futures.
void report(std::uint64_t sweeps);
void end(std::uint64_t passes);
double read_on_rank_0(std::string path);
bool small_enough(const std::tuple<double, double>& residual_and_first);
double sum(const std::tuple<double, double>& both);
extern future<double> worst, sum_of_u;
extern future<bool> is_smooth;

double from_file(std::string path);
double seconds_since(std::chrono::steady_clock::time_point);
extern std::chrono::steady_clock::time_point start;
struct generator {
  std::uint64_t state;
};

// Of mpi.h, so that the page is checked without MPI, too.
using MPI_Comm = struct communicator*;
using MPI_Datatype = struct datatype*;
using MPI_Op = struct operation*;
using MPI_File = struct file*;
using MPI_Info = struct info*;
extern const MPI_Comm MPI_COMM_WORLD;
extern const MPI_Datatype MPI_DOUBLE;
extern const MPI_Op MPI_SUM;
extern const MPI_Info MPI_INFO_NULL;
constexpr int MPI_MODE_WRONLY = 4;
int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Comm_split(MPI_Comm, int color, int key, MPI_Comm* part);
int MPI_File_open(MPI_Comm, const char* name, int mode, MPI_Info, MPI_File*);
void solve(scheduler& s);
extern bool is_solver;
extern int rank, argc;
extern char** argv;
