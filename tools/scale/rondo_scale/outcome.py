"""What came of a study: its runs, and from them a curve for each variant."""

from __future__ import annotations  # for Python 3.8

import json
import statistics
from dataclasses import dataclass, field

from . import digests, launchers, medians, models
from .digests import EFFICIENCIES
from .study import Run

COMPUTATION = "computation"  # the tasks themselves take longer than on the fewest ranks
PARTS = (*EFFICIENCIES, COMPUTATION)


@dataclass
class Kept:
    """A run that has ended."""

    run: Run
    wall: float = 0.0
    own: float | None = None
    others: float = 0.0
    failed: str = ""
    said: list = field(default_factory=list)
    digest: digests.Digest | None = None
    digest_file: str = ""
    no_digest: str = ""
    command: str = ""
    machine: dict = field(default_factory=dict)  # where it was started, which may be a node of a cluster
    seconds: float = 0.0  # what is compared; see time_from


@dataclass
class Point:
    ranks: int
    time: medians.Median
    runs: list
    efficiency: float = 1.0  # of the time, against the fewest ranks
    parallel: float | None = None  # of the digests
    parts: dict = field(default_factory=dict)  # of PARTS
    shares_cores: bool = False

    def middle(self):
        """The run whose time is the median, or next to it, among those with a digest."""
        runs = [k for k in self.runs if k.digest]
        return min(runs, key=lambda k: abs(k.seconds - self.time.value)) if runs else None


@dataclass
class Curve:
    variant: str
    points: list
    model: models.Model | None = None

    @property
    def noise(self):
        return statistics.median(p.time.spread for p in self.points)

    @property
    def effect(self):
        values = [p.time.value for p in self.points]
        return max(values) - min(values)

    @property
    def is_noise(self):
        """Whether the intervals of all points have something in common: then there may be no difference at all."""
        return len(self.points) > 1 and max(p.time.low for p in self.points) <= min(
            p.time.high for p in self.points
        )


@dataclass
class Outcome:
    study: object
    kept: list
    missing: list
    curves: list
    time_from: str  # "own", "digest" or "wall"

    @property
    def failed(self):
        return [k for k in self.kept if k.failed]


def read_run(study, folder, run):
    """None if it is missing."""
    try:
        with open(study.path(folder, run, ".json"), encoding="utf-8") as f:
            j = json.load(f)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as e:
        return Kept(run, failed=f"what was kept of it can't be read: {e}")
    kept = Kept(
        run,
        j.get("wall", 0.0),
        j.get("own"),
        j.get("others", 0.0),
        j.get("failed", ""),
        j.get("said", []),
        command=j.get("command", ""),
        machine=j.get("machine", {}),
    )
    kept.digest_file = study.path(folder, run, ".digest.json")
    try:
        kept.digest = digests.read(kept.digest_file)
        if kept.digest.ranks != run.ranks and not kept.failed:
            kept.failed = (
                f"{kept.digest.ranks} of {run.ranks} ranks were together: the ranks did not find "
                "each other (is this the mpirun of the MPI that the program is linked with?)"
            )
    except digests.NoDigest as e:
        kept.no_digest = str(e)
    return kept


def time_from(study, good):
    if study.time:
        return "own"
    return "digest" if good and all(k.digest for k in good) else "wall"


def time_of(kept, source):
    return {"own": kept.own, "digest": kept.digest.seconds if kept.digest else None}.get(source) or kept.wall


def point_of(study, ranks, runs):
    point = Point(
        ranks, medians.median([k.seconds for k in runs]), runs, shares_cores=launchers.shares_cores(study, ranks)
    )
    seen = [k.digest for k in runs if k.digest]
    if seen:
        point.parallel = statistics.median(d.parallel for d in seen)
        point.parts = {e: statistics.median(d.efficiencies[e] for d in seen) for e in EFFICIENCIES}
    return point


def working(point):
    seen = [k.digest.working for k in point.runs if k.digest]
    return statistics.median(seen) if seen else None


def compare(study, points):
    """Efficiencies against the point with the fewest ranks."""
    first = points[0]
    for p in points:
        # Weak scaling has as much more work as there are more ranks.
        more = p.ranks / first.ranks
        p.efficiency = first.time.value / p.time.value
        work = more
        if study.kind == "strong":
            p.efficiency /= more
            work = 1
        if working(p) and working(first):
            p.parts[COMPUTATION] = work * working(first) / working(p)


def curve_of(study, variant, good):
    points = []
    for ranks in study.ranks:
        runs = [k for k in good if k.run.variant == variant and k.run.ranks == ranks]
        if runs:
            points.append(point_of(study, ranks, runs))
    if points:
        compare(study, points)
    curve = Curve(variant, points)
    curve.model = models.fit(
        [p.ranks for p in points], [p.time.value for p in points], may_fall=study.kind == "strong"
    )
    return curve


def read(study, folder):
    found = [(run, read_run(study, folder, run)) for run in study.runs()]
    kept = [k for _, k in found if k]
    good = [k for k in kept if not k.failed]
    source = time_from(study, good)
    for k in good:
        k.seconds = time_of(k, source)
    curves = [c for c in (curve_of(study, v, good) for v in study.variants) if c.points]
    return Outcome(study, kept, [run for run, k in found if not k], curves, source)
