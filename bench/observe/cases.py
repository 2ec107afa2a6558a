"""What it costs to be observed: the same loop with a digest, with a timeline and without."""

from programs import Case, Program, mpirun


def cases(quick):
    metrics = {"ns_per_task": ("per task", "ns")}
    for ns, name in ((0, "empty tasks"), (1000, "tasks of 1 us")):
        for loop in ("plain", "trace", "repeat"):
            options = f"--ns {ns} --mode {loop} --tasks {16000 if quick else 2000000 if ns == 0 else 200000}"
            launch = mpirun(1, 1, "-x RONDO_BIND=1 -x RONDO_WORKERS=1")
            yield Case(
                f"{name}, 1 worker, {loop}",
                metrics=metrics,
                programs=[
                    Program("rondo", launch, "bench/rondo_observed_loop", options),
                    Program("rondo, digest", launch, "bench/rondo_observed_loop", options + " --digest"),
                    Program("rondo, timeline", launch, "bench/rondo_observed_loop", options + " --timeline /dev/null"),
                ])
