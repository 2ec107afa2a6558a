"""How a time grows with the number of ranks: c0 + c * p^i * log2(p)^j.

As Extra-P does it: each pair (i, j) of its default terms is tried, the two factors by least squares; the one that
predicts best what it was not shown is taken. That is told by leaving out one point after the other: the
mean of |predicted - measured| / ((|predicted| + |measured|) / 2), the SMAPE, in percent.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

FEWEST = 5  # points; as Extra-P asks for
POOR = 10  # percent of error: the curve is of another form

GROWING = [
    (Fraction(a, b), j)
    for a, b, js in (
        (0, 1, (1, 2)),
        (1, 4, (0, 1, 2)),
        (1, 3, (0, 1, 2)),
        (1, 2, (0, 1, 2)),
        (2, 3, (0, 1, 2)),
        (3, 4, (0, 1, 2)),
        (4, 5, (0,)),
        (1, 1, (0, 1, 2)),
        (5, 4, (0, 1)),
        (4, 3, (0, 1)),
        (3, 2, (0, 1, 2)),
        (5, 3, (0,)),
        (7, 4, (0,)),
        (2, 1, (0, 1, 2)),
        (9, 4, (0,)),
        (7, 3, (0,)),
        (5, 2, (0, 1, 2)),
        (8, 3, (0,)),
        (11, 4, (0,)),
        (3, 1, (0, 1)),
    )
    for j in js
]
# Strong scaling: the time falls. Extra-P's negative exponents, but for those with logarithms below the line, which
# have no value on one rank.
FALLING = [(-i, 0) for i, j in GROWING if j == 0]


@dataclass
class Model:
    c0: float
    c: float = 0.0
    i: Fraction = Fraction(0)
    j: int = 0
    error: float = 0.0  # SMAPE of points that were left out, percent

    @property
    def is_constant(self):
        return self.c == 0

    def __call__(self, p):
        return self.c0 + self.c * term(self.i, self.j, p)

    @property
    def is_poor(self):
        return self.error > POOR

    def growth(self):
        """p^i log2(p)^j in words of mathematics."""
        factors = []
        if self.i:
            factors.append("p" if self.i == 1 else f"p^{self.i}" if self.i.denominator == 1 else f"p^({self.i})")
        if self.j:
            factors.append("log2(p)" if self.j == 1 else f"log2(p)^{self.j}")
        return " * ".join(factors)

    def __str__(self):
        if self.is_constant:
            return f"{self.c0:.4g}"
        return f"{self.c0:.4g} {'-' if self.c < 0 else '+'} {abs(self.c):.4g} * {self.growth()}"


def term(i, j, p):
    return p ** float(i) * (math.log2(p) ** j if j else 1.0)


def line(x, y):
    """(c0, c) of the least squares of c0 + c x; None if all x are the same."""
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    spread = sum((a - mean_x) ** 2 for a in x)
    if spread <= 1e-18 * max(1.0, mean_x**2):
        return None
    c = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / spread
    return mean_y - c * mean_x, c


def smape(predicted, measured):
    size = abs(predicted) + abs(measured)
    return 200 * abs(predicted - measured) / size if size else 0.0


def without(values, k):
    return values[:k] + values[k + 1 :]


def left_out_error(x, y):
    """Of lines through all but one; None if there is none."""
    errors = []
    for k in range(len(x)):
        fit = line(without(x, k), without(y, k))
        if fit is None:
            return None
        errors.append(smape(fit[0] + fit[1] * x[k], y[k]))
    return sum(errors) / len(errors)


def constant(y):
    errors = [smape(sum(without(y, k)) / (len(y) - 1), y[k]) for k in range(len(y))]
    return Model(sum(y) / len(y), error=sum(errors) / len(errors))


def fit(ranks, times, may_fall=False):
    """The model, or None of too few points."""
    if len(ranks) < FEWEST:
        return None
    best = constant(times)
    for i, j in GROWING + (FALLING if may_fall else []):
        x = [term(i, j, p) for p in ranks]
        error = left_out_error(x, times)
        if error is not None and error < best.error * (1 - 1e-9):
            c0, c = line(x, times)
            best = Model(c0, c, i, j, error)
    return best
