"""The command line."""

import argparse
import os
import re
import shlex
import shutil

from . import launchers, machine
from .complaint import Complaint
from .expressions import expand, has_placeholder
from .study import Study

TEXT = """\
Runs a program on more and more ranks, and says how it scales and what limits it.

  rondo-scale ./heat --nx 2048                      strong scaling: the same problem on more ranks
  rondo-scale ./heat --nx 1024 --ny '{1024*ranks}'  weak scaling: the problem grows with the ranks
  rondo-scale                                       a solver of Rondo's own, in four variants
  rondo-scale collect FOLDER                        what is done of a study, such as one by Slurm
  rondo-scale continue FOLDER                       runs what is missing or has failed

Options of rondo-scale come before the program; everything behind it belongs to the program.
"""

END = """\
placeholders in arguments of the program:
  {ranks}, {nodes}, {workers}, {ranks_per_node}, and arithmetic with them, such as {1024*ranks} or
  {round(1024*sqrt(ranks))}. With a placeholder the study is one of weak scaling. {{ and }} are braces.

what is in the folder: report.md (begin there), scaling.svg and scaling.png, runs.csv, runs.jsonl, extrap.jsonl (for
Extra-P), and runs/ with what each run has printed and its digest.

docs/scaling_study.md says more.
"""


def numbers(text):
    try:
        found = sorted({int(x) for x in text.split(",") if x.strip()})
    except ValueError:
        found = []
    if not found or found[0] < 1:
        raise argparse.ArgumentTypeError(f'expected numbers such as 1,2,4,8, not "{text}"')
    return found


