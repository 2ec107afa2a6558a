"""What a step takes besides its work, from one rank to many: see peers/mpi/weak_scaling.cpp."""

from programs import Case, Program, mpirun

# Traced, with futures that go into tasks; each launch analysed; and get() in the loop.
VARIANTS = (("rondo", "trace"), ("rondo, untraced", "untraced"), ("rondo, blocking", "blocking"))


def cases(quick):
    metrics = {"us_per_step": ("added to a step", "us")}
    options = f"--steps {5 if quick else 50} --reps {1 if quick else 3}"
    for name, transport in (("shared memory", ""), ("TCP", "--mca btl tcp,self -x RONDO_TRANSPORT=mpi")):
        for ranks in (1, 4) if quick else (1, 2, 4, 8, 16, 32, 64):
            launch = mpirun(ranks, options=transport)
            yield Case(
                f"{ranks} rank{'s' if ranks > 1 else ''}, {name}", metrics=metrics,
                programs=[Program("MPI", launch, "bench/peer_mpi_weak_scaling", options)] + [
                    Program(system, launch, "bench/rondo_weak_scaling", f"{options} --mode {mode}")
                    for system, mode in VARIANTS
                ])
