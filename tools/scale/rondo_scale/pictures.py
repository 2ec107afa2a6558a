"""scaling.svg and scaling.png: time and efficiency by number of ranks, both logarithmic, for a paper.

Curves have their names at their ends. Colors and marks are apart for eyes that tell colors badly, too (Okabe
and Ito).
"""

import os

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator  # noqa: E402

from .words import time_text  # noqa: E402

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKS = "os^DvPX"
DASHES = ("-", "--", "-.", ":")
STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["Helvetica", "Arial", "Liberation Sans", "DejaVu Sans"],
    "font.size": 10,
    "axes.labelsize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "rondo",
    "axes.linewidth": 0.8,
}
LABEL = 0.058  # of a panel's height: what a line of text takes


def apart(places, least):
    """Places in their order, moved as little as it takes that labels don't overlap.

    Those that touch make a block around where they should be.
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    blocks = []  # [sum of where its labels should begin, labels]
    for i in order:
        blocks.append([places[i], 1])
        while len(blocks) > 1 and bottom(blocks[-1], least) < bottom(blocks[-2], least) + least * blocks[-2][1]:
            total, count = blocks.pop()
            below = blocks[-1]
            below[0] += total - count * below[1] * least
            below[1] += count
    moved = [0.0] * len(places)
    at = iter(order)
    for block in blocks:
        for k in range(block[1]):
            moved[next(at)] = bottom(block, least) + least * k
    return moved


def bottom(block, least):
    """Where its lowest label is. The k-th one should be k lines above."""
    return block[0] / block[1]


def names_at_ends(axes, curves, value):
    """On the right of the panel, with thin lines to the ends of the curves."""
    ends = [
        axes.transAxes.inverted().transform(axes.transData.transform((c.points[-1].ranks, value(c.points[-1]))))
        for c in curves
    ]
    for n, (curve, end, y) in enumerate(zip(curves, ends, apart([e[1] for e in ends], LABEL))):
        color = COLORS[n % len(COLORS)]
        axes.annotate(
            curve.variant,
            xy=end,
            xytext=(1.03, y),
            xycoords="axes fraction",
            textcoords="axes fraction",
            color=color,
            va="center",
            fontsize=10,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": color,
                "lw": 0.6,
                "alpha": 0.6,
                "shrinkA": 1,
                "shrinkB": 4,
                "relpos": (0, 0.5),
            },
        )


def axis_of_ranks(axes, ranks):
    axes.set_xscale("log", base=2)
    axes.set_xticks(ranks)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlim(ranks[0] / 1.15, ranks[-1] * 1.15)
    axes.set_xlabel("ranks")
    axes.grid(True, which="major", color="#e3e6ea", linewidth=0.7)
    axes.set_axisbelow(True)


def axis_of_times(axes, lowest, highest):
    axes.set_yscale("log")
    axes.set_ylim(lowest / 1.15, highest * 1.15)
    # 1, 2, 5 where that makes enough marks, else all digits.
    steps = [d * 10.0**k for k in range(-9, 7) for d in (1, 2, 5)]
    inside = [s for s in steps if lowest / 1.15 <= s <= highest * 1.15]
    if len(inside) < 3:
        fine = [
            d * 10.0**k
            for k in range(-10, 6)
            for d in (10, 12, 14, 16, 18, 20, 25, 30, 35, 40, 50, 60, 70, 80, 90)
        ]
        inside = [s for s in fine if lowest / 1.15 <= s <= highest * 1.15]
    axes.set_yticks(inside)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: tick_text(y)))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_minor_locator(NullLocator())


def tick_text(seconds):
    text, unit = time_text(seconds * (1 + 1e-9)).split(" ")
    return f"{float(text):g} {'µs' if unit == 'us' else unit}"


def style(n):
    return {
        "color": COLORS[n % len(COLORS)],
        "marker": MARKS[n % len(MARKS)],
        "linestyle": DASHES[n % len(DASHES)],
        "linewidth": 1.6,
        "markersize": 5.5,
        "markeredgecolor": "white",
        "markeredgewidth": 0.6,
    }


def places(curve, n, count):
    """Of its points; those of several curves side by side, so that bars don't hide each other."""
    return [p.ranks * 2 ** (0.05 * (n - (count - 1) / 2)) for p in curve.points]


