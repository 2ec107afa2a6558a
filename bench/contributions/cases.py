"""Contributions to neighbours: faces that are looked at once, on two ranks."""

from programs import Case, Program, mpirun

PASS = {"us_per_pass": ("time per pass", "us")}
# Vertices at the rim of a block add what they get in another order.
SAME = {"square": (1e-9, 1e-9)}


def cases(quick):
    for n, passes in ((64, 20),) if quick else ((128, 2000), (512, 200), (2048, 20)):
        options = f"--nx {n} --ny {n} --passes {passes} --reps {1 if quick else 5}"
        yield Case(
            f"diffusion face by face {n} x {n}, 2 ranks", metrics=PASS, agree=SAME,
            programs=[
                Program("MPI", mpirun(2), "bench/peer_mpi_contributions", options),
            ] + [
                Program(f"rondo, {mode}", mpirun(2), "bench/rondo_contributions",
                        f"{options} --mode {mode}")
                for mode in ("plain", "trace", "repeat")
            ])
