"""Uneven work on two ranks, with colors that stay and colors that are balanced, next to one rank, which has nothing to balance."""

from programs import Case, Program, mpirun

# Of both ranks together: as long as one alone takes is ideal.
PASS = {"us_per_pass": ("time per pass, of all ranks together", "us")}
SAME = {"sum": (0, 0)}
ONE_THREAD = mpirun(1, 1, "-x RONDO_WORKERS=1")


def case(name, options, every):
    never = f"{options} --costs none --every 1000000"
    return Case(
        f"{name}, 16 x 16 colors", metrics=PASS, agree=SAME,
        programs=[
            Program("1 rank, no balance", ONE_THREAD, "bench/rondo_hot_spot", never),
            Program("2 ranks, no balance", mpirun(2), "bench/rondo_hot_spot", never),
        ] + [
            Program(f"2 ranks, every {n} passes", mpirun(2), "bench/rondo_hot_spot", f"{options} --costs measured --every {n}")
            for n in every
        ])


def cases(quick):
    if quick:
        yield case("a hot spot that goes around in 40 passes, 64 x 64", "--points 64 --passes 20 --turn 40 --reps 1", (10,))
        return
    for what, turn, passes, every in (
        ("stays", 0, 400, (100, 20)),
        ("goes as far as it is wide in 530 passes", 4000, 600, (40, 20, 10)),
        ("goes as far as it is wide in 53 passes", 400, 400, (10, 5)),
    ):
        yield case(f"a hot spot that {what}, 512 x 512", f"--points 512 --passes {passes} --turn {turn} --reps 1", every)
