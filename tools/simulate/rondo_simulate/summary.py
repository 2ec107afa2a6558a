"""The results for a terminal, short."""

import textwrap

from rondo_scale.study import of_many
from rondo_scale.words import interval, time_text

from . import cautions, comparing, results, shares

WIDTH = 100


def block(text, begin=""):
    return textwrap.fill(text, WIDTH, initial_indent=begin, subsequent_indent="  ")


def columns(rows):
    """As wide as their words."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows]


def times(result, curves):
    measured = {p.ranks: p.time for p in results.measured(result)}
    rows = [["ranks", "measured", *(c.variant for c in curves)]]
    for ranks in sorted({p.ranks for c in curves for p in c.points}):
        points = [c.at(ranks) for c in curves]
        rows.append(
            [
                str(ranks),
                time_text(measured[ranks].value) if ranks in measured else "-",
                *(interval(p.time) if c is curves[0] else time_text(p.time.value) for c, p in zip(curves, points)),
            ]
        )
    return columns(rows)


def of(result):
    curves = results.curves(result)
    lines = [f"Measured: {result['settings']['written_as']}. Predicted:", "", *times(result, curves), ""]
    most = curves[0].points[-1].ranks
    lines.append(f"On {of_many(most, 'rank')}:")
    for c in curves:
        limit = shares.limit(c.points[-1].samples, result["settings"]["workers"], c.variant)
        lines.append(block(f"{c.variant}: {limit}", "  "))
    lines += ["", block(held_out(result))]
    notes = [block("Note: " + c) for c in cautions.of(result)]
    return "\n".join([*lines, "", *notes] if notes else lines)


def held_out(result):
    held = result["held_out"]
    if not held:
        return f"The method was not tested: {result['not_held_out']}."
    error, plain = comparing.seconds_error(held)
    return (
        f"Test: {of_many(held['ranks'], 'rank')} predicted from {', '.join(map(str, held['from']))}: the seconds are"
        f" off by {comparing.percent(error)}"
        + (f"; a fitted curve is off by {comparing.percent(plain)}." if plain is not None else ".")
    )
