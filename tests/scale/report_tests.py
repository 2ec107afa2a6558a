"""What the page says of runs that get worse in one way."""

import unittest

from support import GOOD, InFolder, digest, made_up_study
from rondo_scale import cautions, digests, limits, report, summary

# Rank counts and the efficiency that falls on them.
FALLING = {1: 1.0, 2: 0.9, 4: 0.6}
WORDS = {
    "load_balance": (
        "Load balance falls most, from 1.00 to 0.60",
        "different amounts of work",
        "Give each rank as much work",
    ),
    "communication": (
        "Communication falls most, from 1.00 to 0.60",
        "wait for messages",
        "no get() stand in the loop",
    ),
    "parallelism": ("Parallelism falls most, from 1.00 to 0.60", "nothing to do", "more colors than workers"),
    "scheduling": ("Scheduling falls most, from 1.00 to 0.60", "gaps between them", "Put more work into a task"),
}


class Pages(InFolder):
    def page(self, plan, digest_of):
        found = self.outcome_of(plan, digest_of)
        return found, report.page(found, self.folder, True)

    def test_the_efficiency_that_falls_is_named_with_what_to_do(self):
        for part, words in WORDS.items():
            with self.subTest(part):
                # The time grows as the efficiency falls, and the work of a rank stays.
                found, page = self.page(
                    made_up_study(),
                    lambda run: digest(
                        run.ranks,
                        seconds=1 / FALLING[run.ranks],
                        working=1.0 * run.ranks,
                        **{part: FALLING[run.ranks]},
                    ),
                )
                for w in words:
                    self.assertIn(w, page)
                self.assertIn("It is below 0.8 on 4 ranks.", page)
                self.assertIn("0.60 !", page)
                self.assertIn("Next: more colors.", page)  # of the digest
                self.assertIn(words[0], " ".join(summary.of(found).split()))
                for other in set(WORDS) - {part}:
                    self.assertNotIn(WORDS[other][0], page)

    def test_tasks_that_take_longer_are_computation(self):
        _, page = self.page(
            made_up_study(),
            lambda run: digest(run.ranks, seconds=1 / FALLING[run.ranks], working=run.ranks / FALLING[run.ranks]),
        )
        self.assertIn("Computation falls most, from 1.00 to 0.60: the same work takes more time in tasks.", page)
        self.assertIn("Look at what ranks share", page)

    def test_the_worst_of_two_comes_first(self):
        _, page = self.page(
            made_up_study(),
            lambda run: digest(
                run.ranks,
                working=run.ranks,
                communication=FALLING[run.ranks] ** 0.5,
                load_balance=FALLING[run.ranks],
            ),
        )
        self.assertIn("Load balance falls most", page)
        self.assertIn("Communication falls as well", page)
        self.assertIn("Load balance falls most, to 0.60, then communication, to 0.77.", page)

    def test_nothing_that_falls_is_said_as_well(self):
        _, page = self.page(made_up_study(), lambda run: digest(run.ranks, working=run.ranks))
        self.assertIn("No efficiency falls up to 4 ranks.", page)
        self.assertNotIn("falls most", page)

    def test_what_was_bad_from_the_beginning_is_told(self):
        found, page = self.page(made_up_study(), lambda run: digest(run.ranks, working=run.ranks, parallelism=0.5))
        self.assertIn("Low from the beginning, on 1 rank: parallelism 0.50.", page)
        self.assertIn("more colors than workers", limits.of(found.curves[0]).advice)

    def test_ranks_that_share_cores_are_no_nodes(self):
        plan = made_up_study()
        plan.machine["cores"] = 2
        found, page = self.page(
            plan,
            lambda run: digest(
                run.ranks, seconds=1 / FALLING[run.ranks], working=run.ranks, communication=FALLING[run.ranks]
            ),
        )
        self.assertIn("Ranks shared cores: 4 ranks on 2 cores.", page)
        self.assertIn("a message also waits until its sender gets a core", page)
        plan.machine["cores"] = 4
        self.assertNotIn("shared cores", self.page(plan, lambda run: digest(run.ranks))[1])

    def test_too_few_points_and_noise_make_no_model(self):
        found, page = self.page(made_up_study(), lambda run: digest(run.ranks))
        self.assertIn("it needs 5 numbers of ranks, and there are 3", page)
        self.assertNotIn("How it grows", page)
        many = made_up_study(ranks=[1, 2, 4, 8, 16])
        _, page = self.page(
            many, lambda run: digest(run.ranks, seconds=1 + [0, 1, 2][run.number] + 0.01 * run.ranks)
        )
        self.assertIn("the noise (2 s) hides the differences between numbers of ranks (0.15 s)", page)
        self.assertIn("no more than the noise", page)

    def test_one_noisy_point_does_not_hide_growth(self):
        many = made_up_study(ranks=[1, 2, 4, 8, 16])
        late = {1: 0, 16: 9}
        _, page = self.page(
            many, lambda run: digest(run.ranks, seconds=1 + 0.1 * run.ranks + late.get(run.ranks, 3) * run.number)
        )
        self.assertNotIn("hides the differences", page)

    def test_growth_is_told_with_its_error(self):
        many = made_up_study(ranks=[1, 2, 4, 8, 16])
        found, page = self.page(many, lambda run: digest(run.ranks, seconds=1 + 0.5 * run.ranks))
        self.assertIn("`1 + 0.5 * p` | 0.0 % | 33.0 s |", page)  # on 64
        self.assertIn("seconds = 1 + 0.5 * p   (error 0.0 %)", summary.of(found))

    def test_variants_are_compared_if_they_differ_by_more_than_noise(self):
        plan = made_up_study(variants={"get": [], "future": []})
        slower = {"get": 2.0, "future": 1.0}
        _, page = self.page(plan, lambda run: digest(run.ranks, seconds=slower[run.variant]))
        self.assertIn("On 4 ranks *future* is the fastest; *get* takes 2.00 times as long.", page)
        _, page = self.page(
            plan, lambda run: digest(run.ranks, seconds=1 + 0.1 * run.number + 0.05 * slower[run.variant])
        )
        self.assertIn("On 4 ranks the variants differ by no more than the noise.", page)

    def test_that_cores_are_shared_hides_no_other_verdict(self):
        shared = {"name": "cores shared", "lost": 0.9, "why": "4 workers share 2 cores.", "next": "fewer"}
        many = digest(4)
        many["verdicts"].insert(0, shared)
        d = digests.of(many)
        self.assertEqual(limits.words_of(d, True), "waiting for messages: workers have waited. Next: more colors.")
        self.assertEqual(limits.words_of(d, False), "cores shared: 4 workers share 2 cores. Next: fewer.")
        d.verdicts.pop()
        self.assertIn("cores shared", limits.words_of(d, True))

    def test_a_build_without_optimization_is_told(self):
        bad = {"name": "unoptimized build", "lost": 1, "why": "w", "next": "n"}
        found, _ = self.page(made_up_study(), lambda run: digest(run.ranks, verdict=bad))
        self.assertIn("CMAKE_BUILD_TYPE=Release", " ".join(cautions.of(found)))

    def test_efficiencies_are_those_of_the_digest(self):
        self.assertEqual({p.replace(" ", "_") for p in limits.MEANING} - {"computation"}, set(GOOD))
        self.assertEqual(set(limits.MEANING), set(limits.ADVICE))


unittest.main()
