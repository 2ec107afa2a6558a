"""What the digest of a run says, docs/observing.md, as far as scaling goes."""

import json
from dataclasses import dataclass, field

# In the order in which the digest prints them; parallel efficiency is their product.
EFFICIENCIES = ("load balance", "communication", "parallelism", "scheduling")


class NoDigest(Exception):
    pass


@dataclass
class Digest:
    seconds: float
    ranks: int
    workers: int
    parallel: float
    efficiencies: dict  # of EFFICIENCIES
    working: float  # seconds in tasks, of all workers of all ranks
    tasks: dict = field(default_factory=dict)  # name: seconds of all workers
    verdicts: list = field(default_factory=list)  # (name, why, next); the one that has cost the most comes first
    messages: float = 0

    def has(self, verdict):
        return any(name == verdict for name, _, _ in self.verdicts)


def of(j):
    if j.get("format") != "rondo digest 1":
        raise NoDigest(f"it is no digest of this version, but {j.get('format')!r}")
    e = j["efficiency"]
    return Digest(
        seconds=j["seconds"],
        ranks=len(j["ranks"]),
        workers=j["workers"],
        parallel=e["parallel"],
        efficiencies={name: e[name.replace(" ", "_")] for name in EFFICIENCIES},
        working=sum(rank["working"] for rank in j["ranks"]),
        tasks={t["name"]: t["seconds"] for t in j["names"]},
        verdicts=[(v["name"], v["why"], v["next"]) for v in j["verdicts"]],
        messages=j["messages_sent"],
    )


def read(path):
    try:
        with open(path, encoding="utf-8") as f:
            return of(json.load(f))
    except FileNotFoundError:
        raise NoDigest("there is none") from None
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as e:
        raise NoDigest(f"it can't be read: {e!r}") from None
