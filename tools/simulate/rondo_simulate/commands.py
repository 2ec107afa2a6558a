"""What rondo-simulate does, put together from the other files: measure, plan and predict, test, write."""

import argparse
import collections
import os
import shlex
import statistics
import sys
import time

from rondo_scale import launchers
from rondo_scale.complaint import Complaint
from rondo_scale.study import of_many

from . import checks, drawing, engine, holding_out, measuring, options, page, planning, results, summary, tables

PLAN_SHOWN = "FILE"


def say(text):
    print(f"rondo-simulate: {text}", flush=True)


class Progress:
    """A line that is overwritten, on terminals."""

    def __init__(self):
        self.is_terminal = sys.stderr.isatty()

    def show(self, text):
        if self.is_terminal:
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()

    def clear(self):
        self.show("")


# --- 1. measured runs -----------------------------------------------------------------------------------


def measure(wishes, folder, engine_path):
    """In turns. What has failed twice is not tried again, as it would do so."""
    program, runs, failed, progress = wishes.program, [], collections.Counter(), Progress()
    planned = list(program.runs())
    for n, run in enumerate(planned):
        if failed[run.ranks] == 2:
            continue
        progress.show(f"measuring {n + 1}/{len(planned)}: {of_many(run.ranks, 'rank')}")
        kept = measuring.do(wishes, folder, run, engine_path)
        runs.append(kept)
        if "failed" in kept:
            failed[run.ranks] += 1
            if failed[run.ranks] == 1:
                progress.clear()
                say(f"{of_many(run.ranks, 'rank')}: {kept['failed']}; the others go on")
                print("".join(f"    {line}\n" for line in kept.get("said", [])), end="", flush=True)
    progress.clear()
    return runs


# --- 2. plans and predictions ---------------------------------------------------------------------------


def predict_all(wishes, planner, engine_path, measured, workers):
    """(predictions, numbers of ranks without one and why)"""
    network = wishes.network_file
    words = engine.predict_words(engine_path, wishes, [m["costs"] for m in measured], wishes.variants, network)
    predicted, no_plan, progress = [], [], Progress()
    for ranks in wishes.predicted:
        progress.show(f"predicting {of_many(ranks, 'rank')}")
        try:
            found = samples_of(planner.predict(ranks, workers, words), wishes.variants)
        except (engine.Failed, planning.NoPlan) as e:
            progress.clear()
            if not predicted:  # the others would fare no better
                raise Complaint(str(e)) from None
            say(f"{of_many(ranks, 'rank')}: {e}")
            no_plan.append({"ranks": ranks, "why": str(e)})
            continue
        predicted += [{"ranks": ranks, **p} for p in found]
    progress.clear()
    return predicted, no_plan


def samples_of(answer, variants):
    found = [p for p in answer["predictions"] if p.get("variant") in variants and p.get("samples")]
    missing = [v for v in variants if v not in [p["variant"] for p in found]]
    if missing:
        raise engine.Failed(f"{engine.NAME}: its answer has nothing of {', '.join(missing)}")
    return found


# --- 3. a test of it ------------------------------------------------------------------------------------


def hold_out(wishes, planner, engine_path, measured, workers):
    """A measured number of ranks from fewer ones; (what came of it or None, why there is none)"""
    held = holding_out.which(measured, wishes.hold_out)
    if held is None:
        wanted = f"{wishes.hold_out} ranks, and fewer," if wishes.hold_out else "two numbers of ranks"
        return None, f"it takes {wanted} that were measured without failure"
    fewer = holding_out.smaller(measured, held)
    # Messages are as measured, whatever network is predicted.
    words = engine.predict_words(engine_path, wishes, [m["costs"] for m in fewer], [wishes.written_as])
    try:
        answer = planner.predict(held["ranks"], workers, words)
        samples = samples_of(answer, [wishes.written_as])[0]["samples"]
    except (engine.Failed, planning.NoPlan) as e:
        return None, str(e)
    model, why = holding_out.plain_model([(m["ranks"], statistics.median(m["seconds"])) for m in fewer])
    return {
        "ranks": held["ranks"],
        "from": [m["ranks"] for m in fewer],
        "seconds": held["seconds"],
        "components": held["components"],
        "samples": samples,
        "model": str(model) if model else None,
        "model_seconds": model(held["ranks"]) if model else None,
        "no_model": why,
    }, ""


# --- 4. results -----------------------------------------------------------------------------------------


def write_page(result, folder, has_picture):
    with open(os.path.join(folder, "prediction.md"), "w", encoding="utf-8") as f:
        f.write(page.of(result, folder, has_picture))


