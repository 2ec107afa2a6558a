"""V(2,2) cycles of geometric multigrid: Rondo, and what a good programmer writes by hand, coarse levels included."""

from programs import Case, Program, mpirun

CYCLE = {"us_per_cycle": ("time per cycle", "us")}
SAME = {"residual": (1e-6, 1e-14)}


def cases(quick):
    for dimensions, n, cycles in ((2, 64, 5), (3, 16, 5)) if quick else (
            (2, 128, 200), (2, 512, 50), (2, 2048, 10), (3, 32, 100), (3, 128, 10), (3, 256, 4)):
        options = f"--n {n} --dimensions {dimensions} --cycles {cycles} --reps {1 if quick else 3}"
        size = " x ".join([str(n + 1)] * dimensions)
        yield Case(
            f"multigrid {size}, 2 ranks", metrics=CYCLE, agree=SAME,
            programs=[
                Program("MPI", mpirun(2), "bench/peer_mpi_multigrid", options),
                Program("rondo", mpirun(2), "bench/rondo_multigrid", options),
                Program("rondo, 1 rank with 2 threads", mpirun(1, 2, "-x RONDO_BIND=1"),
                        "bench/rondo_multigrid", options),
                Program("the same, plain", mpirun(1, 2, "-x RONDO_BIND=1"),
                        "bench/rondo_multigrid", options + " --mode plain"),
            ])
