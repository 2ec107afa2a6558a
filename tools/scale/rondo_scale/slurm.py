"""Studies by Slurm: a job for each number of nodes, which runs what is missing of the study there."""

import os
import re
import shlex
import subprocess

from .complaint import Complaint
from .study import of_many

SCRIPT = """#!/bin/bash
#SBATCH --job-name=scale-{nodes}
#SBATCH --nodes={nodes}
#SBATCH --ntasks-per-node={each}
#SBATCH --output={log}
{options}# All runs of the study on {what}, in turns; those that are done already are left out.
exec {python} {script} continue {folder} --nodes {nodes}
"""


class Refused(Exception):
    """By sbatch, for a reason that it has given."""


def jobs(study):
    """{nodes: numbers of ranks}"""
    out = {}
    for ranks in study.ranks:
        out.setdefault(study.nodes(ranks), []).append(ranks)
    return out


def option_text(option):
    return "#SBATCH " + (option if option.startswith("-") else "--" + option) + "\n"


def script_of(study, folder, nodes, options, script):
    most = max(jobs(study)[nodes])
    return SCRIPT.format(
        nodes=nodes,
        each=min(study.ranks_per_node or most, most),
        log=os.path.join(folder, "jobs", f"{nodes}.log"),
        options="".join(map(option_text, options)),
        what=of_many(nodes, "node"),
        python="python3",
        script=shlex.quote(script),
        folder=shlex.quote(folder),
    )


def write(study, folder, options, script):
    """[(nodes, path of the job's script)]"""
    os.makedirs(os.path.join(folder, "jobs"), exist_ok=True)
    paths = []
    for nodes in sorted(jobs(study)):
        path = os.path.join(folder, "jobs", f"{nodes}.sbatch")
        with open(path, "w", encoding="utf-8") as f:
            f.write(script_of(study, folder, nodes, options, script))
        os.chmod(path, 0o755)
        paths.append((nodes, path))
    return paths


def submit(path):
    """The number of the job."""
    try:
        said = subprocess.run(["sbatch", path], capture_output=True, text=True)
    except FileNotFoundError:
        raise Complaint(
            "there is no sbatch on the PATH: is this a login node of a cluster with Slurm? --dry-run only "
            "writes the scripts"
        ) from None
    number = re.search(r"Submitted batch job (\d+)", said.stdout)
    if said.returncode != 0 or not number:
        raise Refused(
            f"sbatch {path}: {(said.stderr or said.stdout).strip() or 'said nothing'}\n"
            "What your cluster wants to be told (account, partition, time) is given with --sbatch-option, such as "
            "--sbatch-option time=00:30:00"
        )
    return number.group(1)


def last_words(folder, nodes):
    """The last line that the job has printed, or what is known of it."""
    path = os.path.join(folder, "jobs", f"{nodes}.log")
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            lines = [line.strip() for line in f if line.strip()]
    except OSError:
        return "its job has not begun (see squeue)"
    return f'the last line of {path}: "{lines[-1][:160]}"' if lines else "its job has printed nothing yet"
