"""Iterative solvers: Rondo, and what a good programmer writes by hand."""

from programs import Case, Program, mpirun

SWEEP = {"us_per_sweep": ("time per sweep", "us")}
ITERATION = {"us_per_iteration": ("time per iteration", "us")}
# A residual that has become tiny is made of rounding errors; those of f are 10^4 and more.
SAME = {"residual": (1e-9, 1e-6), "error": (1e-9, 1e-12)}
# Rounding errors grow from iteration to iteration.
NEARLY = {"residual": (1e-4, 1e-6), "error": (1e-4, 1e-9)}


def sweeps(n, quick):
    """Enough for some tenths of a second, in tens: after each ten there is a residual."""
    return 20 if quick else min(max(200_000_000 // (n * n) // 10 * 10, 20), 50_000)


def cases(quick):
    # From where the runtime is all that counts to where it hardly does.
    for n in (16, 64) if quick else (16, 32, 64, 128, 256, 512, 1024, 2048, 4096):
        options = f"--nx {n} --ny {n} --sweeps {sweeps(n, quick)} --reps {1 if quick else 3}"
        arithmetic = Program("arithmetic alone", mpirun(2), "bench/peer_mpi_gauss_seidel",
                             options + " --alone", is_bound=True)
        yield Case(
            f"gauss-seidel {n} x {n}, 2 ranks", metrics=SWEEP, agree=SAME,
            programs=[
                Program("MPI", mpirun(2), "bench/peer_mpi_gauss_seidel", options),
                Program("MPI, fused", mpirun(2), "bench/peer_mpi_gauss_seidel",
                        options + " --fused"),
                arithmetic,
                Program("rondo", mpirun(2), "bench/rondo_gauss_seidel", options),
            ])
        yield Case(
            f"gauss-seidel {n} x {n}, 1 rank with 2 threads", metrics=SWEEP, agree=SAME,
            programs=[
                Program("MPI+OpenMP", mpirun(1, 2, "-x OMP_PROC_BIND=true"),
                        "bench/peer_mpi_openmp_gauss_seidel", options + " --threads 2"),
                arithmetic,
                Program("rondo", mpirun(1, 2, "-x RONDO_BIND=1"), "bench/rondo_gauss_seidel", options),
            ])

    for n, iterations in ((64, 20),) if quick else ((256, 100), (1024, 100), (4096, 20)):
        options = f"--nx {n} --ny {n} --iterations {iterations} --reps {1 if quick else 3}"
        yield Case(
            f"conjugate gradients {n} x {n}, 2 ranks", metrics=ITERATION, agree=NEARLY,
            programs=[
                Program("MPI", mpirun(2), "bench/peer_mpi_conjugate_gradient", options),
                Program("rondo", mpirun(2), "bench/rondo_conjugate_gradient", options),
            ])
