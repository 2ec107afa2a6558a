"""Runs that never were: what rondo-report would give to its page.

Alone it writes a page: synthetic_runs.py FILE [--ranks N] [--workers N] [--colors N] [--passes N] [--compared] [--failed]
"""

import argparse
import pathlib
import random
import tempfile

from filled_page import Columns, fill, template

NONE = 4294967295
SITES = [
    {"name": "task::sweep", "place": "heat.cpp:40", "kind": "task"},
    {"name": "task::residual", "place": "heat.cpp:44", "kind": "task"},
    {"name": "halo: send", "place": "heat.cpp:40", "kind": "task"},
    {"name": "halo: receive", "place": "heat.cpp:40", "kind": "task"},
    {"name": "piece of a loop", "place": "", "kind": "fork"},
    {"name": "slept", "place": "", "kind": "slept"},
    {"name": "waited for a value", "place": "heat.cpp:52", "kind": "waited"},
    {"name": "repeat", "place": "heat.cpp:38", "kind": "pass"},
    {"name": "task::boundary", "place": "heat.cpp:42", "kind": "task"},
]
SWEEP, RESIDUAL, SEND, RECEIVE, PIECE, SLEPT, WAITED, PASS, BOUNDARY = range(len(SITES))


class Recording:
    """Spans by lane, and messages between them."""

    def __init__(self):
        self.lanes = []
        self.messages = []

    def lane(self, rank, label, kind, host="n0"):
        self.lanes.append(({"rank": rank, "label": label, "kind": kind, "host": host}, []))
        return self.lanes[-1][1]

    @staticmethod
    def span(lane, begin, length, site, detail=0, number=0, step=0, number_of_pass=0, delay=float("nan"), depth=0):
        lane.append([begin, length, site, detail, number, step, number_of_pass, delay, depth, NONE])
        return lane[-1]

    def message(self, sender, receiver, posted, arrived, size):
        """Sender and receiver: a pair of the index of a lane and a span."""
        self.messages.append((sender, receiver, posted, arrived, size))

    def end(self):
        return max((s[0] + s[1] for _, spans in self.lanes for s in spans), default=0)

    def in_order(self):
        spans = []
        lanes = []
        for about, of_lane in self.lanes:
            of_lane.sort(key=lambda s: (s[0], s[8]))
            lanes.append({**about, "first": len(spans), "count": len(of_lane)})
            for index, span in enumerate(of_lane, len(spans)):
                span[9] = index
            spans += of_lane
        self.messages.sort(key=lambda m: m[2])
        return lanes, spans


def run_of(recording, critical=(), shapes=("",), **more):
    """The run and its columns; `critical`: spans. What is not given is computed, or empty."""
    columns = Columns()
    lanes, spans = recording.in_order()
    kinds = ["f64", "f32", "u32", "u32", "f64", "u32", "f64", "f32", "u8"]
    names = ["begin", "length", "site", "detail", "number", "step", "pass", "delay", "depth"]
    messages = recording.messages
    end = recording.end()
    run = {
        "title": "mpirun -np 2 ./heat --size 4096", "when": "2026-11-26 15:40:02 UTC", "hardware": "1 rank on 1 node, 1 worker",
        "failure": "", "seconds": end / 1e9, "skew_ns": 300, "dropped": 0, "digest": "", "words": [],
        "lanes": lanes, "sites": SITES, "shapes": list(shapes),
        "spans": {name: columns.add(kind, [s[i] for s in spans]) for i, (name, kind) in enumerate(zip(names, kinds))},
        "messages": {
            "from_lane": columns.add("u32", [m[0][0] for m in messages]), "to_lane": columns.add("u32", [m[1][0] for m in messages]),
            "posted": columns.add("f64", [m[2] for m in messages]), "arrived": columns.add("f64", [m[3] for m in messages]),
            "bytes": columns.add("f64", [m[4] for m in messages]),
            "from_span": columns.add("u32", [m[0][1][9] for m in messages]), "to_span": columns.add("u32", [m[1][1][9] for m in messages]),
        },
        "critical": {"span": columns.add("u32", [s[9] for s in critical])},
        "critical_parts": [], "table": table_of(spans), "waits": [],
        "parallelism": parallelism_of(spans, end, columns), "graphs": [], "compared": None,
    }
    run.update(more)
    return run, columns


def is_task(span):
    return SITES[span[2]]["kind"] in ("task", "fork") and span[8] == 0


def table_of(spans):
    rows = []
    everything = sum(s[1] for s in spans if is_task(s)) or 1
    for site in range(len(SITES)):
        times = [s[1] for s in spans if s[2] == site and is_task(s)]
        if times:
            total = sum(times)
            rows.append({"site": site, "count": len(times), "total": total / 1e9, "mean": total / len(times) / 1e9, "longest": max(times) / 1e9,
                         "share": total / everything, "delay_mean": None if site == SEND else 4e-6, "delay_p99": None if site == SEND else 9e-5,
                         "critical_share": min(1, total / everything * 0.9), "imbalance": 1 + site * 0.04})
    return rows


