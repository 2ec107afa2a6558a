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
    verdict: str = ""
    why: str = ""
    next: str = ""
    messages: float = 0
    is_unoptimized: bool = False


def of(j):
    if j.get("format") != "rondo digest 1":
        raise NoDigest(f"it is no digest of this version, but {j.get('format')!r}")
    e = j["efficiency"]
    first = j["verdicts"][0] if j["verdicts"] else {"name": "", "why": "", "next": ""}
    return Digest(
        seconds=j["seconds"], ranks=len(j["ranks"]), workers=j["workers"], parallel=e["parallel"],
        efficiencies={name: e[name.replace(" ", "_")] for name in EFFICIENCIES},
        working=sum(rank["working"] for rank in j["ranks"]),
        tasks={t["name"]: t["seconds"] for t in j["names"]},
        verdict=first["name"], why=first["why"], next=first["next"], messages=j["messages_sent"],
        is_unoptimized=any(v["name"] == "unoptimized build" for v in j["verdicts"]))


def read(path):
    try:
        with open(path, encoding="utf-8") as f:
            return of(json.load(f))
    except FileNotFoundError:
        raise NoDigest("there is none") from None
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as e:
        raise NoDigest(f"it can't be read: {e!r}") from None
