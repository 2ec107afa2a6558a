"""Atoms of a liquid, by Rondo and by hand: on one rank, on two, and on one with two threads."""

from programs import Case, Program, mpirun

STEP = {"us_per_step": ("time per step", "us")}
# Each program checks itself that energy, momentum and atoms are kept. Sums are of another order.
SAME = {"energy": (1e-9, 1e-9)}
ONE_THREAD = mpirun(1, 1, "-x RONDO_WORKERS=1")
TWO_THREADS = mpirun(1, 2, "-x RONDO_WORKERS=2 -x RONDO_BIND=1")


def cases(quick):
    for cubes, steps in ((6, 20),) if quick else ((20, 200), (10, 200)):
        options = f"--cubes {cubes} --steps {steps} --reps {1 if quick or cubes == 20 else 3}"
        name = f"{4 * cubes ** 3} atoms"
        by_hand = Program("MPI", mpirun(2), "bench/peer_mpi_lennard_jones", options)

        def rondo(launcher, *colors):
            return [
                Program(f"rondo, {x} x {y} x {z}", launcher, "bench/rondo_lennard_jones",
                        f"{options} --colors {x} {y} {z}")
                for x, y, z in colors
            ]

        yield Case(
            f"{name}, 1 rank", metrics=STEP, agree=SAME,
            programs=[Program("MPI", mpirun(1), "bench/peer_mpi_lennard_jones", options)]
            + rondo(ONE_THREAD, (1, 1, 1)))
        yield Case(
            f"{name}, 2 ranks", metrics=STEP, agree=SAME,
            programs=[by_hand] + rondo(mpirun(2), (1, 1, 2), (1, 2, 2)))
        yield Case(
            f"{name}, 1 rank with 2 threads", metrics=STEP, agree=SAME,
            programs=[by_hand] + rondo(TWO_THREADS, (1, 1, 2), (1, 2, 2), (2, 2, 2)))
