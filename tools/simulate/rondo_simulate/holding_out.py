"""A test of the method: a number of ranks that was measured is predicted from fewer ranks, and compared.

Beside it the plain way to look further: a curve c0 + c * p^i * log2(p)^j through the same measured times.
"""

from rondo_scale import models

TIMES = ("seconds", "computing", "launching", "in_runtime")
COUNTS = ("launches", "messages", "bytes")


def error(predicted, measured):
    """In percent; None if there is nothing to compare with."""
    return 100 * (predicted - measured) / measured if measured else None


def plain_model(points):
    """(the model or None, why there is none); points: (ranks, seconds)"""
    if len(points) < models.FEWEST:
        return None, f"a curve needs {models.FEWEST} numbers of ranks, and there are {len(points)} smaller ones"
    return models.fit([p for p, _ in points], [t for _, t in points]), ""


def which(measured, wanted):
    """The one of `measured` that is held out, or None: it has to have been measured, and fewer ranks as well."""
    later = measured[1:]
    return next((m for m in later if m["ranks"] == wanted), None) if wanted else (later or [None])[-1]


def smaller(measured, held):
    return [m for m in measured if m["ranks"] < held["ranks"]]
