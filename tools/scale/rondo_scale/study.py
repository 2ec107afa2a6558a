"""What is to be run: a program, its variants, and numbers of ranks. A study is a folder:

    study.json                          what is to be run
    runs/VARIANT-on-RANKS-NUMBER.json   what came of a run; .log: what it printed; .digest.json: its digest
    jobs/                               scripts for Slurm, and what they printed

So a study that was interrupted, or whose jobs end one after the other, is complete when all the runs are there.
"""

import dataclasses
import json
import os
import re
from dataclasses import dataclass, field

from .complaint import Complaint
from .expressions import expand, has_placeholder


@dataclass(frozen=True)
class Run:
    """One start of the program."""

    variant: str
    ranks: int
    number: int  # of the repetition, from 0

    def __str__(self):
        return f"{self.variant} on {of_many(self.ranks, 'rank')}"


def of_many(n, what):
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


@dataclass
class Study:
    program: str
    arguments: list
    variants: dict  # name: arguments behind those above
    ranks: list
    repetitions: int
    kind: str  # "weak" or "strong"
    directory: str  # where the program runs
    launcher: dict = field(default_factory=dict)  # see launchers.py
    ranks_per_node: int = 0  # 0 for all on one node
    workers: int = 0  # of each rank; 0: what Rondo takes by itself
    delay: str = ""  # RONDO_DELAY
    time: str = ""  # an expression that finds the seconds in what the program prints
    limit: float = 600  # seconds of a run
    machine: dict = field(default_factory=dict)
    began: str = ""

    def runs(self):
        """In turns, and each round begins with another one: a slow minute of the machine hits all."""
        round_ = [(variant, ranks) for ranks in self.ranks for variant in self.variants]
        for number in range(self.repetitions):
            shift = number * max(1, len(round_) // self.repetitions) % len(round_)
            for variant, ranks in round_[shift:] + round_[:shift]:
                yield Run(variant, ranks, number)

    def nodes(self, ranks):
        return -(-ranks // self.ranks_per_node) if self.ranks_per_node else 1

    def values(self, ranks):
        """Of names in placeholders."""
        return {
            "ranks": ranks,
            "nodes": self.nodes(ranks),
            "workers": self.workers or 1,
            "ranks_per_node": self.ranks_per_node or ranks,
        }

    def command(self, run):
        arguments = self.arguments + self.variants[run.variant]
        return [self.program] + [expand(a, self.values(run.ranks)) for a in arguments]

    def has_placeholders(self):
        return any(map(has_placeholder, sum(self.variants.values(), list(self.arguments))))

    def path(self, folder, run, ending):
        """Of a file of that run."""
        place = list(self.variants).index(run.variant)
        name = re.sub(r"[^A-Za-z0-9._]+", "-", run.variant).strip("-.")
        name = f"{place}-{name}" if len(self.variants) > 1 else name
        return os.path.join(folder, "runs", f"{name}-on-{run.ranks}-{run.number}{ending}")

    def save(self, folder):
        os.makedirs(os.path.join(folder, "runs"), exist_ok=True)
        with open(os.path.join(folder, "study.json"), "w", encoding="utf-8") as f:
            json.dump({"format": "rondo scale 1", **dataclasses.asdict(self)}, f, indent=1)
            f.write("\n")


def read(folder):
    path = os.path.join(folder, "study.json")
    try:
        with open(path, encoding="utf-8") as f:
            j = json.load(f)
        if j.pop("format", None) != "rondo scale 1":
            raise Complaint(f"{path} is of another version of rondo-scale")
        return Study(**j)
    except FileNotFoundError:
        raise Complaint(f"{folder} is no folder of a study: there is no study.json in it") from None
    except (OSError, ValueError, TypeError) as e:
        raise Complaint(f"{path}: {e}") from None
