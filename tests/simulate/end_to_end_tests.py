"""end_to_end_tests.py SOLVER MPIRUN ENGINE: a small prediction of the solver, and what real runs say to it."""

import csv
import json
import subprocess
import sys
import os
import unittest

SOLVER, MPIRUN, ENGINE = sys.argv[1:4]
del sys.argv[1:]

import support  # noqa: E402

SIZE = ["--nx", "32", "--ny", "{32*ranks}", "--steps", "{passes}", "--early", "2", "--colors", "2"]


class Prediction(support.InFolder):
    def test_launches_messages_and_bytes_are_those_of_real_runs(self):
        said = self.tool(
            *["--no-pictures", "--output", "out", "--mpirun", MPIRUN, "--engine", ENGINE],
            *["--measure", "1,2,3", "--predict", "5,300", "--repetitions", "1", "--seeds", "2", "--passes", "40"],
            *[SOLVER, *SIZE, "--rest", "200", "--variant", "future-traced"],
        )
        self.assertIn("blocking-untraced", said)
        page = self.read("out", "prediction.md")
        for what in ("launches", "messages", "bytes"):
            line = next(line for line in page.splitlines() if line.startswith(f"| {what} |"))
            self.assertIn("equal", line)
        rows = list(csv.DictReader(self.read("out", "prediction.csv").splitlines()))
        self.assertTrue(any(row["ranks"] == "300" for row in rows))
        json.loads(self.read("out", "prediction.json"))

    def test_a_plan_that_is_made_longer_is_the_longer_plan(self):
        counts = []
        for steps, passes in ((24, ["--passes", "60"]), (60, [])):
            plan = os.path.join(self.folder, f"plan-{steps}")
            arguments = [a.format(ranks=6, passes=steps) if "*" not in a else str(32 * 6) for a in SIZE]
            environment = dict(os.environ, RONDO_PLAN=f"ranks=6,to={plan}")
            environment.pop("RONDO_OBSERVE", None)
            subprocess.run([SOLVER, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)
            words = [ENGINE, "count", *(["--repetitions-of", "60", "24"] if passes else []), plan]
            counts.append(json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout))
        for what in ("ranks", "launches", "messages", "bytes"):
            self.assertEqual(counts[0][what], counts[1][what], what)


unittest.main()
