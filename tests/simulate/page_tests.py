"""docs/prediction.md: each command in it is one, and each option has a word there."""

import re
import shlex
import unittest

from support import TREE
from rondo_scale.expressions import expand
from rondo_simulate import networks, options, page

PAGE = (TREE / "docs" / "prediction.md").read_text(encoding="utf-8")
VALUES = {"ranks": 8, "nodes": 2, "ranks_per_node": 4, "workers": 1, "passes": 100}


def commands():
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["rondo-simulate"]:
                yield words[1:]


class Page(unittest.TestCase):
    def test_commands_are_understood(self):
        found = [words for words in commands() if words[:1] != ["draw"]]
        self.assertGreater(len(found), 3)
        for words in found:
            with self.subTest(words):
                o = options.parser().parse_args(words)
                self.assertFalse(o.command and o.command[0].startswith("-"), o.command)
                for text in o.command + [o.launcher or ""]:
                    expand(text, VALUES)

    def test_options_are_those_of_the_tool(self):
        actions = options.parser()._actions
        known = {name for action in actions for name in action.option_strings if name.startswith("--")}
        for name in known - {"--help"}:
            self.assertRegex(PAGE, rf"{name}\b")
        for row in re.findall(r"^\| `(--[a-z-]+)", PAGE, re.MULTILINE):
            self.assertIn(row, known)

    def test_networks_and_variants_are_named(self):
        for name in (*networks.shipped(), *options.VARIANTS):
            self.assertIn(f"`{name}`", PAGE)

    def test_what_is_not_modelled_is_the_same_as_on_the_page_of_results(self):
        for what in page.NOT_MODELLED:
            self.assertIn(what, PAGE)


unittest.main()
