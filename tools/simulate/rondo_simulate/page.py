"""prediction.md: a page that says in words what was measured, what is predicted, and how far it can be relied on."""

import os
import shlex

from rondo_scale.study import of_many
from rondo_scale.words import interval, part_text, table

from . import cautions, comparing, results, shares
from .networks import AS_MEASURED

NOT_MODELLED = (
    "memory bandwidth and caches that ranks share, beyond what the measured runs had of it",
    "noise of the operating system beyond what was measured: rare long pauses hit one of many ranks in each pass",
    "file output",
    "routes and congestion inside the network; only the cards of nodes are shared",
    "strong scaling's shorter tasks: durations are those of the largest measured run",
)


def first_words(result, curves):
    lines = []
    for c in curves:
        first, last = c.points[0], c.points[-1]
        limit = shares.limit(last.samples, result["settings"]["workers"], c.variant)
        lines.append(
            f"* **{c.variant}**: {interval(first.time)} on {of_many(first.ranks, 'rank')}, {interval(last.time)} on"
            f" {last.ranks}: efficiency {part_text(first.time.value / last.time.value)}. {limit}"
        )
    return "\n".join(lines) + "\n\n" + tested(result)


def tested(result):
    held = result["held_out"]
    if not held:
        return f"The method was not tested on this program: {result['not_held_out']}."
    error, _ = comparing.seconds_error(held)
    return (
        f"The test: {of_many(held['ranks'], 'rank')}, predicted from runs on {words_of(held['from'])}, differ by"
        f" {comparing.percent(error)} in seconds from what was measured."
    )


def words_of(numbers):
    return ", ".join(map(str, numbers[:-1])) + (" and " if len(numbers) > 1 else "") + str(numbers[-1])


def surety(result):
    """How sure the intervals are, in percent."""
    sure = {round(100 * p.time.sure) for p in results.measured(result) if p.time.count > 1}
    if not sure:
        return ""
    span = str(min(sure)) if len(sure) == 1 else f"{min(sure)} to {max(sure)}"
    return f", in brackets the interval that has the true median with {span} % (order statistics)"


def times(result, curves):
    measured = {p.ranks: p.time for p in results.measured(result)}
    rows = []
    for ranks in sorted({p.ranks for c in curves for p in c.points}):
        points = [c.at(ranks) for c in curves]
        rows.append(
            [
                str(ranks),
                interval(measured[ranks]) if ranks in measured else "-",
                *(interval(p.time) if p else "-" for p in points),
            ]
        )
    settings = result["settings"]
    written = settings["written_as"]
    return (
        "## Seconds\n\nFrom when all ranks have launched something to the end of the last task. *Measured* is the median of"
        f" {of_many(settings['repetitions'], 'run')} of the program as it is, {written}{surety(result)}."
        f" The other columns are predicted: the median of {of_many(settings['seeds'], 'simulation')} with"
        " other random numbers, and in brackets the least and the most of them. That interval is what chance alone"
        " does; what is not modelled comes on top.\n\n"
        + table(["ranks", "measured", *(c.variant for c in curves)], rows)
    )


def limits(result, curves):
    parts = []
    workers = result["settings"]["workers"]
    for c in curves:
        first = c.points[0].time.value
        rows = []
        for p in c.points:
            found = shares.of(p.samples, workers)
            rows.append(
                [
                    str(p.ranks),
                    part_text(first / p.time.value) if p.time.value else "-",
                    *(shares.percent(found[name]) for name in shares.NAMES),
                    shares.percent(shares.uneven(p.samples, workers)),
                ]
            )
        last = c.points[-1]
        parts.append(
            f"### {c.variant}\n\n{shares.limit(last.samples, workers, c.variant)}\n\n"
            + table(["ranks", "efficiency", *shares.NAMES, "uneven"], rows)
        )
    return (
        "## What limits it\n\n*Efficiency* is the time on the fewest ranks by the time here, as each rank has as much"
        " work on any number of them. The other columns are shares of the time of all workers, in the mean of ranks:"
        " *computing* in tasks of the program, *launching* by the main thread, which is a worker, *runtime* in Rondo's"
        " own tasks, halos and reductions; *waiting* is the rest. *Uneven* is the part that ranks would wait for the"
        " one that computes longest, if nothing else kept them. All of this is predicted.\n\n" + "\n\n".join(parts)
    )


