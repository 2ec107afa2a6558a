"""A chain of 40 exchanges between two ranks beside tasks of a millisecond that have nothing to do with it."""

from programs import Case, Program, mpirun

METRICS = {
    "us_per_chain": ("time of a chain, median", "us"),
    "us_per_chain_mean": ("time of a chain, mean", "us"),
    "us_per_pass": ("time of a pass", "us"),
}


def cases(quick):
    passes = 2 if quick else 10
    for threads in (1, 2):
        for tasks in (0, 40):
            options = f"--links 40 --tasks {tasks} --task-us 1000 --passes {passes}"
            # The tasks sleep, so two workers need no second core.
            launcher = mpirun(2, options=f"-x RONDO_WORKERS={threads}")
            by_hand = [
                Program("MPI, chain first", mpirun(2), "bench/peer_mpi_progress", options),
                Program("MPI, overlaps", mpirun(2), "bench/peer_mpi_progress",
                        f"{options} --overlaps"),
            ]
            yield Case(
                f"2 ranks x {threads}, {f'beside {tasks} tasks of 1 ms' if tasks else 'alone'}",
                metrics=METRICS,
                agree={"sum": (1e-12, 0)},
                programs=(by_hand if threads == 1 else []) + [
                    Program(f"rondo, {mode}", launcher, "bench/rondo_progress",
                            f"{options} --mode {mode}")
                    for mode in ("plain", "trace", "repeat")
                ])
