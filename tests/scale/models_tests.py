"""The model of growth, on curves whose form is known; and medians."""

import unittest
from fractions import Fraction

import support  # noqa: F401, first: it finds the modules
from rondo_scale import medians, models

RANKS = [1, 2, 4, 8, 16, 32]


def noise(k):
    """Up to 1 part in a thousand, always the same."""
    return 1 + 1e-3 * (((k + 1) * 7919 % 13) / 6 - 1)


class Models(unittest.TestCase):
    def test_each_default_term_is_found_again(self):
        for i, j in models.GROWING:
            with self.subTest(i=str(i), j=j):
                m = models.fit(RANKS, [2 + 0.25 * models.term(i, j, p) for p in RANKS])
                self.assertEqual((m.i, m.j), (i, j))
                self.assertAlmostEqual(m.c0, 2, 6)
                self.assertAlmostEqual(m.c, 0.25, 6)
                self.assertLess(m.error, 1e-6)

    def test_the_terms_are_those_of_extra_p(self):
        self.assertEqual(len(models.GROWING), 42)
        self.assertIn((Fraction(5, 2), 2), models.GROWING)
        self.assertNotIn((Fraction(4, 5), 1), models.GROWING)

    def test_strong_scaling_falls(self):
        times = [0.1 + 8 / p for p in RANKS]
        m = models.fit(RANKS, times, may_fall=True)
        self.assertEqual((m.i, m.j), (Fraction(-1), 0))
        self.assertAlmostEqual(m(64), 0.1 + 8 / 64, 6)

    def test_what_does_not_grow_is_constant(self):
        m = models.fit(RANKS, [3.0] * 6)
        self.assertTrue(m.is_constant)
        self.assertEqual(m(1024), 3)

    def test_little_noise_does_not_hide_the_form(self):
        m = models.fit(RANKS, [(1 + 0.5 * p) * noise(k) for k, p in enumerate(RANKS)])
        self.assertAlmostEqual(m(64), 33, delta=1.5)
        self.assertLess(m.error, 1)

    def test_a_curve_of_another_form_is_called_poor(self):
        m = models.fit(RANKS, [1, 5, 1, 5, 1, 5])
        self.assertTrue(m.is_poor)

    def test_the_error_is_the_smape(self):
        self.assertEqual(models.smape(1, 3), 100)  # 2 of the mean, which is 2
        self.assertEqual(models.smape(0, 0), 0)
        # Of 1, 1, 1, 1, 2, each against the mean of the others.
        others = 4 * models.smape(1.25, 1) + models.smape(1, 2)
        self.assertAlmostEqual(models.constant([1, 1, 1, 1, 2]).error, others / 5)

    def test_four_points_are_too_few(self):
        self.assertIsNone(models.fit(RANKS[:4], [1, 2, 4, 8]))

    def test_it_is_written_as_mathematics(self):
        self.assertEqual(str(models.Model(1.5, -0.25, Fraction(3, 2), 1)), "1.5 - 0.25 * p^(3/2) * log2(p)")
        self.assertEqual(str(models.Model(1.5, 0.25, Fraction(0), 2)), "1.5 + 0.25 * log2(p)^2")


class Medians(unittest.TestCase):
    def test_the_interval_is_that_of_order_statistics(self):
        m = medians.median([5, 1, 4, 2, 3])
        self.assertEqual((m.value, m.low, m.high), (3, 1, 5))
        self.assertAlmostEqual(m.sure, 0.9375)  # 1 - 2 / 2^5
        m = medians.median(range(1, 11))  # known from tables: the 2nd and the 9th of 10, 97.9 %
        self.assertEqual((m.value, m.low, m.high), (5.5, 2, 9))
        self.assertAlmostEqual(m.sure, 0.978515625)

    def test_one_value_is_not_sure(self):
        m = medians.median([7])
        self.assertEqual((m.value, m.low, m.high, m.sure), (7, 7, 7, 0))


unittest.main()