def test_of_it(result):
    held = result["held_out"]
    if not held:
        return f"## The test\n\nThere is none: {result['not_held_out']}."
    plain = (
        f"The fitted curve is `{held['model']}`, of the same measured times."
        if held["model"]
        else f"There is no fitted curve to compare with: {held['no_model']}."
    )
    return (
        f"## The test\n\n{of_many(held['ranks'], 'rank')} were measured, and predicted once more from runs on"
        f" {words_of(held['from'])} alone, with messages as they were measured. Seconds are compared with the median of the measured runs, the rest with"
        " the run that has it. Numbers of launches, messages and bytes don't depend on time, so they have to be"
        f" equal. {plain}\n\n" + table(comparing.HEAD, comparing.rows(held))
    )


def made_up(result):
    settings = result["settings"]
    lines = [
        "How long each task takes: drawn from the durations that were measured of tasks of the same place in the"
        " program, on the most ranks that had a core for each worker, and not more than are predicted. Some ranks are"
        " slower than others, and they are drawn as well.",
        "What a launch and a message cost: medians, and straight lines through the fastest messages.",
    ]
    others = [v for v in settings["variants"] if v != settings["written_as"]]
    if others:
        lines.append(
            f"The launches of {words_of(others)}: the program is written as {settings['written_as']}, and what it"
            " would launch and wait for if it were written otherwise is derived from its plan. These variants were"
            " not measured."
        )
    if settings["passes"]:
        lines.append(
            f"Passes of the loop: {settings['planned_passes']} were planned, and the last one is repeated until there"
            f" are {settings['passes']}."
        )
    network = settings["network"] or AS_MEASURED
    lines.append(f"The network: {network.get('name')} ({network.get('source')}){nodes_of(network)}.")
    return "## What is generated\n\n" + "\n".join(f"* {line}" for line in lines)


def nodes_of(network):
    n = network.get("ranks_per_node")
    return f", {of_many(n, 'rank')} on each node" if n else ""


def not_modelled():
    return "## What is not modelled\n\n" + "\n".join(f"* {line}" for line in NOT_MODELLED)


def how(result):
    s = result["settings"]
    m = s["machine"]
    first = next((r["command"] for r in result["runs"] if "failed" not in r), "")
    lines = [
        f"`{shlex.join([os.path.basename(s['program']), *s['arguments']])}`, on {words_of(s['measured'])} ranks,"
        f" {of_many(s['repetitions'], 'run')} of each, in turns, with {of_many(s['workers'], 'worker')} on each rank;"
        f" begun {s['began']}.",
        f"{m.get('processor', '')}, {of_many(m.get('cores', 0), 'core')}, {m.get('system', '')}"
        + (f", {s['launcher']['version']}" if s["launcher"].get("version") else "")
        + ".",
        f"The first run: `{first}`",
        "[prediction.csv](prediction.csv): each measured run and each simulation. [prediction.json](prediction.json):"
        " all of this. `runs/`: what measured runs have printed, and their costs. `plans/`: what planned runs have"
        " printed.",
    ]
    return "## What was measured\n\n" + "\n".join(f"* {line}" for line in lines)


def of(result, folder, has_picture):
    curves = results.curves(result)
    parts = [f"# How {os.path.basename(result['settings']['program'])} will scale", first_words(result, curves)]
    if has_picture:
        parts.append("![seconds by number of ranks, measured and predicted](prediction.svg)")
    kept_in_mind = cautions.of(result)
    if kept_in_mind:
        parts.append("## To keep in mind\n\n" + "\n".join(f"* {c}" for c in kept_in_mind))
    parts += [
        times(result, curves),
        limits(result, curves),
        test_of_it(result),
        how(result),
        made_up(result),
        not_modelled(),
    ]
    return "\n\n".join(parts) + "\n"
