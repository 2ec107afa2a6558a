"""Placeholders in arguments."""

import unittest

import support  # noqa: F401, first: it finds the modules
from rondo_scale.complaint import Complaint
from rondo_scale.expressions import expand, has_placeholder

VALUES = {"ranks": 8, "nodes": 2}


class Expressions(unittest.TestCase):
    def test_arithmetic_takes_the_place_of_the_braces(self):
        for text, expected in {
            "{ranks}": "8",
            "{256*ranks}": "2048",
            "--ny={2**10 // nodes}": "--ny=512",
            "{ranks}x{nodes}": "8x2",
            "{round(1000*sqrt(ranks))}": "2828",
            "{ranks/nodes}": "4",
            "{1/ranks}": "0.125",
            "{-ranks % 3}": "1",
            "{min(ranks, 4)+ceil(0.5)}": "5",
            "plain": "plain",
            "{{ranks}}": "{ranks}",
            "{cbrt(ranks)}": "2",
            "{10**12*ranks}": "8000000000000",
        }.items():
            with self.subTest(text):
                self.assertEqual(expand(text, VALUES), expected)

    def test_what_is_no_arithmetic_is_refused_with_a_sentence(self):
        for text, words in {
            "{rank}": "Did you mean ranks",
            "{__import__('os')}": "it may have numbers",
            "{ranks.real}": "it may have numbers",
            "{'a'*9}": "it may have numbers",
            "{(lambda: 1)()}": "it may have numbers",
            "{9**9**9}": "too large",
            "{1/0}": "division by zero",
            "{ranks +}": "no arithmetic",
            "{}": "nothing in it",
            "{ranks": "without its other one",
            '{"a": 1}': "no arithmetic",
            "{sqrt(-1)}": "math domain error",
            "{True}": "it may have numbers",
        }.items():
            with self.subTest(text):
                with self.assertRaises(Complaint) as caught:
                    expand(text, VALUES)
                self.assertIn(words, str(caught.exception))

    def test_doubled_braces_make_no_study_a_weak_one(self):
        self.assertTrue(has_placeholder("--ny={64*ranks}"))
        self.assertFalse(has_placeholder('--json={{"a": 1}}'))
        self.assertFalse(has_placeholder("--ny=64"))


unittest.main()
