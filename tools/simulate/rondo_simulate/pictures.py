"""prediction.svg and prediction.png: seconds by number of ranks, both logarithmic, for a paper.

Filled marks were measured; hollow ones are predicted, the least and the most of all seeds shaded between.
"""

import math
import os

from rondo_scale.pictures import (  # first: it chooses how matplotlib draws
    COLORS,
    DASHES,
    MARKS,
    STYLE,
    axis_of_ranks,
    axis_of_times,
    names_at_ends,
    pyplot,
)

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from . import results

GREY = "#6b7280"
LABEL = 0.06  # of the axis of ranks: what a number takes


def thinned(ranks):
    """From the last one down, those whose labels have room; and the first one."""
    room = LABEL * math.log2(ranks[-1] / ranks[0])
    kept = [ranks[-1]]
    for r in ranks[-2::-1]:
        if math.log2(kept[-1] / r) >= room - 1e-9:
            kept.append(r)
    return kept[::-1] if kept[-1] == ranks[0] else [ranks[0], *kept[-2::-1]]


def draw_curve(axes, n, curve):
    color, mark = COLORS[n % len(COLORS)], MARKS[n % len(MARKS)]
    at, times = [p.ranks for p in curve.points], [p.time for p in curve.points]
    axes.fill_between(at, [t.low for t in times], [t.high for t in times], color=color, alpha=0.18, linewidth=0)
    axes.plot(
        at,
        [t.value for t in times],
        color=color,
        linestyle=DASHES[n % len(DASHES)],
        linewidth=1.3,
        marker=mark,
        markersize=7,
        markerfacecolor="white",
        markeredgecolor=color,
        markeredgewidth=1.2,
        zorder=3 - 0.1 * n,
    )


def draw_measured(axes, n, points):
    """In the color of the variant that the program is; smaller, so that a prediction is a ring around it."""
    color = COLORS[n % len(COLORS)]
    t = [p.time for p in points]
    axes.errorbar(
        [p.ranks for p in points],
        [m.value for m in t],
        yerr=[[m.value - m.low for m in t], [m.high - m.value for m in t]],
        color=color,
        marker=MARKS[n % len(MARKS)],
        markersize=4,
        linestyle="none",
        elinewidth=1,
        capsize=2.2,
        zorder=4,
    )


def draw_end_of_measuring(axes, ranks):
    axes.axvline(ranks, color=GREY, linestyle=":", linewidth=1.1, zorder=1)
    axes.annotate(
        f"measured up to {ranks}",
        xy=(ranks, 1),
        xycoords=("data", "axes fraction"),
        xytext=(3, 2),
        textcoords="offset points",
        color=GREY,
        fontsize=8.5,
        va="bottom",
    )


def legend(axes, settings):
    grey = {"color": GREY, "linestyle": "none", "marker": "o"}
    seeds = settings["seeds"]
    axes.legend(
        handles=[
            Line2D([], [], markersize=4, label=f"measured ({settings['written_as']})", **grey),
            Line2D([], [], markersize=7, markerfacecolor="white", markeredgewidth=1.2, label="predicted", **grey),
            Patch(color=GREY, alpha=0.25, linewidth=0, label=f"least and most of {seeds} simulations"),
        ],
        loc="upper center",
        bbox_to_anchor=(0.5, -0.17),
        ncol=3,
        frameon=False,
        fontsize=8.5,
        handletextpad=0.4,
        columnspacing=1.4,
    )


def title(settings):
    name = os.path.basename(settings["program"])
    network = settings["network"]
    return f"How {name} will scale" + (f": {network['name']}" if network and network.get("name") else "")


def draw(result, folder):
    settings, curves, points = result["settings"], results.curves(result), results.measured(result)
    ranks = sorted({p.ranks for c in curves for p in c.points} | {p.ranks for p in points})
    written = [c.variant for c in curves].index(settings["written_as"])
    with pyplot.rc_context(STYLE):
        longest = max(len(c.variant) for c in curves)
        figure, axes = pyplot.subplots(figsize=(5.9 + 0.088 * longest, 4.2))
        axis_of_ranks(axes, thinned(ranks))
        margin = max(1.15, (ranks[-1] / ranks[0]) ** 0.03)
        axes.set_xlim(ranks[0] / margin, ranks[-1] * margin)
        figure.subplots_adjust(
            left=0.125, right=1 - 0.03 - 0.088 * longest / figure.get_figwidth(), bottom=0.2, top=0.86
        )
        for n, curve in enumerate(curves):
            draw_curve(axes, n, curve)
        draw_measured(axes, written, points)
        all_times = [v for p in [*points, *(p for c in curves for p in c.points)] for v in (p.time.low, p.time.high)]
        axis_of_times(axes, min(all_times), max(all_times))
        draw_end_of_measuring(axes, points[-1].ranks)
        axes.set_ylabel("time, median")
        names_at_ends(axes, curves, lambda p: p.time.value)
        legend(axes, settings)
        axes.set_title(title(settings), loc="left", fontsize=11, pad=18)
        nothing = {k: None for k in ("Date", "Creator", "Format", "Type")}
        figure.savefig(os.path.join(folder, "prediction.svg"), metadata=nothing)
        figure.savefig(os.path.join(folder, "prediction.png"), dpi=200)
        pyplot.close(figure)
