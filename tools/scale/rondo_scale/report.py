"""report.md: a page that says in words what the runs have shown."""

import os
import shlex

from . import cautions, limits
from .outcome import PARTS
from .study import of_many
from .words import interval, part_text, table, time_text

FAR = 4  # times the most ranks that were measured: no further is a model's word worth printing

TIME = {
    "own": "the time that the program prints (`--time`)",
    "digest": "from the beginning to the end of `rondo::run`, of the digest",
    "wall": "of the whole command, the start of all ranks included",
}


def named(study, variant):
    return f"**{variant}**: " if len(study.variants) > 1 else ""


def first_words(outcome):
    lines = []
    for curve in outcome.curves:
        first, last = curve.points[0], curve.points[-1]
        if first is last:
            lines.append(
                f"* {named(outcome.study, curve.variant)}{time_text(last.time.value)} on "
                f"{of_many(last.ranks, 'rank')}; there is nothing to compare with."
            )
            continue
        said = limits.of(curve)
        lines.append(
            f"* {named(outcome.study, curve.variant)}{time_text(first.time.value)} on"
            f" {of_many(first.ranks, 'rank')}, {time_text(last.time.value)} on {last.ranks}: efficiency"
            f" {part_text(last.efficiency)}. {said.short}".rstrip()
        )
    both = fastest_and_slowest(outcome)
    if both:
        lines.append("\n" + both)
    return "\n".join(lines)


def fastest_and_slowest(outcome):
    """Of variants, on the most ranks that all of them have."""
    if len(outcome.curves) < 2 or outcome.study.repetitions < 3:
        return ""
    shared = set.intersection(*({p.ranks for p in c.points} for c in outcome.curves))
    if not shared:
        return ""
    most = max(shared)
    at = sorted(
        ((next(p for p in c.points if p.ranks == most).time, c.variant) for c in outcome.curves),
        key=lambda pair: pair[0].value,
    )
    (fast, fast_name), (slow, slow_name) = at[0], at[-1]
    if fast.high >= slow.low:
        return f"On {of_many(most, 'rank')} the variants differ by no more than the noise."
    return (
        f"On {of_many(most, 'rank')} *{fast_name}* is the fastest; *{slow_name}* takes "
        f"{slow.value / fast.value:.2f} times as long."
    )


def ideal(study):
    return (
        "the same on any number of ranks, each of which has as much work as the first"
        if study.kind == "weak"
        else "half the time on twice the ranks"
    )


def times(outcome):
    ranks = sorted({p.ranks for c in outcome.curves for p in c.points})
    rows = []
    for r in ranks:
        cells = []
        for c in outcome.curves:
            p = next((p for p in c.points if p.ranks == r), None)
            cells.append(f"{interval(p.time)}, {part_text(p.efficiency)}" if p else "-")
        rows.append([str(r), *cells])
    sure = {p.time.sure for c in outcome.curves for p in c.points if p.time.count > 1}
    bars = ""
    if sure:
        low, high = (round(100 * x) for x in (min(sure), max(sure)))
        bars = (
            ", in brackets the interval that has the true median with"
            f" {low if low == high else f'{low} to {high}'} % (order statistics)"
        )
    return (
        f"Medians of {of_many(outcome.study.repetitions, 'run')}{bars}, and the efficiency. Ideal is "
        f"{ideal(outcome.study)}. Times are {TIME[outcome.time_from]}.\n\n"
        + table(["ranks", *(c.variant for c in outcome.curves)], rows)
    )


def limit_of(outcome, curve, folder):
    said = limits.of(curve)
    if said is None:
        return ""
    rows = []
    for p in curve.points:
        rows.append(
            [
                str(p.ranks),
                part_text(p.efficiency),
                "-" if p.parallel is None else f"{p.parallel:.2f}",
                *(mark(p.parts.get(part)) for part in PARTS),
            ]
        )
    text = f"### {curve.variant}\n\n{said.headline}"
    if said.advice:
        text += f" {said.advice}"
    if said.digest:
        path = os.path.relpath(said.digest_file, folder)
        text += f"\n\nThe [digest]({path}) of a run on {of_many(said.last, 'rank')} says: {said.digest}"
    return text + "\n\n" + table(["ranks", "of the time", "parallel", *PARTS], rows)


def mark(value):
    return "-" if value is None else f"{value:.2f}" + (" !" if value < limits.GOOD else "")


