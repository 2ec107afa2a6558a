"""What a launch costs: Gauss-Seidel's tasks, but empty. See also: bench/overhead/instructions."""

from programs import Case, Program, mpirun


def cases(quick):
    metrics = {"us_per_launch": ("for each launch, of 4 tasks", "us")}
    options = f"--passes {200 if quick else 20000} --reps {1 if quick else 5}"
    for workers in (1, 2):
        launch = mpirun(1, workers, f"-x RONDO_WORKERS={workers} -x RONDO_BIND=1")
        yield Case(
            f"empty red and black, 4 colors, {workers} worker{'s' if workers > 1 else ''}",
            metrics=metrics,
            programs=[
                Program(f"rondo, {mode}", launch, "bench/rondo_overhead",
                        f"{options} --mode {mode}")
                for mode in ("untraced", "plain", "trace", "repeat")
            ])
        yield Case(
            f"the same without ghosts, 4 colors, {workers} worker{'s' if workers > 1 else ''}",
            metrics=metrics,
            programs=[
                Program(f"rondo, {mesh}, {mode}", launch, "bench/rondo_overhead",
                        f"{options} --own --mode {mode} {option}")
                for mode in ("untraced", "trace", "repeat")
                for mesh, option in (("structured", ""), ("triangles", "--unstructured"))
            ])
