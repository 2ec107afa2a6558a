"""What rondo-scale does, put together from the other files."""

import argparse
import collections
import os
import shlex
import sys
import time

from . import drawing, launchers, options, outcome, report, running, slurm, study, summary, tables
from .complaint import Complaint
from .study import of_many


def say(text):
    print(f"rondo-scale: {text}", flush=True)


# --- running --------------------------------------------------------------------------------------------


def run_all(plan, folder, runs):
    """One after the other; a run that fails keeps none of the others from running.

    What has failed twice would do so again, as a rule, and perhaps only after the limit.
    """
    is_terminal = sys.stderr.isatty()
    failed = collections.Counter()
    for n, run in enumerate(runs):
        if failed[run.variant, run.ranks] == 2:
            continue
        if is_terminal:
            sys.stderr.write(f"\r\033[K{n + 1}/{len(runs)}: {run}")
            sys.stderr.flush()
        try:
            kept = running.do(plan, folder, run)
        except KeyboardInterrupt:
            raise Complaint(f"interrupted; rondo-scale continue {folder} goes on") from None
        if "failed" not in kept:
            continue
        failed[run.variant, run.ranks] += 1
        if failed[run.variant, run.ranks] == 1:
            if is_terminal:
                sys.stderr.write("\r\033[K")
            say(f"{run}: {kept['failed']}; the others go on. It has printed:")
            print("\n".join("    " + line for line in kept["said"] or ["nothing"]), flush=True)
    if is_terminal:
        sys.stderr.write("\r\033[K")


def write_results(plan, folder, script, with_pictures):
    """From all runs that have ended."""
    found = outcome.read(plan, folder)
    if not found.kept:
        raise Complaint(f"no run of {folder} has ended yet")
    tables.write(found, folder)
    no_picture = drawing.draw(found, folder, script) if with_pictures else ""
    has_picture = with_pictures and not no_picture
    with open(os.path.join(folder, "report.md"), "w", encoding="utf-8") as f:
        f.write(report.page(found, folder, has_picture))
    print("\n" + summary.of(found) + "\n")
    if no_picture:
        say(no_picture)
    say(
        f"read {os.path.join(folder, 'report.md')}"
        + (f", look at {os.path.join(folder, 'scaling.svg')}" if has_picture else "")
    )
    return found


def missing_or_failed(plan, folder, nodes=None):
    out = []
    for run in plan.runs():
        kept = outcome.read_run(plan, folder, run)
        if (kept is None or kept.failed) and nodes in (None, plan.nodes(run.ranks)):
            out.append(run)
    return out


def exit_code(found):
    return 1 if found.failed or not found.curves else 0


# --- commands -------------------------------------------------------------------------------------------


def new_folder(given):
    if given:
        if os.path.exists(os.path.join(given, "study.json")):
            raise Complaint(f"{given} has a study already: rondo-scale continue {given}, or another --output")
        return os.path.abspath(given)
    n = 1
    while os.path.exists(folder := "scaling" if n == 1 else f"scaling-{n}"):
        n += 1
    return os.path.abspath(folder)


def describe(plan):
    each = "" if len(plan.variants) == 1 else f" of {len(plan.variants)} variants"
    return (
        f"{plan.kind} scaling of {os.path.basename(plan.program)}: {of_many(plan.repetitions, 'run')}{each} on "
        f"{', '.join(map(str, plan.ranks))} {'rank' if plan.ranks == [1] else 'ranks'}"
    )


def print_commands(plan, folder):
    for run in plan.runs():
        if run.number == 0:
            command, _ = running.command_of(plan, run, plan.path(folder, run, ".digest.json"))
            print(shlex.join(command))


def cmd_run(arguments, script):
    o = options.parser().parse_args(arguments)
    plan = options.study_of(o, time.strftime("%Y-%m-%d %H:%M"))
    folder = new_folder(o.output)
    say(describe(plan))
    shared = [r for r in plan.ranks if launchers.shares_cores(plan, r)]
    if shared:
        say(
            f"from {of_many(shared[0], 'rank')} on ranks share the {plan.machine['cores']} cores, so the curve"
            " will measure what ranks cost and not how fast as many nodes would be"
        )
    if o.dry_run and not o.slurm:
        print_commands(plan, folder)
        return 0
    plan.save(folder)
    if o.slurm:
        return submit_all(plan, folder, o, script)
    run_all(plan, folder, list(plan.runs()))
    return exit_code(write_results(plan, folder, script, o.pictures))


def submit_all(plan, folder, o, script):
    code = 0
    for nodes, path in slurm.write(plan, folder, o.sbatch_option, script):
        if o.dry_run:
            say(f"would submit {path}")
            continue
        try:
            say(f"{of_many(nodes, 'node')}: job {slurm.submit(path)}")
        except slurm.Refused as e:  # the other jobs may fit
            say(str(e))
            code = 1
    say(f"when jobs have ended: rondo-scale collect {folder}")
    return code


def cmd_collect(arguments, script):
    p = argparse.ArgumentParser(
        prog="rondo-scale collect",
        description="Writes the results of a study from the runs that are done, and says which are missing.",
    )
    p.add_argument("folder")
    options.add_pictures(p)
    o = p.parse_args(arguments)
    folder = os.path.abspath(o.folder)
    plan = study.read(folder)
    tell_missing(plan, folder)
    return exit_code(write_results(plan, folder, script, o.pictures))


def tell_missing(plan, folder):
    """For each number of nodes, so for each job, if Slurm runs them."""
    missing = {}
    for run in plan.runs():
        if outcome.read_run(plan, folder, run) is None:
            missing.setdefault(plan.nodes(run.ranks), []).append(run)
    is_slurm = os.path.isdir(os.path.join(folder, "jobs"))
    for nodes, runs in missing.items():
        where = f" on {of_many(nodes, 'node')}" if is_slurm else ""
        why = f": {slurm.last_words(folder, nodes)}" if is_slurm else f": such as {runs[0]}"
        say(f"{of_many(len(runs), 'run')}{where} missing{why}")


def cmd_continue(arguments, script):
    p = argparse.ArgumentParser(
        prog="rondo-scale continue", description="Runs what is missing of a study, and what has failed."
    )
    p.add_argument("folder")
    options.add_pictures(p)
    p.add_argument(
        "--nodes",
        type=options.at_least_1,
        metavar="N",
        help="only runs on so many nodes, as a job of Slurm does; no report",
    )
    o = p.parse_args(arguments)
    folder = os.path.abspath(o.folder)
    plan = study.read(folder)
    runs = missing_or_failed(plan, folder, o.nodes)
    say(f"{of_many(len(runs), 'run')} to do" if runs else "nothing is missing, and nothing has failed")
    run_all(plan, folder, runs)
    if o.nodes is not None:
        return 1 if missing_or_failed(plan, folder, o.nodes) else 0
    return exit_code(write_results(plan, folder, script, o.pictures))


def cmd_draw(arguments, script):
    """The pictures alone; see drawing.py."""
    folder = os.path.abspath(arguments[0])
    no_picture = drawing.draw(outcome.read(study.read(folder), folder), folder, script)
    if no_picture:
        raise Complaint(no_picture)
    return 0


COMMANDS = {"collect": cmd_collect, "continue": cmd_continue, "draw": cmd_draw}


def main(arguments, script):
    try:
        if arguments and arguments[0] in COMMANDS:
            return COMMANDS[arguments[0]](arguments[1:], script)
        return cmd_run(arguments, script)
    except Complaint as e:
        print(f"rondo-scale: {e}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1
