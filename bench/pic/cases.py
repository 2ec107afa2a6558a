"""Particles in cells, by Rondo and by hand: on one rank, on two, and on one with two threads."""

from programs import Case, Program, mpirun

STEP = {"us_per_step": ("time per step", "us")}
# Each has to be where it belongs, and all have to be there.
SAME = {"wrong": (0, 0), "names": (0, 0)}
ONE_THREAD = mpirun(1, 1, "-x RONDO_WORKERS=1")
TWO_THREADS = mpirun(1, 2, "-x RONDO_WORKERS=2 -x RONDO_BIND=1")


def cases(quick):
    # The more particles in a cell, the less of them leave.
    sizes = ((40, 4),) if quick else ((500, 4), (100, 100), (50, 4))
    for cells, of_cell in sizes:
        count = cells * cells * of_cell
        steps = 20 if quick else min(max(100_000_000 // count, 20), 5_000)
        options = f"--cells {cells} --of-cell {of_cell} --steps {steps} --reps {1 if quick else 3}"
        name = f"{count} particles in {cells} x {cells} cells"
        by_hand = [
            Program(f"MPI, {grid}", mpirun(2), "bench/peer_mpi_pic", f"{options} --grid {grid}")
            for grid in ("1x2", "2x1")
        ]
        yield Case(
            f"{name}, 1 rank", metrics=STEP, agree=SAME,
            programs=[
                Program("MPI", mpirun(1), "bench/peer_mpi_pic", options),
                Program("rondo", ONE_THREAD, "bench/rondo_pic", options + " --colors 1 1"),
            ])
        yield Case(
            f"{name}, 2 ranks", metrics=STEP, agree=SAME,
            programs=by_hand + [
                Program(f"rondo, {x} x {y}", mpirun(2), "bench/rondo_pic",
                        f"{options} --colors {x} {y}")
                for x, y in ((1, 2), (2, 1), (2, 2))
            ])
        yield Case(
            f"{name}, 1 rank with 2 threads", metrics=STEP, agree=SAME,
            programs=by_hand + [
                Program(f"rondo, {x} x {y}", TWO_THREADS, "bench/rondo_pic",
                        f"{options} --colors {x} {y}")
                for x, y in ((1, 2), (2, 1), (2, 2))
            ])
