"""What has come of it, as it is kept in prediction.json. Everything else is written from this.

  settings    what was asked for, and where
  runs        each measured run; "failed" of those that have
  measured    for each number of ranks, its seconds, and what the run with the median seconds was like
  predicted   for each number of ranks and each variant, samples: one for each seed
  held_out    a measured number of ranks that was predicted from fewer; or None
  no_plan     numbers of ranks that could not be predicted, and why
"""

import json
import os
import statistics
from dataclasses import dataclass

from rondo_scale.complaint import Complaint
from rondo_scale.medians import Median, median

FORMAT = "rondo prediction 1"
FILE = "prediction.json"


@dataclass
class Point:
    ranks: int
    time: Median  # of predictions: from the least to the most of all seeds
    samples: list


@dataclass
class Curve:
    variant: str
    points: list

    def at(self, ranks):
        return next((p for p in self.points if p.ranks == ranks), None)


def range_of(values):
    return Median(statistics.median(values), min(values), max(values), len(values), 0.0)


def curves(result):
    out = []
    for variant in result["settings"]["variants"]:
        points = [
            Point(p["ranks"], range_of([s["seconds"] for s in p["samples"]]), p["samples"])
            for p in result["predicted"]
            if p["variant"] == variant
        ]
        if points:
            out.append(Curve(variant, sorted(points, key=lambda p: p.ranks)))
    return out


def measured(result):
    return [Point(m["ranks"], median(m["seconds"]), []) for m in result["measured"]]


def save(result, folder):
    with open(os.path.join(folder, FILE), "w", encoding="utf-8") as f:
        json.dump({"format": FORMAT, **result}, f, indent=1)
        f.write("\n")


def read(folder):
    path = os.path.join(folder, FILE)
    try:
        with open(path, encoding="utf-8") as f:
            j = json.load(f)
        if j.pop("format", None) != FORMAT:
            raise Complaint(f"{path} is of another version of rondo-simulate")
        return j
    except FileNotFoundError:
        raise Complaint(f"{folder} is no folder of a prediction: there is no {FILE} in it") from None
    except (OSError, ValueError, AttributeError) as e:
        raise Complaint(f"{path}: {e}") from None


def settings_of(wishes):
    p = wishes.program
    return {
        "program": p.program,
        "arguments": p.arguments,
        "passes": p.passes if p.uses("passes") else None,
        "planned_passes": min(p.passes, p.planned_passes) if p.uses("passes") else None,
        "measured": p.ranks,
        "predicted": wishes.predicted,
        "repetitions": p.repetitions,
        "seeds": wishes.seeds,
        "workers": p.workers,
        "ranks_per_node": p.ranks_per_node,
        "delay": p.delay,
        "variants": wishes.variants,
        "written_as": wishes.written_as,
        "network": wishes.network,
        "machine": p.machine,
        "launcher": p.launcher,
        "began": p.began,
    }
