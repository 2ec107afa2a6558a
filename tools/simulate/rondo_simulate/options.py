"""The command line."""

import argparse
import json
import os
from dataclasses import dataclass

from rondo_scale import launchers, machine
from rondo_scale import options as of_scale
from rondo_scale.complaint import Complaint
from rondo_scale.expressions import expand

from . import networks
from .program import Program

MOST_RANKS = 65536
VARIANTS = ("future-traced", "future-untraced", "blocking-traced", "blocking-untraced")
PREDICTED = [16, 64, 256, 1024, 4096]

TEXT = """\
Predicts how a program scales: it is measured on few ranks, planned for many, and the plan is played with times as they
were measured.

  rondo-simulate ./heat --nx 1024 --ny '{1024*ranks}' --steps '{passes}'
  rondo-simulate                       a solver of Rondo's own
  rondo-simulate draw FOLDER           the picture of results that are there

Options of rondo-simulate come before the program; everything behind it belongs to the program.
"""

END = """\
placeholders in arguments of the program:
  {ranks}, {nodes}, {workers}, {ranks_per_node}, {passes}, and arithmetic with them, such as {1024*ranks}. {passes} is
  --passes when the program is measured, and --planned-passes when it is planned; the loop of a plan is lengthened.
  Without it all passes are planned. {{ and }} are braces.

what is in the folder: prediction.md (begin there), prediction.svg and prediction.png, prediction.csv,
prediction.json, runs/ with what each measured run has printed and its costs, and plans/ with what planned runs have
printed.

docs/prediction.md says more.
"""


@dataclass
class Wishes:
    """What is to be done."""

    program: Program  # its `ranks` are those that are measured
    predicted: list  # numbers of ranks, those that are measured among them
    variants: list
    written_as: str  # one of them: the program as it is
    hold_out: int  # 0 for the largest number of ranks that has been measured
    seeds: int
    network: dict = None  # None for the one that was measured
    network_file: str = ""  # what the engine is given
    plan_limit: float = 3600
    keep_timelines: bool = False

    def save_network(self, folder):
        """With the number of ranks per node that was asked for."""
        if self.network is not None:
            self.network_file = os.path.join(folder, "network.json")
            with open(self.network_file, "w", encoding="utf-8") as f:
                json.dump(self.network, f, indent=1)
                f.write("\n")


def numbers(text):
    found = of_scale.numbers(text)
    if found[-1] > MOST_RANKS:
        raise argparse.ArgumentTypeError(f"{found[-1]} ranks are too many: {MOST_RANKS} at most")
    return found


def variants(text):
    found = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in found:
        variant(name)
    if not found:
        raise argparse.ArgumentTypeError(f"expected some of {', '.join(VARIANTS)}")
    return found


def variant(text):
    if text not in VARIANTS:
        raise argparse.ArgumentTypeError(f'there is no variant "{text}"; there are {", ".join(VARIANTS)}')
    return text


