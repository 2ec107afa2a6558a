"""What limits scaling, in words: which efficiency falls most as ranks are added, and what to do about it."""

from __future__ import annotations  # for Python 3.8

from dataclasses import dataclass

from .outcome import COMPUTATION, PARTS
from .study import of_many

FALLS = 0.95  # what keeps so much of itself has not fallen
GOOD = 0.8  # of the performance centres: less is worth a look

MEANING = {
    "load balance": "ranks have different amounts of work, and those with less wait for the one with most",
    "communication": "ranks wait for messages",
    "parallelism": "workers have nothing to do: there are too few tasks at a time",
    "scheduling": "launching tasks, and the gaps between them, take time from tasks",
    COMPUTATION: "the same work takes more time in tasks",
}
ADVICE = {
    "load balance": "Give each rank as much work: m.balance() between loops moves colors by what they cost, if there are several for each rank.",
    "communication": (
        "Give ranks work to do meanwhile: more colors for each, or launches in between that need no ghosts; "
        "and let no get() stand in the loop."
    ),
    "parallelism": "Have more tasks at a time: more colors than workers; divide what takes long.",
    "scheduling": "Put more work into a task: fewer colors; and remember the loop: repeat, iterate or a trace.",
    COMPUTATION: (
        "Look at what ranks share: cores, caches and the memory's bandwidth; in strong scaling also at work "
        "that each rank does again, such as on ghosts."
    ),
}
# What falls for that reason alone if ranks share cores.
SHARED = {
    "communication": "But ranks shared cores: a message also waits until its sender gets a core.",
    COMPUTATION: "But ranks shared cores: tasks also wait for a core while they seem to run.",
}


@dataclass
class Fall:
    part: str
    first: float
    last: float
    low_from: int | None  # the fewest ranks from which on it is not good

    @property
    def kept(self):
        return self.last / self.first if self.first > 0 else 1.0


@dataclass
class Limits:
    variant: str
    first: int
    last: int
    efficiency: float
    falls: list  # the worst one first
    headline: str
    short: str  # the same without reasons
    advice: str
    digest: str  # what that of the run in the middle says, on most ranks
    digest_file: str


def fall_of(points, part):
    values = [(p.ranks, p.parts[part]) for p in points if part in p.parts]
    if len(values) < 2:
        return None
    low = None
    for ranks, value in values:
        if value >= GOOD:
            low = None
        elif low is None:
            low = ranks
    return Fall(part, values[0][1], values[-1][1], low)


def sentence(fall, last, is_first):
    begin = f"{fall.part.capitalize()} falls most" if is_first else f"{fall.part.capitalize()} falls as well"
    text = f"{begin}, from {fall.first:.2f} to {fall.last:.2f}: {MEANING[fall.part]}."
    if fall.low_from is not None:
        text += f" It is below {GOOD} " + (
            f"from {of_many(fall.low_from, 'rank')} on."
            if fall.low_from != last
            else f"on {of_many(last, 'rank')}."
        )
    return text


def low_ones(points):
    """What was bad from the beginning, and has not become worse."""
    first = points[0].parts
    return [part for part in PARTS if part in first and first[part] < GOOD]


def headline(points, falls):
    last = points[-1].ranks
    fallen = [f for f in falls if f.kept < FALLS]
    if not falls:
        return "There is no digest on two numbers of ranks, so it is not known what limits scaling."
    if not fallen:
        text = f"No efficiency falls up to {of_many(last, 'rank')}."
    else:
        text = " ".join(sentence(f, last, n == 0) for n, f in enumerate(fallen[:2]))
    low = [part for part in low_ones(points) if part not in [f.part for f in fallen[:2]]]
    if low:
        values = ", ".join(f"{part} {points[0].parts[part]:.2f}" for part in low)
        text += f" Low from the beginning, on {of_many(points[0].ranks, 'rank')}: {values}."
    return text


def short(falls):
    fallen = [
        f"{f.part}{' falls most' if n == 0 else ''}, to {f.last:.2f}"
        for n, f in enumerate(falls)
        if f.kept < FALLS
    ][:2]
    text = ", then ".join(fallen)
    return f"{text[0].upper()}{text[1:]}." if fallen else "No efficiency falls." if falls else ""


def advice(points, falls):
    fallen = [f for f in falls if f.kept < FALLS]
    if fallen:
        worst = fallen[0].part
        shared = SHARED.get(worst, "") if points[-1].shares_cores else ""
        return f"{ADVICE[worst]} {shared}".strip()
    low = low_ones(points)
    if low:
        return ADVICE[min(low, key=lambda part: points[0].parts[part])]
    return ""


def words_of(digest, shares_cores):
    """What it has found first, or next, if that is only that cores are shared, which is known."""
    verdicts = [v for v in digest.verdicts if not (shares_cores and v[0] == "cores shared")] or digest.verdicts
    if not verdicts:
        return ""
    name, why, advised = verdicts[0]
    return f"{name}: {why}" + (f" Next: {advised}." if advised else "")


def of(curve):
    """None of a curve with a single point."""
    points = curve.points
    if len(points) < 2:
        return None
    falls = [f for f in (fall_of(points, part) for part in PARTS) if f]
    falls.sort(key=lambda f: f.kept)
    middle = points[-1].middle()
    return Limits(
        curve.variant,
        points[0].ranks,
        points[-1].ranks,
        points[-1].efficiency,
        falls,
        headline(points, falls),
        short(falls),
        advice(points, falls),
        words_of(middle.digest, points[-1].shares_cores) if middle else "",
        middle.digest_file if middle else "",
    )
