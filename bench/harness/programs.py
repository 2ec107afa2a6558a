"""What a bench of programs is made of; see `run_programs`.

A file `cases.py` has a function cases(quick) that yields a Case for each table:

    from programs import Case, Program, mpirun

    def cases(quick):
        yield Case(
            "gauss-seidel, 1024 x 1024, 2 ranks",
            metrics={"us_per_sweep": ("time per sweep", "us")},
            agree={"residual": (1e-9, 1e-6)},
            programs=[
                Program("MPI", mpirun(2), "bench/peer_mpi_gauss_seidel", "--nx 1024 --ny 1024"),
                Program("rondo", mpirun(2), "bench/rondo_gauss_seidel", "--nx 1024 --ny 1024"),
            ],
        )

A program prints a line with a JSON object, of which the last one counts. Those that aren't built are left out.
"""

import os
import shlex
from dataclasses import dataclass, field


def cores():
    return len(os.sched_getaffinity(0))


@dataclass
class Launcher:
    ranks: int
    threads: int
    command: list


def mpirun(ranks, threads=1, options=""):
    """Open MPI. A rank with one thread is bound to a core of its own if there are enough; where there are
    more ranks than cores, those that wait make room."""
    command = ["mpirun", "-np", str(ranks)]
    if ranks * threads > cores():
        command += ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
    else:
        command += ["--bind-to", "core" if threads == 1 else "none"]
    return Launcher(ranks, threads, command + shlex.split(options))


@dataclass
class Program:
    system: str
    launcher: Launcher
    path: str  # in the folder of the build
    options: str = ""
    is_bound: bool = False  # it does a part of the work only, which nobody can do without: it has no results

    def command(self, build):
        return self.launcher.command + [os.path.join(build, self.path)] + shlex.split(self.options)


@dataclass
class Case:
    name: str
    programs: list
    metrics: dict  # key of the JSON object: (what it is, unit); smaller is better
    agree: dict = field(default_factory=dict)  # key: (relative, absolute) difference that is allowed
    # What a program found the processor to take for something that is the same in all of them. On a machine
    # that others share, a core may be half as fast for seconds: such runs say nothing about the program.
    speed: str = ""
    # The threads, or ranks, exchange so much that a figure says mostly how far the host has put the cores from each other: runs in
    # which a cache line took much longer from one to the other than in the faster runs don't count.
    by_distance: bool = False
    limit: float = 0  # seconds after which a program of it hangs, if that is more than elsewhere
