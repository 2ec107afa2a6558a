"""end_to_end_tests.py SOLVER MPIRUN: a small study of the solver, on one rank and on two."""

import json
import sys
import unittest

SOLVER, MPIRUN = sys.argv[1:3]
del sys.argv[1:]

from support import InFolder  # noqa: E402


class Study(InFolder):
    def test_one_rank_and_two(self):
        said = self.tool(
            "--no-pictures",
            "--output",
            "out",
            "--mpirun",
            MPIRUN,
            "--ranks",
            "1,2",
            "--repetitions",
            "1",
            "--time",
            "seconds ([0-9.e+-]+)",
            "--variant",
            "get=--variant blocking-untraced",
            "--variant",
            "future=--variant future-traced",
            SOLVER,
            "--nx",
            "64",
            "--ny",
            "{64*ranks}",
            "--steps",
            "20",
        )
        self.assertIn("get, weak scaling", said)
        runs = [json.loads(line) for line in self.read("out", "runs.jsonl").splitlines()]
        self.assertEqual(len(runs), 4)
        for run in runs:
            self.assertEqual(run["failed"], "")
            self.assertEqual(run["workers"], run["ranks"])  # one each
            self.assertGreater(run["own_seconds"], 0)
            self.assertGreater(run["digest_seconds"], 0)
            for part in ("load_balance", "communication", "parallelism", "scheduling"):
                self.assertTrue(0 < run[part] <= 1, run)
        self.assertGreater(max(r["messages"] for r in runs if r["ranks"] == 2), 0)
        self.assertIn("right", self.read("out", "runs", "0-get-on-2-0.log"))
        self.assertIn("task::average", self.read("out", "extrap.jsonl"))
        page = self.read("out", "report.md")
        self.assertIn("## What limits it", page)
        self.assertIn("--ny 128 --steps 20", self.read("out", "runs", "0-get-on-2-0.json"))


unittest.main()
