"""How ranks are started: the words before the program's own command line.

A launcher is {"kind": "mpirun", "path", "mpi", "hostfile"} or {"kind": "template", "words"}.
"""

import os

from . import machine
from .expressions import expand


def is_local(launcher):
    return launcher["kind"] == "mpirun" and not launcher.get("hostfile") and not launcher.get("is_job")


def shares_cores(study, ranks):
    """Whether there are more workers than cores, as far as this machine can tell."""
    return is_local(study.launcher) and ranks * max(1, study.workers) > study.machine.get("cores", ranks)


def of_open_mpi(study, ranks, environment):
    launcher, words = study.launcher, []
    if launcher.get("hostfile"):
        words += ["--hostfile", launcher["hostfile"]]
    if shares_cores(study, ranks):
        # Ranks that wait make room for others.
        words += ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
    elif study.workers == 1:
        words += ["--bind-to", "core"]
    else:
        words += ["--bind-to", "none"]
    if study.ranks_per_node:
        words += ["--map-by", f"ppr:{min(study.ranks_per_node, ranks)}:node"]
    # They reach other nodes only if they are named.
    for name in sorted(environment):
        if name.startswith("RONDO_"):
            words += ["-x", name]
    return words


def of_mpich(study, ranks):
    words = ["-f", study.launcher["hostfile"]] if study.launcher.get("hostfile") else []
    return words + (["-ppn", str(min(study.ranks_per_node, ranks))] if study.ranks_per_node else [])


def words_of(study, ranks, environment):
    launcher = study.launcher
    if launcher["kind"] == "template":
        return [expand(word, study.values(ranks)) for word in launcher["words"]]
    words = [launcher["path"], "-np", str(ranks)]
    if launcher["mpi"] == "MPICH":
        return words + of_mpich(study, ranks)
    return words + (of_open_mpi(study, ranks, environment) if launcher["mpi"] == "Open MPI" else [])


def environment_of(study, digest):
    """Of a run that leaves its digest there."""
    environment = dict(os.environ, RONDO_OBSERVE=f"digest={os.path.abspath(digest)}")
    if study.workers:
        environment["RONDO_WORKERS"] = str(study.workers)
    if study.delay:
        environment["RONDO_DELAY"] = study.delay
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # as in containers
        environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return environment


def mpirun(path, hostfile="", is_job=False):
    mpi, version = machine.mpi_of(path)
    return {"kind": "mpirun", "path": path, "mpi": mpi, "version": version, "hostfile": hostfile, "is_job": is_job}