def write_results(result, folder, script, with_pictures):
    results.save(result, folder)
    tables.write(result, folder)
    no_picture = drawing.draw(result, folder, script) if with_pictures else ""
    has_picture = with_pictures and not no_picture
    write_page(result, folder, has_picture)
    print("\n" + summary.of(result) + "\n")
    if no_picture:
        say(no_picture)
    look = f", look at {os.path.join(folder, 'prediction.svg')}" if has_picture else ""
    say(f"read {os.path.join(folder, 'prediction.md')}{look}")


# --- commands -------------------------------------------------------------------------------------------


def new_folder(given):
    if given:
        if os.path.exists(os.path.join(given, results.FILE)):
            raise Complaint(f"{given} has a prediction already: give another --output")
        return os.path.abspath(given)
    n = 1
    while os.path.exists(folder := "prediction" if n == 1 else f"prediction-{n}"):
        n += 1
    return os.path.abspath(folder)


def describe(wishes):
    p = wishes.program
    return (
        f"{p.name}: {of_many(p.repetitions, 'measured run')} on {', '.join(map(str, p.ranks))}"
        f" {'rank' if p.ranks == [1] else 'ranks'}; predicted for {', '.join(map(str, wishes.predicted))}"
    )


def print_commands(wishes, folder, engine_path):
    p = wishes.program
    if wishes.network is not None:
        wishes.network_file = os.path.join(folder, "network.json")
    for ranks in p.ranks:
        run = p.run(ranks)
        command, environment = measuring.command_of(p, run, p.path(folder, run, ".rondo"))
        print(f"RONDO_OBSERVE={environment['RONDO_OBSERVE']} {shlex.join(command)}")
    costs = [p.path(folder, p.run(ranks), ".costs.json") for ranks in p.ranks]
    words = engine.predict_words(engine_path, wishes, costs, wishes.variants, wishes.network_file)
    for ranks in wishes.predicted:
        plan = f"ranks={ranks},workers={p.workers or 1},to={PLAN_SHOWN}"
        print(f"RONDO_PLAN={plan} {shlex.join(p.planned_command(ranks))}")
    print(shlex.join([*words, PLAN_SHOWN]))


def simulate(wishes, folder, engine_path):
    os.makedirs(os.path.join(folder, "runs"), exist_ok=True)
    wishes.save_network(folder)
    with planning.Planner(wishes, folder) as planner:
        # A program that can't be planned is better told of before it is measured for minutes.
        planner.file(min(wishes.predicted), wishes.program.workers or 1)
        runs = measure(wishes, folder, engine_path)
        measured = measuring.of_ranks(runs)
        if not measured:
            raise Complaint(f"no measured run has succeeded, so there is nothing to predict from; see {folder}/runs")
        workers = wishes.program.workers or measured[-1]["workers"]
        predicted, no_plan = predict_all(wishes, planner, engine_path, measured, workers)
        held, why = hold_out(wishes, planner, engine_path, measured, workers)
    for kept in (*runs, *measured):
        if "costs" in kept:
            kept["costs"] = os.path.relpath(kept["costs"], folder)
    return {
        "settings": {**results.settings_of(wishes), "workers": workers},
        "runs": runs,
        "measured": measured,
        "predicted": predicted,
        "held_out": held,
        "not_held_out": why,
        "no_plan": no_plan,
    }


def cmd_run(arguments, script):
    o = options.parser().parse_args(arguments)
    wishes = options.wishes_of(o, time.strftime("%Y-%m-%d %H:%M"))
    folder = new_folder(o.output)
    say(describe(wishes))
    shared = [r for r in wishes.program.ranks if launchers.shares_cores(wishes.program, r)]
    if shared:
        say(
            f"from {of_many(shared[0], 'rank')} on ranks share the {wishes.program.machine['cores']} cores, so what"
            " is measured is what ranks cost and not how fast as many nodes would be"
        )
    if o.dry_run:
        print_commands(wishes, folder, o.engine or engine.NAME)
        return 0
    result = simulate(wishes, folder, engine.find(o.engine, script))
    write_results(result, folder, script, o.pictures)
    if checks.wrong_counts(result):
        return 1
    return 1 if result["no_plan"] or any("failed" in r for r in result["runs"]) else 0


def cmd_draw(arguments, script):
    """The picture alone, and the page that shows it."""
    p = argparse.ArgumentParser(prog="rondo-simulate draw", description="Draws the picture of a prediction.")
    p.add_argument("folder")
    folder = os.path.abspath(p.parse_args(arguments).folder)
    result = results.read(folder)
    no_picture = drawing.draw(result, folder, script)
    if no_picture:
        raise Complaint(no_picture)
    write_page(result, folder, True)
    return 0


def main(arguments, script):
    try:
        if arguments[:1] == ["draw"]:
            return cmd_draw(arguments[1:], script)
        return cmd_run(arguments, script)
    except Complaint as e:
        print(f"rondo-simulate: {e}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1
