"""Conjugate gradients on a sparse matrix of a graph: Rondo, by hand, and PETSc."""

from programs import Case, Program, mpirun

ITERATION = {"us_per_iteration": ("time per iteration", "us")}
# Parts and vectors add up in another order, and rounding errors grow from iteration to iteration.
SAME = {"residual": (1e-9, 1e-12), "natural": (1e-9, 1e-12)}
TWO_THREADS = mpirun(1, 2, "-x RONDO_WORKERS=2 -x RONDO_BIND=1")


def cases(quick):
    # From where the memory is all that counts to where messages and sums do.
    for nx, ny, nz in ((10, 8, 6),) if quick else ((100, 100, 100), (40, 40, 40), (16, 16, 16)):
        rows = nx * ny * nz
        iterations = 10 if quick else 100
        reps = 1 if quick else min(max(20_000_000 // rows // 4, 5), 500)
        options = f"--nx {nx} --ny {ny} --nz {nz} --iterations {iterations} --reps {reps}"

        def peers(ranks):
            return [
                Program("MPI", mpirun(ranks), "bench/peer_mpi_sparse_cg", options),
                Program("PETSc", mpirun(ranks), "bench/peer_petsc_sparse_cg", options),
            ]

        def rondo(launcher):
            return [Program("rondo", launcher, "bench/rondo_sparse_cg", options)]

        yield Case(f"{rows} rows, 2 ranks", metrics=ITERATION, agree=SAME,
                   programs=peers(2) + rondo(mpirun(2)))
        yield Case(f"{rows} rows, 1 rank with 2 threads", metrics=ITERATION, agree=SAME,
                   programs=peers(2) + rondo(TWO_THREADS))
        yield Case(f"{rows} rows, 1 rank", metrics=ITERATION, agree=SAME,
                   programs=peers(1) + rondo(mpirun(1, 1, "-x RONDO_WORKERS=1")))