def ideal_time(study, curves):
    """From the fastest one on the fewest ranks."""
    first = min(c.points[0].ranks for c in curves)
    return first, min(c.points[0].time.value for c in curves if c.points[0].ranks == first)


def has_model(curve):
    return curve.model is not None and not curve.is_noise and not curve.model.is_poor


def draw_model(axes, curve, color):
    """Broad and pale, behind the points; no further than these go."""
    if has_model(curve):
        low, high = curve.points[0].ranks, curve.points[-1].ranks
        at = [low * (high / low) ** (k / 60) for k in range(61)]
        axes.plot(
            at,
            [max(curve.model(p), 1e-9) for p in at],
            color=color,
            linewidth=6,
            alpha=0.22,
            solid_capstyle="round",
            zorder=1,
        )


def caption(outcome):
    sure = [round(100 * p.time.sure) for c in outcome.curves for p in c.points if p.time.count > 1]
    said = []
    if sure:
        said.append(f"bars: where the median is, {min(sure)} % sure")
    if any(map(has_model, outcome.curves)):
        said.append("pale: the model of report.md")
    return "; ".join(said)


def draw_times(axes, outcome, ranks):
    study, curves = outcome.study, outcome.curves
    first, start = ideal_time(study, curves)
    ideal = [start if study.kind == "weak" else start * first / r for r in ranks]
    axes.plot(ranks, ideal, color="#8b929c", linewidth=1.1, zorder=1)
    for n, curve in enumerate(curves):
        draw_model(axes, curve, COLORS[n % len(COLORS)])
        at = places(curve, n, len(curves))
        t = [p.time for p in curve.points]
        bars = [[m.value - m.low for m in t], [m.high - m.value for m in t]]
        axes.errorbar(at, [m.value for m in t], yerr=bars, capsize=2.2, elinewidth=1, **style(n))
    all_times = [v for c in curves for p in c.points for v in (p.time.low, p.time.high)] + ideal
    axis_of_times(axes, min(all_times), max(all_times))
    axes.annotate(
        "ideal",
        xy=(ranks[-1], ideal[-1]),
        xytext=(-2, -11),
        textcoords="offset points",
        color="#6b7280",
        ha="right",
        fontsize=9,
    )
    axes.set_ylabel("time, median" + (f" of {study.repetitions} runs" if study.repetitions > 1 else ""))
    names_at_ends(axes, curves, lambda p: p.time.value)


def draw_efficiencies(axes, outcome, ranks):
    axes.axhline(1, color="#8b929c", linewidth=1.1, zorder=1)
    for n, curve in enumerate(outcome.curves):
        axes.plot(places(curve, n, len(outcome.curves)), [p.efficiency for p in curve.points], **style(n))
    most = max([1.0] + [p.efficiency for c in outcome.curves for p in c.points])
    axes.set_ylim(0, 1.05 * most)
    axes.set_ylabel("efficiency")
    names_at_ends(axes, outcome.curves, lambda p: p.efficiency)


def draw(outcome, folder):
    ranks = sorted({p.ranks for c in outcome.curves for p in c.points})
    with pyplot.rc_context(STYLE):
        longest = max(len(c.variant) for c in outcome.curves)
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.6 + 2 * 0.088 * longest, 3.9))
        for axes in (left, right):
            axis_of_ranks(axes, ranks)
        figure.subplots_adjust(
            left=0.085,
            right=1 - 0.012 - 0.088 * longest / figure.get_figwidth(),
            bottom=0.18,
            top=0.9,
            wspace=0.26 + 0.25 * longest / 10,
        )
        draw_times(left, outcome, ranks)
        draw_efficiencies(right, outcome, ranks)
        left.set_title(
            f"{outcome.study.kind.capitalize()} scaling of {os.path.basename(outcome.study.program)}",
            loc="left",
            fontsize=11,
            pad=10,
        )
        figure.text(0.012, 0.02, caption(outcome), fontsize=8.5, color="#6b7280")
        figure.savefig(os.path.join(folder, "scaling.svg"), metadata={k: None for k in ("Date", "Creator", "Format", "Type")})
        figure.savefig(os.path.join(folder, "scaling.png"), dpi=200)
        pyplot.close(figure)
