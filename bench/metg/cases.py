"""The smallest tasks that are worth it: METG(50 %), see metg/pattern.hpp and metg/search.hpp."""

from programs import Case, Program, mpirun

METRICS = {
    "metg_us": ("METG(50 %): time x cores / tasks at half of the speed", "us"),
    "empty_us": ("the same of tasks that compute nothing", "us"),
}
SPEED = "ns_per_iteration"
# As OMP_PROC_BIND for OpenMP: MPI's ranks are bound to cores, too.
THREADS = mpirun(1, 2, "-x RONDO_BIND=1")
QUICK = " --most 64 --reps 1 --seconds 0.001"


def cases(quick):
    for width in (16, 2):
        for pattern in ("stencil", "nearest", "spread", "fft", "no_comm"):
            options = f"--pattern {pattern} --width {width}"
            options += QUICK if quick else ""
            programs = [
                Program("MPI", mpirun(2), "bench/peer_mpi_metg", options),
                Program("MPI, each input", mpirun(2), "bench/peer_mpi_metg", options + " --each"),
                Program("rondo", THREADS, "bench/rondo_metg", options),
            ]
            programs += [
                Program(f"rondo, {name}", THREADS, "bench/rondo_metg", f"{options} --mode {mode}")
                for name, mode in (("traced", "trace"), ("plain", "plain"), ("untraced", "untraced"))
            ]
            if pattern == "stencil":
                programs += [
                    Program("rondo", mpirun(2), "bench/rondo_metg_ranks", options),
                    Program("rondo, plain", mpirun(2), "bench/rondo_metg_ranks",
                            options + " --mode plain"),
                ]
            yield Case(f"{pattern}, {width} points", metrics=METRICS, speed=SPEED, by_distance=True,
                       programs=programs)
        tcp = mpirun(2, options="--mca btl tcp,self -x RONDO_TRANSPORT=mpi")
        options = f"--pattern stencil --width {width}"
        options += QUICK if quick else ""
        yield Case(
            f"stencil, {width} points, TCP", metrics=METRICS, speed=SPEED, by_distance=True,
            programs=[
                Program("MPI", tcp, "bench/peer_mpi_metg", options),
                Program("rondo", tcp, "bench/rondo_metg_ranks", options),
            ])
