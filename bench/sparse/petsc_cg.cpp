// Conjugate gradients with Jacobi's preconditioner, by PETSc: KSPCG and PCJACOBI. Rows are shared as by hand, in slabs of the box.
//
//   mpirun -np 2 peer_petsc_sparse_cg --nx 100 --ny 100 --nz 100 --iterations 100
//
// Options of PETSc's own are in the environment: PETSC_OPTIONS="-log_view".

#include "peers/mpi/program.hpp"
#include "sparse/options.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <petscksp.h>

namespace {

using namespace bench::mpi;
using bench::sparse::entry;
using bench::sparse::problem;
using bench::sparse::row_number;

void check(PetscErrorCode code) {
  if(code != 0)
    throw std::runtime_error("error " + std::to_string(code) + " of PETSc");
}

struct petsc {
  petsc() { check(PetscInitializeNoArguments()); }
  ~petsc() { PetscFinalize(); }
  petsc(const petsc&) = delete;
  petsc& operator=(const petsc&) = delete;
};

class conjugate_gradient {
public:
  conjugate_gradient(const problem& p, const world& w) {
    make_matrix(p, w);
    check(MatCreateVecs(a_, &x_, &right_));
    check(VecDuplicate(right_, &rest_));
    double* right = nullptr;
    check(VecGetArrayWrite(right_, &right));
    const row_number first = p.first_row(w.rank, w.size);
    for(row_number i = first; i != p.first_row(w.rank + 1, w.size); ++i)
      right[i - first] = p.right(i);
    check(VecRestoreArrayWrite(right_, &right));

    check(KSPCreate(PETSC_COMM_WORLD, &solver_));
    check(KSPSetOperators(solver_, a_, a_));
    check(KSPSetType(solver_, KSPCG));
    PC jacobi = nullptr; // the solver's
    check(KSPGetPC(solver_, &jacobi));
    check(PCSetType(jacobi, PCJACOBI));
    check(KSPSetNormType(solver_, KSP_NORM_NATURAL)); // the only one that costs no third sum
    check(KSPSetConvergenceTest(solver_, KSPConvergedSkip, nullptr, nullptr));
    check(KSPSetFromOptions(solver_));
  }
  ~conjugate_gradient() {
    KSPDestroy(&solver_);
    VecDestroy(&rest_);
    VecDestroy(&right_);
    VecDestroy(&x_);
    MatDestroy(&a_);
  }
  conjugate_gradient(const conjugate_gradient&) = delete;
  conjugate_gradient& operator=(const conjugate_gradient&) = delete;

  void solve(int iterations) {
    check(KSPSetTolerances(solver_, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, iterations));
    check(KSPSolve(solver_, right_, x_));
    PetscInt done = 0;
    check(KSPGetIterationNumber(solver_, &done));
    if(done != iterations)
      throw std::runtime_error("PETSc has done " + std::to_string(done) + " iterations");
  }

  [[nodiscard]] double residual() {
    check(MatMult(a_, x_, rest_));
    check(VecAYPX(rest_, -1, right_));
    double norm = 0;
    check(VecNorm(rest_, NORM_2, &norm));
    return norm;
  }
  [[nodiscard]] double natural() const {
    double norm = 0;
    check(KSPGetResidualNorm(solver_, &norm));
    return norm;
  }

private:
  void make_matrix(const problem& p, const world& w) {
    const row_number first = p.first_row(w.rank, w.size);
    const row_number last = p.first_row(w.rank + 1, w.size);
    // How many entries each row has, in columns of own rows and in others.
    std::vector<PetscInt> own;
    std::vector<PetscInt> others;
    for(row_number i = first; i != last; ++i) {
      own.push_back(0);
      others.push_back(0);
      for(const entry& e : p.row(i))
        ++(e.column >= first && e.column < last ? own : others).back();
    }
    const auto rows = static_cast<PetscInt>(last - first);
    check(MatCreateAIJ(PETSC_COMM_WORLD, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, 0,
      own.data(), 0, others.data(), &a_));
    check(MatSetFromOptions(a_));
    std::vector<PetscInt> columns;
    std::vector<double> values;
    for(row_number i = first; i != last; ++i) {
      columns.clear();
      values.clear();
      for(const entry& e : p.row(i)) {
        columns.push_back(static_cast<PetscInt>(e.column));
        values.push_back(e.value);
      }
      const auto number = static_cast<PetscInt>(i);
      check(MatSetValues(a_, 1, &number, static_cast<PetscInt>(columns.size()), columns.data(),
        values.data(), INSERT_VALUES));
    }
    check(MatAssemblyBegin(a_, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(a_, MAT_FINAL_ASSEMBLY));
    check(MatSetOption(a_, MAT_SPD, PETSC_TRUE));
  }

  Mat a_ = nullptr;
  Vec x_ = nullptr;
  Vec right_ = nullptr;
  Vec rest_ = nullptr;
  KSP solver_ = nullptr;
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    bench::sparse::options o;
    o.parse(argc, argv);
    const petsc guard;
    conjugate_gradient g(o.box, w);
    stopwatch time;
    g.solve(o.iterations); // to get warm
    for(int rep = 0; rep < o.reps; ++rep)
      time.measure([&] { g.solve(o.iterations); });
    bench::line line = o.describe("PETSc", w.size);
    time.report(line, "iteration", o.iterations);
    line["natural"] = g.natural();
    line["residual"] = g.residual();
    print(w, line);
  });
}
