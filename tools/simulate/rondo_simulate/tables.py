"""prediction.csv: a row for each measured run and for each seed of each prediction."""

import csv
import os

COMPONENTS = (
    "seconds",
    "computing",
    "most_computing",
    "launching",
    "in_runtime",
    "launches",
    "messages",
    "bytes",
)
HEAD = ("kind", "variant", "ranks", "workers", "number", *COMPONENTS)


def row(kind, variant, ranks, workers, number, what):
    return [kind, variant, ranks, workers, number, *(what.get(name, "") for name in COMPONENTS)]


def rows(result):
    written, workers = (result["settings"][name] for name in ("written_as", "workers"))
    for r in result["runs"]:
        if "failed" not in r:
            yield row("measured", written, r["ranks"], r["workers"], r["number"], r["components"])
    for p in result["predicted"]:
        for number, sample in enumerate(p["samples"]):
            yield row("predicted", p["variant"], p["ranks"], workers, number, sample)
    held = result["held_out"]
    for number, sample in enumerate(held["samples"] if held else []):
        yield row("held out", written, held["ranks"], workers, number, sample)


def write(result, folder):
    with open(os.path.join(folder, "prediction.csv"), "w", encoding="utf-8", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(HEAD)
        writer.writerows(rows(result))
