"""Medians of repetitions, and how sure they are.

The interval goes from one of the sorted values to another one. Each value is above the true median with probability
1/2, so how sure an interval is follows from binomial coefficients, whatever the distribution of the noise. Too few
values for 95 % have their range, with how sure that is.
"""

import math
import statistics
from dataclasses import dataclass

WANTED = 0.95


@dataclass
class Median:
    value: float
    low: float
    high: float
    count: int
    sure: float  # probability that the interval holds the true median; 0 of one value

    @property
    def spread(self):
        return self.high - self.low


def surety(n, k):
    """That the k-th smallest and the k-th largest of n values have the median between them."""
    return 1 - 2 * sum(math.comb(n, i) for i in range(k)) / 2**n


def median(values):
    values = sorted(values)
    n = len(values)
    k = max((k for k in range(1, n // 2 + 1) if surety(n, k) >= WANTED), default=1)
    return Median(statistics.median(values), values[k - 1], values[n - k], n, surety(n, k) if n > 1 else 0.0)
