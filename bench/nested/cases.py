"""Loops in loops: time steps, each with a solver in it, on two ranks and on one with two threads."""

from programs import Case, Program, mpirun

ITERATION = {"us_per_iteration": ("time per inner iteration", "us")}
# Rounding errors may make an iteration more or less of the inner loop.
NEARLY = {"square": (1e-4, 1e-9), "time": (1e-9, 1e-12)}


def cases(quick):
    for n, steps in ((64, 2),) if quick else ((128, 20), (256, 20), (1024, 3)):
        options = f"--nx {n} --ny {n} --steps {steps} --reps {1 if quick else 5}"
        yield Case(
            f"implicit heat {n} x {n}, 2 ranks", metrics=ITERATION, agree=NEARLY,
            programs=[
                Program("MPI", mpirun(2), "bench/peer_mpi_heat", options),
            ] + [
                Program(f"rondo, {mode}", mpirun(2), "bench/rondo_heat", f"{options} --mode {mode}")
                for mode in ("iterate", "get")
            ])
