"""The table of what was held out: measured, predicted, and how far apart they are."""

from rondo_scale.words import interval, time_text

from .holding_out import COUNTS, TIMES, error
from .results import range_of

HEAD = ["", "measured", "predicted", "error"]


def percent(x):
    return "-" if x is None else f"{x:+.1f} %"


def duration(seconds):
    return time_text(seconds) if seconds > 0 else "0"


def of_time(name, held):
    found = range_of([s[name] for s in held["samples"]])
    measured = range_of(held["seconds"]) if name == "seconds" else range_of([held["components"][name]])
    return [
        name.replace("_", " "),
        interval(measured) if measured.value > 0 else "0",
        interval(found) if found.value > 0 else "0",
        percent(error(found.value, measured.value)),
    ]


def of_count(name, held):
    found = held["samples"][0][name]
    measured = held["components"][name]
    same = "equal" if found == measured else f"{found - measured:+d}"
    return [name, str(measured), str(found), same]


def rows(held):
    out = [of_time(name, held) for name in TIMES] + [of_count(name, held) for name in COUNTS]
    if held["model"]:
        measured = range_of(held["seconds"]).value
        out.append(
            [
                "seconds, by a fitted curve",
                duration(measured),
                duration(held["model_seconds"]),
                percent(error(held["model_seconds"], measured)),
            ]
        )
    return out


def seconds_error(held):
    """(of the prediction, of the fitted curve or None), in percent"""
    measured = range_of(held["seconds"]).value
    found = range_of([s["seconds"] for s in held["samples"]]).value
    return error(found, measured), error(held["model_seconds"], measured) if held["model"] else None
