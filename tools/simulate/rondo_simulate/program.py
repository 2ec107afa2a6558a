"""The program that is predicted: a study of rondo-scale whose arguments may have {passes} in them as well."""

import ast
import dataclasses
import os
from dataclasses import dataclass

from rondo_scale import launchers
from rondo_scale.expressions import PLACEHOLDER
from rondo_scale.study import Run, Study


def names_in(text):
    """Of all its placeholders. What is no arithmetic is told when the text is expanded."""
    found = set()
    for match in PLACEHOLDER.finditer(text):
        try:
            tree = ast.parse((match.group(1) or "").strip(), mode="eval")
        except SyntaxError:
            continue
        found.update(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    return found


@dataclass
class Program(Study):
    passes: int = 100  # of the loop, in measured runs
    planned_passes: int = 24  # of the loop in a plan, which is lengthened then

    @property
    def name(self):
        return os.path.basename(self.program)

    def values(self, ranks):
        return {**super().values(ranks), "passes": self.passes}

    def uses(self, *names):
        return any(names_in(argument) & set(names) for argument in self.arguments)

    def planned(self):
        """The same one with fewer passes."""
        return dataclasses.replace(self, passes=min(self.passes, self.planned_passes))

    def planned_command(self, ranks):
        return self.planned().command(self.run(ranks))

    def run(self, ranks, number=0):
        return Run(next(iter(self.variants)), ranks, number)

    def launcher_words(self, ranks, environment):
        """On this machine all ranks are on one node, however many there will be on each of those predicted."""
        here = dataclasses.replace(self, ranks_per_node=0) if launchers.is_local(self.launcher) else self
        return launchers.words_of(here, ranks, environment)