def growth(outcome):
    rows = []
    last = max(p.ranks for c in outcome.curves for p in c.points)
    for c in outcome.curves:
        if c.model is None:
            continue
        m = c.model
        if c.is_noise:
            rows.append([c.variant, "no more than the noise", "-", "-"])
            continue
        far = "-" if m.is_poor else time_text(max(0.0, m(FAR * last)))
        rows.append(
            [
                c.variant,
                f"`{m}`" + (" (constant)" if m.is_constant else ""),
                f"{m.error:.1f} %" + (", fits badly" if m.is_poor else ""),
                far,
            ]
        )
    if not rows:
        return ""
    return (
        "## How it grows\n\nSeconds as a function of the number of ranks p, of the form c0 + c * p^i * log2(p)^j"
        " with the terms of Extra-P. The error is the mean of how far points are off that were left out of the"
        f" fit, in percent (SMAPE). The last column is {FAR} times further than was measured: an expectation, no"
        " result.\n\n"
        + table(["variant", "model", "error", f"on {FAR * last} ranks"], rows)
        + "\n\n"
    )


def what_failed(outcome):
    lines = []
    groups = {}
    for k in outcome.failed:
        groups.setdefault((k.run.variant, k.run.ranks, k.failed), []).append(k)
    for (_, _, why), runs in groups.items():
        lines.append(f"* {runs[0].run}, {of_many(len(runs), 'run')}: {why}")
        if runs[0].said:
            lines.append("\n  ```\n" + "\n".join("  " + s for s in runs[0].said) + "\n  ```\n")
    if outcome.missing:
        lines.append(
            f"* {of_many(len(outcome.missing), 'run')} of"
            f" {outcome.study.repetitions * len(outcome.study.variants) * len(outcome.study.ranks)} did not take"
            " place (yet); `rondo-scale continue FOLDER` does them."
        )
    return "## What failed, and what is missing\n\n" + "\n".join(lines) + "\n\n" if lines else ""


def how(outcome):
    study = outcome.study
    example = next((k.command for k in outcome.kept if k.command), "")
    m = next((k.machine for k in outcome.kept if k.machine), study.machine)
    return (
        f"* {study.kind.capitalize()} scaling of"
        f" `{shlex.join([os.path.basename(study.program), *study.arguments])}`,"
        f" {of_many(study.repetitions, 'run')} of each, in turns"
        + (f", with {of_many(study.workers, 'worker')} on each rank" if study.workers else "")
        + f"; begun {study.began}.\n"
        + f"* {m.get('processor', '')}, {of_many(m.get('cores', 0), 'core')}, {m.get('system', '')}"
        + (f", {study.launcher['version']}" if study.launcher.get("version") else "")
        + ".\n"
        + "".join(
            f"* {name}: `{shlex.join(arguments)}`\n" for name, arguments in study.variants.items() if arguments
        )
        + f"* The first run: `{example}`\n* [runs.csv](runs.csv), [runs.jsonl](runs.jsonl): each run."
        " [extrap.jsonl](extrap.jsonl): for Extra-P. `runs/`: what each has printed, and its digest.\n"
    )


def page(outcome, folder, has_picture):
    if not outcome.curves:
        return "# No run has succeeded\n\n" + what_failed(outcome) + "## How it was measured\n\n" + how(outcome)
    study = outcome.study
    text = f"# How {os.path.basename(study.program)} scales\n\n{first_words(outcome)}\n\n"
    if has_picture:
        text += "![times and efficiency by number of ranks](scaling.svg)\n\n"
    kept_in_mind = cautions.of(outcome)
    if kept_in_mind:
        text += "## To keep in mind\n\n" + "\n".join(f"* {c}" for c in kept_in_mind) + "\n\n"
    text += "## Times\n\n" + times(outcome) + "\n\n"
    parts = [part for part in (limit_of(outcome, c, folder) for c in outcome.curves) if part]
    if parts:
        text += (
            "## What limits it\n\nEfficiencies are those of docs/observing.md, each the median of the digests; 1"
            " is best, and a ! is worth a look. *Parallel* is the product of the next four. *Computation* is the"
            " time in tasks for the same work, against that on the fewest ranks.\n\n"
            + "\n\n".join(parts)
            + "\n\n"
        )
    return text + growth(outcome) + what_failed(outcome) + "## How it was measured\n\n" + how(outcome)
