"""What to keep in mind when the figures are read: each a sentence, and what to do."""

from .models import FEWEST
from .study import of_many


def of(outcome):
    study, out = outcome.study, []
    if not outcome.curves:
        return out
    shared = sorted({p.ranks for c in outcome.curves for p in c.points if p.shares_cores})
    if shared:
        out.append(
            f"Ranks shared cores: {numbers(shared)} ranks"
            + (f" of {study.workers} workers" if study.workers > 1 else "")
            + f" on {of_many(study.machine['cores'], 'core')}. There the curve measures what ranks cost, and not"
            " how fast as many nodes would be; work that needs cores takes longer for that reason alone."
        )
    for curve in outcome.curves:
        if curve.is_noise:
            out.append(
                f"{curve.variant}: the noise ({curve.noise:.2g} s) hides the differences between numbers of ranks"
                f" ({curve.effect:.2g} s), which may all take the same time. Run longer, more often"
                " (--repetitions), or on a quieter machine."
            )
    few = [c for c in outcome.curves if len(c.points) < FEWEST]
    if few:
        out.append(
            f"There is no model of growth: it needs {FEWEST} numbers of ranks, and there are "
            f"{max(len(c.points) for c in few)}. Give more with --ranks."
        )
    if study.repetitions < 3:
        out.append(
            f"Each point is of {of_many(study.repetitions, 'run')}, so little is known of the noise; --repetitions"
            " 5 is a good number."
        )
    busy = sorted(k.others for k in outcome.kept)
    if busy and busy[len(busy) // 2] > 0.1:
        out.append(
            f"Other programs kept {busy[len(busy) // 2]:.1f} cores busy meanwhile (the median of runs): times "
            "may be too long, and differ for that reason."
        )
    if outcome.time_from == "wall":
        without = [k for k in outcome.kept if not k.failed and k.no_digest]
        why = f" ({without[0].no_digest})" if without and without[0].no_digest != "there is none" else ""
        out.append(
            f"{of_many(len(without), 'run')} left no digest{why}: the program does not begin with rondo::run, or"
            " ends before it does. So times are those of the whole command, the start of all ranks included, and"
            " nothing is said of what limits scaling. --time finds the time that a program prints."
        )
    if any(k.digest and k.digest.has("unoptimized build") for k in outcome.kept):
        out.append("Rondo was built without optimization: build with CMAKE_BUILD_TYPE=Release, and measure again.")
    if study.kind == "weak" and not study.has_placeholders():
        out.append(
            "Weak scaling was asked for (--weak), but no argument has {ranks} in it: the program has to make its "
            "problem larger by itself."
        )
    if study.delay:
        out.append(f"A slower network was simulated: RONDO_DELAY={study.delay}.")
    return out


def numbers(values):
    return ", ".join(map(str, values[:-1])) + (" and " if len(values) > 1 else "") + str(values[-1])
