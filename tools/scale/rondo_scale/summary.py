"""The same for a terminal, short."""

import textwrap

from . import cautions, limits
from .report import fastest_and_slowest
from .study import of_many
from .words import interval, part_text

WIDTH = 100


def block(text, begin="  "):
    return textwrap.fill(text, WIDTH, initial_indent=begin, subsequent_indent="  ")


def of(outcome):
    lines = []
    for curve in outcome.curves:
        lines.append(f"{curve.variant}, {outcome.study.kind} scaling")
        for p in curve.points:
            worst = min(p.parts, key=p.parts.get) if p.parts else ""
            told = f"   lowest: {worst} {p.parts[worst]:.2f}" if worst and p.parts[worst] < limits.GOOD else ""
            lines.append(
                f"  {p.ranks:>6} {'rank ' if p.ranks == 1 else 'ranks'}  {interval(p.time):<34} efficiency"
                f" {part_text(p.efficiency)}{told}"
            )
        said = limits.of(curve)
        if said:
            lines.append(block(f"{said.headline} {said.advice}".strip()))
            if said.digest:
                lines.append(block(f"The digest on {of_many(said.last, 'rank')}: {said.digest}"))
        if curve.model and not curve.is_noise:
            lines.append(
                block(
                    f"seconds = {curve.model}   (error {curve.model.error:.1f}"
                    f" %{', fits badly' if curve.model.is_poor else ''})"
                )
            )
        lines.append("")
    if fastest_and_slowest(outcome):
        lines += [block(fastest_and_slowest(outcome).replace("*", ""), ""), ""]
    lines += [block("Note: " + c, "") for c in cautions.of(outcome)]
    for k in {(k.run.variant, k.run.ranks): k for k in outcome.failed}.values():
        lines.append(f"FAILED: {k.run}: {k.failed}" + (f': "{k.said[-1]}"' if k.said else ""))
    if outcome.missing:
        lines.append(f"{of_many(len(outcome.missing), 'run')} did not take place (yet).")
    return "\n".join(lines)
