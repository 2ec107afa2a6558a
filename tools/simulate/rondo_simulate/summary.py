"""The results for a terminal, short."""

import textwrap

from rondo_scale.study import of_many
from rondo_scale.words import interval

from . import cautions, comparing, results, shares

WIDTH = 100


def block(text, begin=""):
    return textwrap.fill(text, WIDTH, initial_indent=begin, subsequent_indent="  ")


def of(result):
    lines = []
    measured = {p.ranks: p.time for p in results.measured(result)}
    written = result["settings"]["written_as"]
    for curve in results.curves(result):
        lines.append(curve.variant + (", as the program is" if curve.variant == written else ""))
        for p in curve.points:
            ranks = f"  {p.ranks:>6} {'rank ' if p.ranks == 1 else 'ranks'}"
            told = f"  measured {interval(measured[p.ranks])}" if curve.variant == written and p.ranks in measured else ""
            lines.append(f"{ranks}  {interval(p.time):<28}{told}".rstrip())
        last = curve.points[-1]
        limit = shares.limit(last.samples, result["settings"]["workers"], curve.variant)
        lines += [block(f"On {of_many(last.ranks, 'rank')}: {limit}", "  "), ""]
    lines += [block(held_out(result)), ""]
    lines += [block("Note: " + c) for c in cautions.of(result)]
    return "\n".join(lines).rstrip()


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
