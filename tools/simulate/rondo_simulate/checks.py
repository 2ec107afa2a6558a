"""What shows that a prediction is wrong, or rests on a few measured tasks."""

from rondo_scale.study import of_many

from .holding_out import COUNTS

NEARLY = 0.03  # launches: which ones have nothing to do depends on what a trace has noticed by then
RARE = 5  # times the median: longer tasks are worth a word
SHARE = 0.1  # of the time in tasks


def differs(name, planned, measured):
    return abs(planned - measured) > (NEARLY * measured if name == "launches" else 0)


def wrong_counts(result):
    """(ranks, name, planned, measured) for whatever the plan has more or less of than the program."""
    written = result["settings"]["written_as"]
    planned = {p["ranks"]: p["samples"][0] for p in result["predicted"] if p["variant"] == written}
    out = []
    for m in result["measured"]:
        for name in COUNTS if m["ranks"] in planned else ():
            pair = planned[m["ranks"]][name], m["components"][name]
            if differs(name, *pair):
                out.append((m["ranks"], name, *pair))
    return out


def words_of_wrong_counts(result):
    """A sentence, or nothing."""
    wrong = wrong_counts(result)
    if not wrong:
        return ""
    ranks, name, planned, measured = wrong[0]
    return (
        f"WRONG: the plan is not what the program does. On {of_many(ranks, 'rank')} {measured} {name} were measured, and"
        f" {planned} planned. In a plan get() in the main thread gives 0: a program that goes on according to it does"
        " something else there. Give the loop a fixed number of passes, or hand results to tasks as futures."
    )


def rare_tasks(costs):
    """[(name, times the median)] of tasks that matter, some of which took much longer than most."""
    times = {
        key: t["count"] * sum(t["levels"]) / len(t["levels"]) for key, t in costs.get("tasks", {}).items() if t["levels"]
    }
    all_times = sum(times.values())
    return [
        (key, round(costs["tasks"][key]["spread"][-1], 1))
        for key, time in times.items()
        if time > SHARE * all_times and costs["tasks"][key]["spread"] and costs["tasks"][key]["spread"][-1] > RARE
    ]


def words_of_rare_tasks(result):
    own = [m for m in result["measured"] if m["shared"] <= 1] or result["measured"]
    rare = own[-1].get("rare")
    if not rare:
        return ""
    names = ", ".join(f"{name} up to {times:g} times" for name, times in rare)
    return (
        f"Some measured tasks took much longer than most ({names} the median). Each rank draws from them, so of many"
        " ranks one always has such a task, and reductions wait for it: the prediction for many ranks rests on these"
        " few. If the machine was not quiet, measure again."
    )
