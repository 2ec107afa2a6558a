"""Measured runs: each leaves a timeline, from which the engine reads what things cost."""

import json
import os
import shlex
import time

from rondo_scale import launchers, running

from . import checks, engine


def environment_of(program, timeline):
    environment = launchers.environment_of(program, timeline)
    environment["RONDO_OBSERVE"] = f"timeline={os.path.abspath(timeline)}"
    environment.pop("RONDO_PLAN", None)
    return environment


def command_of(program, run, timeline):
    environment = environment_of(program, timeline)
    return program.launcher_words(run.ranks, environment) + program.command(run), environment


def costs_of(kept, path, timeline, engine_path):
    """What the engine reads out of the timeline is kept beside it."""
    if not os.path.exists(timeline):
        kept["failed"] = (
            "it left no timeline: does it begin with rondo::run, and is mpirun that of its MPI (--mpirun)?"
        )
        return
    try:
        found = engine.costs(engine_path, timeline)
    except engine.Failed as e:
        kept["failed"] = str(e)
        return
    with open(path, "w", encoding="utf-8") as f:
        json.dump(found, f, indent=1)
        f.write("\n")
    kept.update(costs=path, components=found["components"], shared=found["costs"].get("shared", 0))
    kept.update(rare=checks.rare_tasks(found["costs"]))
    kept.update(workers=found["costs"].get("workers", 1))


def do(wishes, folder, run, engine_path):
    """Runs it, and returns what is kept of it; "failed" is why it is of no use."""
    program = wishes.program
    log, timeline, costs = (program.path(folder, run, ending) for ending in (".log", ".rondo", ".costs.json"))
    command, environment = command_of(program, run, timeline)
    kept = {
        "ranks": run.ranks,
        "number": run.number,
        "at": time.strftime("%Y-%m-%d %H:%M:%S"),
        "command": shlex.join(command),
    }
    try:
        code, kept["wall"], kept["others"] = running.start(program, command, environment, log)
    except OSError as e:
        kept.update(failed=f"{e.filename or program.program}: {e.strerror}", said=[])
        return kept
    why = running.failure(program, code, "")
    if why:
        with open(log, encoding="utf-8", errors="replace") as f:
            kept.update(failed=why, said=running.end_of(f.read()))
    else:
        costs_of(kept, costs, timeline, engine_path)
    if os.path.exists(timeline) and not wishes.keep_timelines:
        os.remove(timeline)
    return kept


def of_ranks(runs):
    """For each number of ranks: its runs, and the one with the median seconds, whose costs are taken."""
    out = []
    for ranks in sorted({r["ranks"] for r in runs}):
        good = sorted(
            (r for r in runs if r["ranks"] == ranks and "failed" not in r), key=lambda r: r["components"]["seconds"]
        )
        if good:
            middle = good[(len(good) - 1) // 2]
            out.append(
                {
                    "ranks": ranks,
                    "seconds": [r["components"]["seconds"] for r in good],
                    "components": middle["components"],
                    "costs": middle["costs"],
                    "shared": middle["shared"],
                    "rare": middle["rare"],
                    "workers": middle["workers"],
                }
            )
    return out