def at_least_1(text):
    if not re.fullmatch(r"[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f'expected a whole number from 1 on, not "{text}"')
    return int(text)


def expression_with_group(text):
    try:
        if re.compile(text).groups == 1:
            return text
    except re.error as e:
        raise argparse.ArgumentTypeError(f'"{text}": {e}') from None
    raise argparse.ArgumentTypeError(
        f"\"{text}\" needs one group in brackets, for the seconds: 'time: ([0-9.e+-]+)'"
    )


def add_pictures(to):
    to.add_argument("--no-pictures", dest="pictures", action="store_false", help="only tables and words")


def parser():
    p = argparse.ArgumentParser(
        prog="rondo-scale",
        description=TEXT,
        epilog=END,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="rondo-scale [OPTIONS] [PROGRAM [ARGUMENT...]]",
    )
    what = p.add_argument_group("what is run")
    what.add_argument(
        "--ranks", type=numbers, metavar="1,2,4", help="numbers of ranks; by default up to this machine's cores"
    )
    what.add_argument("--repetitions", type=at_least_1, default=5, metavar="N", help="runs of each (5), in turns")
    what.add_argument("--weak", action="store_true", help="weak scaling, though no argument has {ranks} in it")
    what.add_argument("--strong", action="store_true", help="strong scaling, though an argument has {ranks} in it")
    what.add_argument(
        "--variant",
        action="append",
        default=[],
        metavar="NAME=ARGUMENTS",
        help="a curve of its own, with these arguments behind the others; again for each",
    )
    what.add_argument(
        "--workers",
        type=at_least_1,
        metavar="N",
        help="workers of each rank; 1 on this machine, else what Rondo takes",
    )
    what.add_argument(
        "--time",
        type=expression_with_group,
        metavar="REGEX",
        help=(
            "finds the seconds in what the program prints, as in 'time: ([0-9.e+-]+)'; "
            "otherwise times are those of the digest"
        ),
    )
    what.add_argument(
        "--delay",
        default="",
        metavar="DELAY",
        help="a slower network, as RONDO_DELAY: latency=50us,bandwidth=1GB/s",
    )
    what.add_argument(
        "--limit", type=float, default=600, metavar="SECONDS", help="a run that takes longer has failed (600)"
    )
    where = p.add_argument_group("where")
    where.add_argument(
        "--mpirun", default="mpirun", metavar="PATH", help="that of the MPI the program is linked with"
    )
    where.add_argument("--hostfile", metavar="FILE", help="nodes, for mpirun")
    where.add_argument(
        "--ranks-per-node", type=at_least_1, metavar="N", help="on more than one node (1 with --slurm)"
    )
    where.add_argument(
        "--nodes",
        type=numbers,
        metavar="1,2,4",
        help="in place of --ranks: so many nodes with --ranks-per-node each",
    )
    where.add_argument(
        "--launcher",
        metavar="WORDS",
        help=(
            "what starts ranks in place of mpirun: 'srun -N {nodes} -n {ranks}', 'tests/cluster/nodes run {ranks}'"
        ),
    )
    where.add_argument(
        "--slurm", action="store_true", help="a job for each number of nodes; then rondo-scale collect FOLDER"
    )
    where.add_argument(
        "--sbatch-option",
        action="append",
        default=[],
        metavar="OPTION",
        help="for jobs: time=00:30:00; again for each",
    )
    where.add_argument(
        "--dry-run", action="store_true", help="says what would run; with --slurm the scripts are written"
    )
    where.add_argument("--output", metavar="FOLDER", help="for the results; scaling, scaling-2, ... if not given")
    add_pictures(where)
    p.add_argument("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return p


def program_of(name):
    """Its path."""
    found = shutil.which(name)
    if found:
        return os.path.abspath(found)
    if os.path.isdir(name):
        raise Complaint(f"{name} is a folder, no program")
    if os.access(name, os.X_OK):
        return os.path.abspath(name)  # without ./
    if os.path.exists(name):
        raise Complaint(f"{name} can't be run; is it a program? (chmod +x {name})")
    raise Complaint(f"there is no program {name}; build it first, or give its path")


def own_variants(is_strong, shares_cores):
    """Those of the solver that is run if there is no program.

    Where ranks share cores it sleeps in place of most of its work: sleep is the same on any number of ranks, and what
    is added to it is what ranks cost.
    """
    if shares_cores:
        size = (
            ["--nx", "64", "--ny", "1024", "--rest", "{80000/ranks}"]
            if is_strong
            else ["--nx", "64", "--ny", "{64*ranks}", "--rest", "10000"]
        )
        size += ["--steps", "50"]
    else:
        size = ["--nx", "1024", "--ny", "1024"] if is_strong else ["--nx", "512", "--ny", "{512*ranks}"]
        size += ["--steps", "400"]
    names = [f"{wait}-{trace}" for wait in ("blocking", "future") for trace in ("untraced", "traced")]
    return [*size, "--colors", "4"], {name.replace("-", ", "): ["--variant", name] for name in names}


def solver():
    """Beside the script if that is installed, in the build folder if not."""
    script = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for place in (os.path.join(script, "../../bin"), os.path.join(script, "../../build/release/tools")):
        path = os.path.join(place, "rondo-scale-solver")
        if os.access(path, os.X_OK):
            return os.path.abspath(path)
    found = shutil.which("rondo-scale-solver")
    if not found:
        raise Complaint(
            "rondo-scale-solver is not built: cmake --build build/release --target rondo-scale-solver; "
            "or give a program of your own"
        )
    return found


def variants_of(texts):
    out = {}
    for text in texts:
        name, is_there, words = text.partition("=")
        if not is_there or not name.strip():
            raise Complaint(f'--variant is NAME=ARGUMENTS, not "{text}"')
        if name.strip() in out:
            raise Complaint(f'there are two variants "{name.strip()}"')
        out[name.strip()] = shlex.split(words)
    return out


def launcher_of(o):
    if o.launcher:
        words = shlex.split(o.launcher)
        if not words or not shutil.which(words[0]):
            raise Complaint(f"--launcher: there is no program {words[0] if words else ''}")
        if not any(map(has_placeholder, words)):
            raise Complaint("--launcher: it has to be told the number of ranks: write {ranks} where that goes")
        return {"kind": "template", "words": [os.path.abspath(shutil.which(words[0])), *words[1:]]}
    if not shutil.which(o.mpirun) and not o.slurm:
        raise Complaint(
            f"there is no {o.mpirun}: install an MPI (./rondo install distributed), or say what starts ranks: "
            "--launcher"
        )
    hostfile = ""
    if o.hostfile:
        if not os.path.isfile(o.hostfile):
            raise Complaint(f"there is no hostfile {o.hostfile}")
        hostfile = os.path.abspath(o.hostfile)
    return launchers.mpirun(shutil.which(o.mpirun) or o.mpirun, hostfile, o.slurm)


def default_ranks(cores):
    most = max(2, cores)
    powers = [2**k for k in range(most.bit_length()) if 2**k <= most]
    return sorted({*powers, most})


def ranks_of(o, cores, per_node):
    if o.ranks and o.nodes:
        raise Complaint("--ranks and --nodes say the same in two ways: give one of them")
    if o.nodes:
        return [n * (per_node or 1) for n in o.nodes]
    if o.ranks:
        for r in o.ranks:
            if per_node and r > per_node and r % per_node:
                raise Complaint(f"--ranks: {r} ranks don't fill nodes of {per_node} (--ranks-per-node)")
        return o.ranks
    if o.slurm or o.hostfile:
        raise Complaint("on a cluster the numbers of ranks or nodes have to be given: --nodes 1,2,4,8")
    return default_ranks(cores)


def study_of(o, began):
    if o.weak and o.strong:
        raise Complaint("a study is one of --weak or of --strong scaling")
    per_node = o.ranks_per_node or (1 if o.slurm or o.nodes else 0)
    about = machine.describe()
    study = Study(
        program="",
        arguments=[],
        variants={},
        ranks=ranks_of(o, about["cores"], per_node),
        repetitions=o.repetitions,
        kind="",
        directory=os.getcwd(),
        launcher=launcher_of(o),
        ranks_per_node=per_node,
        workers=o.workers or 0,
        delay=o.delay,
        time=o.time or "",
        limit=o.limit,
        machine=about,
        began=began,
    )
    if not o.workers and launchers.is_local(study.launcher):
        # Otherwise one rank would have all cores, and two no more than these.
        given = os.environ.get("RONDO_WORKERS", "")
        study.workers = int(given) if given.isdigit() else 1
    give_program(study, o)
    study.kind = "weak" if o.weak or (study.has_placeholders() and not o.strong) else "strong"
    for ranks in study.ranks:  # what is wrong with a placeholder is told before anything runs
        for argument in study.arguments + sum(study.variants.values(), []) + study.launcher.get("words", []):
            expand(argument, study.values(ranks))
    return study


def give_program(study, o):
    words = o.command[1:] if o.command[:1] == ["--"] else o.command
    if words:
        study.program, study.arguments = program_of(words[0]), words[1:]
        study.variants = variants_of(o.variant) or {os.path.basename(study.program): []}
        return
    if o.variant:
        raise Complaint("--variant is for a program of your own, which is missing")
    study.program = solver()
    study.arguments, study.variants = own_variants(o.strong, launchers.shares_cores(study, max(study.ranks)))
    study.time = study.time or r"\bseconds ([0-9.e+-]+)"
