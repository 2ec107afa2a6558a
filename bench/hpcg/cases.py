"""HPCG, by Rondo, and its reference implementation."""

import os

from programs import Case, Launcher, Program, mpirun

here = os.path.dirname(os.path.abspath(__file__))


def reported(launcher):
    """For HPCG's own program, whose report another one turns into a line."""
    return Launcher(launcher.ranks, launcher.threads,
                    [os.path.join(here, "reference")] + launcher.command)


def cases(quick):
    n = 16 if quick else 104  # of each rank, as HPCG's own parameters are; a multiple of 8, for its levels
    options = f"--nx={n} --ny={n} --nz={n}"
    for ranks in (1, 2):
        yield Case(
            f"{n} x {n} x {n} for each rank, {ranks} {'rank' if ranks == 1 else 'ranks'}",
            metrics={
                "ms_per_iteration": ("time per iteration", "ms"),
                # Another order of the rows in Gauss-Seidel may need more iterations.
                "ms_per_solve": ("time until the residual is that of 50 reference iterations", "ms"),
            },
            agree={"rows": (0, 0), "entries": (0, 0)},
            limit=600,
            programs=[
                Program("HPCG, reference", reported(mpirun(ranks)), "bench/peer_hpcg", options),
                Program("rondo", mpirun(ranks), "bench/rondo_hpcg", options),
                Program("rondo, all work", mpirun(ranks), "bench/rondo_hpcg", options + " --all-work"),
            ])
