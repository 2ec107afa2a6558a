"""The runs for other programs: runs.csv, runs.jsonl, and extrap.jsonl for Extra-P."""

import csv
import json
import os

from .digests import EFFICIENCIES


def row(kept):
    d = kept.digest
    out = {
        "variant": kept.run.variant,
        "ranks": kept.run.ranks,
        "repetition": kept.run.number,
        "failed": kept.failed,
        "seconds": kept.seconds or None,
        "wall_seconds": kept.wall or None,
        "own_seconds": kept.own,
        "digest_seconds": d.seconds if d else None,
        "parallel_efficiency": d.parallel if d else None,
    }
    for name in EFFICIENCIES:
        out[name.replace(" ", "_")] = d.efficiencies[name] if d else None
    out.update(
        working_seconds=d.working if d else None,
        workers=d.workers if d else None,
        messages=d.messages if d else None,
        verdict=d.verdicts[0][0] if d and d.verdicts else None,
        cores_used_by_others=kept.others,
    )
    return out


def write_csv(path, kept):
    rows = [row(k) for k in kept]
    with open(path, "w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, list(rows[0]) if rows else ["variant"])
        writer.writeheader()
        writer.writerows(rows)


def write_jsonl(path, rows):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(r) + "\n" for r in rows)


def extrap_rows(outcome):
    """The time of each run; of those with a digest also that of each kind of task, in the mean of ranks.

    Extra-P wants the same points of all that has a call path, so kinds of tasks that not all runs name are left
    out.
    """
    good = [k for k in outcome.kept if not k.failed]
    for k in good:
        name = k.run.variant.replace("->", "-")
        same = [o.digest for o in good if o.run.variant == k.run.variant]
        base = {"params": {"p": k.run.ranks}, "metric": "time"}
        yield {**base, "callpath": name, "value": k.seconds}
        if all(same):
            for task in sorted(set.intersection(*(set(d.tasks) for d in same))):
                yield {
                    **base,
                    "callpath": f"{name}->{task.replace('->', '-')}",
                    "value": k.digest.tasks[task] / k.digest.ranks,
                }


def write(outcome, folder):
    write_csv(os.path.join(folder, "runs.csv"), outcome.kept)
    write_jsonl(os.path.join(folder, "runs.jsonl"), map(row, outcome.kept))
    write_jsonl(os.path.join(folder, "extrap.jsonl"), extrap_rows(outcome))