def parallelism_of(spans, end, columns, steps=2000):
    step = max(end / steps, 1)
    running = [0.0] * (steps + 1)
    for s in spans:
        if not is_task(s):
            continue
        first, last = int(s[0] / step), int((s[0] + s[1]) / step)
        for i in range(first, last + 1):
            running[i] += (min(s[0] + s[1], (i + 1) * step) - max(s[0], i * step)) / step
    return {"step_ns": step, "tasks": columns.add("f32", running[:-1] if end else [])}


def stencil(ranks=4, workers=2, colors=3, passes=40, seed=1, **more):
    """Sweeps over a mesh: each color needs its neighbours' of the pass before; ranks are neighbours in a row."""
    at_random = random.Random(seed)
    recording = Recording()
    main, lanes = [], []
    for rank in range(ranks):
        main.append(recording.lane(rank, "main", "thread", f"n{rank // 2}"))
        lanes.append([(len(recording.lanes), recording.lane(rank, f"worker {w}", "worker", f"n{rank // 2}")) for w in range(workers)])
    shapes = [""] + [f", color {c}" for c in range(ranks * workers * colors)]
    free = [[1000.0 + 300 * at_random.random()] * workers for _ in range(ranks)]
    sent = {}
    critical = []
    for step in range(passes):
        begins = [min(times) for times in free]
        for rank in range(ranks):
            before = dict(sent)
            for worker in range(workers):
                index, lane = lanes[rank][worker]
                at = free[rank][worker]
                for neighbour in (rank - 1, rank + 1):
                    message = before.get((neighbour, rank, step - 1))
                    if worker == 0 and message:
                        sender, posted, arrived = message
                        if arrived > at + 2000:
                            Recording.span(lane, at, arrived - at - 800, SLEPT)
                        at = max(at + 300, arrived + 400)
                        receive = Recording.span(lane, at, 2500, RECEIVE, number=7, step=step + 1, number_of_pass=step, delay=at - arrived)
                        recording.message(sender, (index, receive), posted, arrived, 32768)
                        at += 2900
                for c in range(colors):
                    slow = 1.35 if rank == ranks - 1 else 1.0
                    length = 60000 * slow * (0.9 + 0.2 * at_random.random())
                    color = (rank * workers + worker) * colors + c + 1
                    sweep = Recording.span(lane, at, length, SWEEP, color, 12, step + 1, step, at_random.expovariate(1 / 5000))
                    if c == 0 and step % 4 == 0:
                        for part in range(3):
                            Recording.span(lane, at + length * (0.1 + 0.3 * part), length * 0.2, PIECE, depth=1)
                    if rank == max(0, ranks - 1 - step // 3 % 2) and worker == (step % workers):
                        critical.append(sweep)
                    at += length + 400 + 300 * at_random.random()
                if step % 5 == 4:
                    Recording.span(lane, at, 18000, RESIDUAL, 0, 13, step + 1, step, float("nan"))
                    at += 18500
                if worker == 0 and rank in (0, ranks - 1):
                    Recording.span(lane, at, 9000, BOUNDARY, 0, 14, step + 1, step, 1200)
                    at += 9400
                if worker == workers - 1:
                    for neighbour in (rank - 1, rank + 1):
                        if 0 <= neighbour < ranks:
                            send = Recording.span(lane, at, 3000, SEND, 0, 9, step + 1, step, 900)
                            sent[(rank, neighbour, step)] = ((index, send), at + 3000, at + 3000 + 20000 * (0.6 + at_random.random()))
                            at += 3400
                free[rank][worker] = at
            together = max(free[rank])
            for worker in range(workers):
                if together - free[rank][worker] > 3000:
                    Recording.span(lanes[rank][worker][1], free[rank][worker], together - free[rank][worker] - 500, SLEPT)
                free[rank][worker] = together
            begin = begins[rank]
            Recording.span(main[rank], begin, together - begin - 1000, PASS, number=3, number_of_pass=step)
            Recording.span(main[rank], begin + 6000, together - begin - 9000, WAITED, depth=1)
    critical.sort(key=lambda span: span[0])
    seconds = recording.end() / 1e9
    parts = [("task::sweep", "task", 0.72), ("halo: receive from rank 2", "message", 0.12), ("launching", "launching", 0.05),
             ("waiting for a worker", "waiting for a worker", 0.07), ("main thread", "main thread", 0.04)]
    given = {
        "title": f"mpirun -np {ranks} ./heat --size 4096 --colors {ranks * workers * colors}",
        "hardware": f"{ranks} ranks on {(ranks + 1) // 2} nodes, {ranks * workers} workers; n0: 16 cores, AMD EPYC 7302",
        "digest": DIGEST,
        "words": ["72 % of the critical path is task::sweep, launched at heat.cpp:40.",
                  f"Rank {ranks - 1} has worked 1.26 times as much as ranks in the mean, and others wait for its messages.",
                  "Workers have waited for messages for 12 % of the time.",
                  "The main thread has waited 40 times at heat.cpp:52 for a value, and workers had no task meanwhile for 3.1 ms in all.",
                  "1 in 100 tasks began more than 90 us after it was ready."],
        "critical_parts": [{"what": what, "kind": kind, "seconds": share * seconds, "share": share} for what, kind, share in parts],
        "waits": [{"place": "heat.cpp:52", "what": "for a value", "count": passes, "seconds": seconds * 0.8},
                  {"place": "heat.cpp:70", "what": "for launches", "count": 1, "seconds": seconds * 0.02}],
        "graphs": [graph_of_pass(ranks, 2), graph_of_pass(ranks, 40)],
    }
    given.update(more)
    return run_of(recording, critical, shapes, **given)


def graph_of_pass(ranks, colors):
    nodes, edges = [], []

    def node(name, details, rank, column, row, mean):
        nodes.append({"name": name, "details": details, "rank": rank, "mean": mean, "column": column, "row": row})
        return len(nodes) - 1

    rows = ranks * colors
    receives = [node("halo: receive", f", color {c}", c // colors, 0, c, 2.5e-6) for c in range(rows)]
    sweeps = [node("task::sweep", f", color {c}", c // colors, 1, c, 6e-5) for c in range(rows)]
    residuals = [node("task::residual", f", color {c}", c // colors, 2, c, 1.8e-5) for c in range(rows)]
    total = node("sum of residuals", "", 0, 3, rows // 2, 1e-6)
    for c in range(rows):
        edges += [[receives[d], sweeps[c]] for d in (c - 1, c, c + 1) if 0 <= d < rows]
        edges += [[sweeps[c], residuals[c]], [residuals[c], total]]
    return {"title": f"repeat, heat.cpp:{38 + colors}", "passes": 100, "nodes": nodes, "edges": edges}


def comparison():
    rows = [("task::sweep", 120, 120, 1.0, 0.8), ("task::residual", 24, 24, 0.05, 0.051), ("halo: send", 60, 30, 0.002, 0.001),
            ("task::boundary", 0, 40, 0.0, 0.004), ("task::old", 12, 0, 0.01, 0.0)]
    return {"before": "mpirun -np 4 ./heat.old --size 4096", "seconds_before": 0.0042,
            "words": ["task::sweep takes 20 % less.", "The critical path is 12 % shorter; most of that is task::sweep."],
            "rows": [{"name": name, "count": [m, n], "total": [a, b], "mean": [a / m if m else 0, b / n if n else 0], "share": [a / 1.1, b / 0.9]}
                     for name, m, n, a, b in rows]}


def empty():
    return run_of(Recording(), title="./nothing")


def one_lane():
    recording = Recording()
    lane = recording.lane(0, "worker 0", "worker")
    for i in range(5):
        Recording.span(lane, 100 * i, 90, i % 2, number=i + 1)
    return run_of(recording, title="./one")


def many_spans(count, workers=8, ranks=1, seed=1):
    """Tasks of a microsecond, one behind the other."""
    at_random = random.Random(seed)
    recording = Recording()
    lanes = ranks * workers
    for lane in range(lanes):
        spans = recording.lane(lane // workers, f"worker {lane % workers}", "worker")
        at = 0.0
        for i in range(count // lanes):
            length = 400 + 1200 * at_random.random()
            spans.append([at, length, (SWEEP, RESIDUAL, BOUNDARY, SEND)[at_random.randrange(4)], 0, i, 0, 0, 100.0, 0, NONE])
            at += length + 60 + (50000 if i % 3000 == 0 else 0)
    return run_of(recording, [s for s in recording.lanes[0][1][::2]], title=f"./many --spans {count}")


DIGEST = """rondo digest: 325 ms on 2 workers of 2 ranks, 362 tasks
  parallel efficiency  0.22 ! 1 is best; it is lowered by
    load balance       1.00   some ranks have less to do
    communication      0.24 ! waiting for messages
    parallelism        1.00   too little to do at a time
    scheduling         0.91   launching, and gaps between tasks

  time of workers                                      median    min    max of ranks
  tasks       ######                           22 %    22 %   21 %   22 %
  main thread                                   2 %     2 %    1 %    2 %
  messages    #######################          76 %    76 %   75 %   76 %

  => waiting for messages: workers have waited for messages for 76 % of the time.
     Next: give ranks more to do meanwhile <more colors & work in between>.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    for name, most in (("ranks", 4), ("workers", 2), ("colors", 3), ("passes", 40), ("spans", 0)):
        parser.add_argument(f"--{name}", type=int, default=most)
    parser.add_argument("--compared", action="store_true")
    parser.add_argument("--failed", action="store_true")
    wanted = parser.parse_args()
    more = {}
    if wanted.compared:
        more["compared"] = comparison()
    if wanted.failed:
        more.update(failure="rank 3 of 4: this rank has run out of memory\nat heat.cpp:40", dropped=120345)
    made = (many_spans(wanted.spans, wanted.workers, wanted.ranks) if wanted.spans
            else stencil(wanted.ranks, wanted.workers, wanted.colors, wanted.passes, **more))
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(wanted.file).write_text(fill(template(folder), *made))


if __name__ == "__main__":
    main()