def parser():
    p = argparse.ArgumentParser(
        prog="rondo-simulate",
        description=TEXT,
        epilog=END,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="rondo-simulate [OPTIONS] [PROGRAM [ARGUMENT...]]",
    )
    add_what(p.add_argument_group("what is measured, and what is predicted"))
    add_where(p.add_argument_group("where"))
    p.add_argument("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return p


def add_what(what):
    n = of_scale.at_least_1
    what.add_argument(
        "--measure",
        type=numbers,
        metavar="1,2,4",
        help="numbers of ranks that are run; by default up to twice this machine's cores",
    )
    what.add_argument(
        "--predict",
        type=numbers,
        metavar="16,64",
        help=f"numbers of ranks, {MOST_RANKS} at most ({','.join(map(str, PREDICTED))}); those measured come with them",
    )
    what.add_argument("--repetitions", type=n, default=3, metavar="N", help="measured runs of each (3), in turns")
    what.add_argument("--passes", type=n, default=100, metavar="N", help="{passes} of measured runs (100)")
    what.add_argument("--planned-passes", type=n, default=24, metavar="N", help="{passes} of plans (24)")
    what.add_argument("--workers", type=n, metavar="N", help="of each rank; 1 on this machine, else what Rondo takes")
    what.add_argument(
        "--variants", type=variants, default=list(VARIANTS), metavar="NAME,...", help=f"some of {', '.join(VARIANTS)}"
    )
    what.add_argument(
        "--written-as", type=variant, metavar="NAME", help="the variant that the program is; the first of --variants"
    )
    what.add_argument("--network", metavar="NAME", help=f"a file, or one of {', '.join(networks.shipped())}")
    what.add_argument("--seeds", type=n, default=5, metavar="N", help="each is predicted so often (5)")
    what.add_argument(
        "--hold-out",
        type=n,
        metavar="N",
        help="the measured number of ranks that is predicted from fewer ranks, as a test; the largest one",
    )


def add_where(where):
    n = of_scale.at_least_1
    where.add_argument(
        "--mpirun", default="mpirun", metavar="PATH", help="that of the MPI the program is linked with"
    )
    where.add_argument("--hostfile", metavar="FILE", help="nodes, for mpirun")
    where.add_argument("--ranks-per-node", type=n, metavar="N", help="of the nodes that are predicted, or measured")
    where.add_argument(
        "--launcher", metavar="WORDS", help="what starts ranks in place of mpirun: 'srun -N {nodes} -n {ranks}'"
    )
    where.add_argument(
        "--delay", default="", metavar="DELAY", help="a slower network when measuring: RONDO_DELAY=latency=50us"
    )
    where.add_argument(
        "--limit", type=float, default=600, metavar="SECONDS", help="a run that takes longer has failed (600)"
    )
    where.add_argument(
        "--plan-limit", type=float, default=3600, metavar="SECONDS", help="a plan that takes longer has failed (3600)"
    )
    where.add_argument("--output", metavar="FOLDER", help="prediction, prediction-2, ... if not given")
    where.add_argument("--keep-timelines", action="store_true", help="of measured runs; they may be large")
    where.add_argument("--engine", metavar="PATH", help="rondo-simulate-ranks, if it is elsewhere")
    where.add_argument("--no-pictures", dest="pictures", action="store_false", help="only tables and words")
    where.add_argument("--dry-run", action="store_true", help="says what would run")


def default_measured(cores):
    most = max(4, 2 * cores)
    return [2**k for k in range(most.bit_length()) if 2**k <= most]


def own_program():
    """A solver that sleeps in place of most of its work: sleep takes as long on any number of ranks."""
    size = ["--nx", "64", "--ny", "{64*ranks}", "--steps", "{passes}", "--early", "2", "--rest", "20000", "--colors", "2"]
    return of_scale.solver(), [*size, "--variant", VARIANTS[0]]


def program_of(o, began):
    words = o.command[1:] if o.command[:1] == ["--"] else o.command
    path, arguments = (of_scale.program_of(words[0]), words[1:]) if words else own_program()
    about = machine.describe()
    o.slurm = False  # which launcher_of() would like to know
    p = Program(
        program=path,
        arguments=arguments,
        variants={os.path.basename(path): []},
        ranks=o.measure or default_measured(about["cores"]),
        repetitions=o.repetitions,
        kind="weak",
        directory=os.getcwd(),
        launcher=of_scale.launcher_of(o),
        ranks_per_node=o.ranks_per_node or 0,
        workers=o.workers or 0,
        delay=o.delay,
        limit=o.limit,
        machine=about,
        began=began,
        passes=o.passes,
        planned_passes=o.planned_passes,
    )
    if not o.workers and launchers.is_local(p.launcher):
        given = os.environ.get("RONDO_WORKERS", "")
        p.workers = int(given) if given.isdigit() and int(given) else 1
    return p


def check(w):
    """What is wrong is told before anything runs."""
    p = w.program
    p.command(p.run(p.ranks[0]))  # names that there are not, first
    if not p.uses("ranks", "nodes"):
        raise Complaint(
            "strong scaling is not predicted: tasks get shorter with the ranks, and how long those of many ranks "
            "take was measured nowhere. Let the problem grow with the ranks: an argument such as '{1024*ranks}'"
        )
    if w.network is None and p.ranks_per_node and launchers.is_local(p.launcher):
        raise Complaint(
            "--ranks-per-node: messages between nodes can't be measured on this machine alone; say how long they "
            f"take: --network FILE, or one of {', '.join(networks.shipped())}"
        )
    if w.hold_out and w.hold_out not in p.ranks[1:]:
        raise Complaint(
            f"--hold-out: {w.hold_out} ranks are not measured, or there are no fewer ones; --measure has "
            + ",".join(map(str, p.ranks))
        )
    for ranks in w.predicted:
        p.command(p.run(ranks)), p.planned_command(ranks)
        for word in p.launcher.get("words", []):
            expand(word, p.values(ranks))


def wishes_of(o, began):
    p = program_of(o, began)
    written_as = o.written_as or o.variants[0]
    wishes = Wishes(
        program=p,
        predicted=sorted({*(o.predict or PREDICTED), *p.ranks}),
        variants=[written_as, *(v for v in o.variants if v != written_as)],
        written_as=written_as,
        hold_out=o.hold_out or 0,
        seeds=o.seeds,
        network=networks.of(o.network, o.ranks_per_node),
        plan_limit=o.plan_limit,
        keep_timelines=o.keep_timelines,
    )
    check(wishes)
    return wishes
