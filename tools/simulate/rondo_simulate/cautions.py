"""What to keep in mind when the figures are read: each a sentence, and what to do."""

import statistics

from rondo_scale.cautions import numbers
from rondo_scale.study import of_many

from . import checks

FAR = 64  # times the most ranks that were measured


def of(result):
    settings = result["settings"]
    out = [text for text in (checks.words_of_wrong_counts(result), checks.words_of_rare_tasks(result)) if text]
    shared = [m["ranks"] for m in result["measured"] if m["shared"] > 1]
    if shared:
        out.append(
            f"Ranks shared cores: {numbers(shared)} ranks on {of_many(settings['machine']['cores'], 'core')}. There"
            " the runs measure what ranks cost, and not how fast as many nodes would be; work that needs cores takes"
            " longer for that reason alone, and so it does in the prediction."
        )
    most = result["measured"][-1]["ranks"]
    predicted = max(p["ranks"] for p in result["predicted"])
    if predicted > FAR * most:
        out.append(
            f"{predicted} ranks are {predicted // most} times as many as were measured. What begins to matter in"
            " between is in no run."
        )
    if settings["network"] is None:
        out.append(
            "Messages take as long as those that were measured"
            + ("" if is_far(settings) else ", between ranks of one machine; other nodes are further away (--network)")
            + "."
        )
    if settings["repetitions"] < 3:
        out.append(f"Each point is measured by {of_many(settings['repetitions'], 'run')}; --repetitions 3 tells noise.")
    busy = [r["others"] for r in result["runs"] if "failed" not in r and "others" in r]
    if busy and statistics.median(busy) > 0.1:
        out.append(
            f"Other programs kept {statistics.median(busy):.1f} cores busy meanwhile (the median of runs): what was"
            " measured may be too long, and so is what is predicted."
        )
    if settings["delay"]:
        out.append(f"A slower network was simulated in the measured runs: RONDO_DELAY={settings['delay']}.")
    for failed in no_use(result):
        out.append(failed)
    return out


def is_far(settings):
    """Whether measured runs may have been on several nodes."""
    return settings["launcher"]["kind"] != "mpirun" or bool(settings["launcher"].get("hostfile"))


def no_use(result):
    groups = {}
    for r in result["runs"]:
        if "failed" in r:
            groups.setdefault((r["ranks"], r["failed"]), []).append(r)
    for (ranks, why), runs in groups.items():
        said = f', last words: "{runs[0]["said"][-1]}"' if runs[0].get("said") else ""
        yield f"{of_many(len(runs), 'run')} on {of_many(ranks, 'rank')} failed: {why}{said}."
    for n in result["no_plan"]:
        yield f"There is no prediction for {of_many(n['ranks'], 'rank')}: {' '.join(n['why'].split())}"
