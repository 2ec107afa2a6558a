"""Uneven work on two ranks, with colors that stay and colors that are balanced, next to one rank, which has nothing to balance."""

from programs import Case, Program, mpirun

# Of both ranks together: as long as one alone takes is ideal.
PASS = {"us_per_pass": ("time per pass, of all ranks together", "us")}
SAME = {"sum": (0, 0)}
ONE_THREAD = mpirun(1, 1, "-x RONDO_WORKERS=1")


def cases(quick):
    points, passes, reps = (64, 20, 1) if quick else (512, 400, 3)
    for what, turn in (("stays", 0), ("goes around in 400 passes", 400)):
        options = f"--points {points} --passes {passes} --turn {turn} --reps {reps}"
        yield Case(
            f"a hot spot that {what}, {points} x {points}, 16 x 16 colors", metrics=PASS, agree=SAME,
            programs=[
                Program("1 rank, no balance", ONE_THREAD, "bench/rondo_hot_spot",
                        f"{options} --costs none --every {passes}"),
                Program("2 ranks, no balance", mpirun(2), "bench/rondo_hot_spot",
                        f"{options} --costs none --every {passes}"),
            ] + [
                Program(f"2 ranks, {costs}, every {every}", mpirun(2), "bench/rondo_hot_spot",
                        f"{options} --costs {costs} --every {every}")
                for costs in ("measured", "known") for every in ((10,) if quick else (5, 10, 20))
            ])
