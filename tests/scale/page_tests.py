"""docs/scaling_study.md: each command in it is one, and each option has a word there."""

import re
import shlex
import unittest

from support import TOOL
from rondo_scale import options
from rondo_scale.expressions import expand

PAGE = (TOOL.parents[2] / "docs" / "scaling_study.md").read_text(encoding="utf-8")
VALUES = {"ranks": 8, "nodes": 2, "ranks_per_node": 4, "workers": 1}


def commands():
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            yield (
                words[2:]
                if words[:2] == ["./rondo", "scale"]
                else words[1:] if words[:1] == ["rondo-scale"] else words
            )


class Page(unittest.TestCase):
    def test_commands_are_understood(self):
        count = 0
        for words in commands():
            if words[:1] == ["collect"]:
                continue
            count += 1
            with self.subTest(words):
                o = options.parser().parse_args(words)
                self.assertFalse(o.command and o.command[0].startswith("-"), o.command)
                for text in o.command + o.variant + [o.launcher or ""]:
                    expand(text, VALUES)
                if o.variant:
                    self.assertEqual(len(options.variants_of(o.variant)), len(o.variant))
        self.assertGreater(count, 5)

    def test_options_are_those_of_the_tool(self):
        known = {name for action in all_actions() for name in action.option_strings if name.startswith("--")}
        for name in known - {"--help"}:
            self.assertRegex(PAGE, rf"{name}\b")
        for row in re.findall(r"^\| `(--[a-z-]+)", PAGE, re.MULTILINE):
            self.assertIn(row, known)


def all_actions():
    return options.parser()._actions


unittest.main()
