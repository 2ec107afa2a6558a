"""Where the time goes: shares of what the workers of a rank have, in the mean of ranks. The main thread is a worker.

  computing   in tasks of the program
  launching   the main thread launches
  runtime     in tasks of Rondo's own: halos, reductions
  waiting     the rest
"""

import statistics

NAMES = ("computing", "launching", "runtime", "waiting")
GOOD = 0.8


def of_sample(sample, workers):
    whole = sample["seconds"] * max(1, workers)
    if whole <= 0:
        return dict.fromkeys(NAMES, 0.0)
    found = {
        "computing": sample["computing"] / whole,
        "launching": sample["launching"] / whole,
        "runtime": sample["in_runtime"] / whole,
    }
    return {**found, "waiting": max(0.0, 1 - sum(found.values()))}


def of(samples, workers):
    """Means of the samples, which add up to 1 as each of them does."""
    each = [of_sample(s, workers) for s in samples]
    return {name: statistics.fmean(e[name] for e in each) for name in NAMES}


def uneven(samples, workers):
    """The share that ranks wait for the one that computes longest, if nothing else kept them."""
    return statistics.fmean(
        max(0.0, s["most_computing"] - s["computing"]) / (s["seconds"] * max(1, workers)) if s["seconds"] > 0 else 0.0
        for s in samples
    )


def limit(samples, workers, variant):
    """A sentence or two: what limits, and what to do."""
    found = of(samples, workers)
    if found["computing"] >= GOOD:
        return f"{percent(found['computing'])} of the time is computing: little limits it."
    worst = max(NAMES[1:], key=found.get)
    share = percent(found[worst])
    if worst == "launching":
        return f"Launching takes {share}: " + (
            "a trace makes launches cheaper." if variant.endswith("untraced") else "larger tasks, fewer colors."
        )
    if worst == "runtime":
        return f"Halos and reductions take {share}: larger pieces of the mesh, fewer reductions."
    if uneven(samples, workers) >= found["waiting"] / 2:
        return f"Waiting takes {share}, most of it for the rank that computes longest: distribute the work more evenly."
    return f"Waiting takes {share}, for messages and for what others reduce: " + (
        "take results as futures, so that the main thread goes on."
        if variant.startswith("blocking")
        else "more work of each rank between messages, more colors."
    )


def percent(x):
    return f"{100 * x:.0f} %" if x >= 0.0995 or x == 0 else f"{100 * x:.1f} %"
