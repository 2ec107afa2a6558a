"""What is read from digests, and what becomes of runs."""

import json

from support import InFolder, digest, keep, made_up_study
from rondo_scale import digests, outcome
from rondo_scale.study import Run


class Digests(InFolder):
    def test_what_scaling_needs_is_read(self):
        d = digests.of(digest(4, seconds=2.0, working=6.0, communication=0.5))
        self.assertEqual((d.ranks, d.seconds, d.working, d.parallel), (4, 2.0, 6.0, 0.5))
        self.assertEqual(d.efficiencies["communication"], 0.5)
        self.assertEqual(d.verdicts, [("waiting for messages", "workers have waited.", "more colors")])
        self.assertEqual(d.tasks, {"step": 6.0})

    def test_others_are_refused(self):
        path = self.folder + "/d.json"
        for text, words in (
            ("{", "can't be read"),
            ('{"format": "rondo digest 2"}', "of this version"),
            ("[]", "can't be read"),
            ('{"format": "rondo digest 1"}', "can't be read"),
        ):
            with self.subTest(text), open(path, "w", encoding="utf-8") as f:
                f.write(text)
                f.flush()
                with self.assertRaisesRegex(digests.NoDigest, words):
                    digests.read(path)
        with self.assertRaisesRegex(digests.NoDigest, "there is none"):
            digests.read(self.folder + "/nothing.json")


class Outcomes(InFolder):
    def test_weak_scaling_is_ideal_if_the_time_stays(self):
        found = self.outcome_of(
            made_up_study(), lambda run: digest(run.ranks, seconds=1.0 + run.ranks, working=2.0 * run.ranks)
        )
        self.assertEqual(found.time_from, "digest")
        points = found.curves[0].points
        self.assertEqual([p.time.value for p in points], [2, 3, 5])
        self.assertEqual([p.efficiency for p in points], [1, 2 / 3, 2 / 5])
        self.assertEqual([p.parts["computation"] for p in points], [1, 1, 1])

    def test_strong_scaling_is_ideal_if_the_time_falls(self):
        found = self.outcome_of(
            made_up_study(kind="strong"),
            lambda run: digest(run.ranks, seconds=8 / run.ranks, working=8 * run.ranks),
        )
        self.assertEqual([p.efficiency for p in found.curves[0].points], [1, 1, 1])
        # The tasks take as much time on each rank as on one.
        self.assertEqual([p.parts["computation"] for p in found.curves[0].points], [1, 1 / 2, 1 / 4])

    def test_the_median_of_repetitions_counts(self):
        found = self.outcome_of(
            made_up_study(), lambda run: digest(run.ranks, seconds=[1.0, 9.0, 2.0][run.number])
        )
        m = found.curves[0].points[0].time
        self.assertEqual((m.value, m.low, m.high, m.count), (2, 1, 9, 3))

    def test_runs_that_failed_or_are_missing_do_not_count(self):
        plan = made_up_study()
        plan.save(self.folder)
        for run in plan.runs():
            if run.ranks == 1:
                keep(plan, self.folder, run, digest(1))
            if run.ranks == 2:
                keep(plan, self.folder, run, digest(2), failed="exit code 3")
        found = outcome.read(plan, self.folder)
        self.assertEqual([p.ranks for p in found.curves[0].points], [1])
        self.assertEqual(len(found.failed), 3)
        self.assertEqual({run.ranks for run in found.missing}, {4})

    def test_without_a_digest_of_one_the_whole_commands_are_compared(self):
        plan = made_up_study()
        plan.save(self.folder)
        for run in plan.runs():
            keep(plan, self.folder, run, digest(run.ranks) if run.ranks > 1 else None)
        found = outcome.read(plan, self.folder)
        self.assertEqual(found.time_from, "wall")
        self.assertEqual(found.curves[0].points[0].time.value, 2.0)

    def test_ranks_that_have_not_found_each_other_are_told(self):
        plan = made_up_study(ranks=[4], repetitions=1)
        plan.save(self.folder)
        keep(plan, self.folder, Run("heat", 4, 0), digest(1))
        self.assertIn("1 of 4 ranks were together", outcome.read(plan, self.folder).failed[0].failed)

    def test_runs_take_turns(self):
        plan = made_up_study(ranks=[1, 2], variants={"a": [], "b": []}, repetitions=2)
        runs = list(plan.runs())
        self.assertEqual(len(set(runs)), 8)
        # Each round has all there is, and begins with another one.
        self.assertEqual({(r.variant, r.ranks) for r in runs[:4]}, {(r.variant, r.ranks) for r in runs[4:]})
        self.assertNotEqual((runs[0].variant, runs[0].ranks), (runs[4].variant, runs[4].ranks))

    def test_a_study_is_read_as_it_was_written(self):
        from rondo_scale import study

        plan = made_up_study()
        plan.save(self.folder)
        self.assertEqual(study.read(self.folder), plan)
        with open(self.folder + "/study.json", encoding="utf-8") as f:
            self.assertEqual(json.load(f)["format"], "rondo scale 1")


if __name__ == "__main__":
    import unittest

    unittest.main()
