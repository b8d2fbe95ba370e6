"""Values one by one → what may be said of their mean at any moment: an interval that holds whenever one stops, and a test that stops by itself.

An ordinary 95 % interval holds for a number of values that was fixed beforehand. Who looks after every value and stops when
it leaves out 0 is wrong far more often than in 5 of 100 runs. The interval here holds for all moments together, and the test has
both of its error rates fixed while its length is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Literal

# before so many values their spread is known too badly to say anything
FEWEST = 16
# values that an interval is made tightest for
_USUAL = 200


@dataclass(slots=True)
class Moments:
    """The mean and the spread of values, kept without the values (Welford)."""

    n: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.n += 1
        step = value - self.mean
        self.mean += step / self.n
        self.squares += step * (value - self.mean)

    @property
    def variance(self) -> float:
        """Of the values, as a larger number of the like would have it."""
        return self.squares / (self.n - 1) if self.n > 1 else 0.0


def anytime_interval(
    values: Moments, error: float = 0.05, usual: int = _USUAL, reach: float = 0.0
) -> tuple[float, float]:
    """Bounds for the mean of what is behind the values; they hold at all moments at once but for this share of the runs.

    It is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas: a mixture over normal alternatives,
    tightest after about `usual` values and at most a quarter wider within a factor of ten around that. It asks for independent values, such as the
    differences of pairs or the means of blocks, and holds better the less they are skewed. Where it is known how far from 0 a value can
    be, `reach` says so: two such values, one on each side, then count in the spread, and rare ones do no harm before they were seen.
    """
    if values.n < FEWEST:
        return -inf, inf
    variance = values.variance + 2 * reach * reach / values.n
    wide = -2 * log(error)
    rho = (wide + log(wide + 1)) / usual
    n = values.n
    grown = n * rho + 1
    half = sqrt(variance * 2 * grown / (n * n * rho) * log(sqrt(grown) / error))
    return values.mean - half, values.mean + half


Verdict = Literal["open", "more", "not more"]


@dataclass(slots=True)
class SequentialTest:
    """Is the mean of values nothing, or as much as `margin`? It ends with "more" or "not more", each wrong in at most `error` of the runs.

    A generalised sequential probability ratio test (GSPRT): the likelihoods of both hypotheses with the spread that fits each best,
    on values that lie between -1 and 1. Where the mean lies beyond the two, errors are rarer still; between them the test says either.
    """

    margin: float = 0.1
    error: float = 0.05
    n: int = 0
    # sums of the squared distances to nothing and to the margin
    to_none: float = 0.0
    to_margin: float = 0.0
    verdict: Verdict = "open"

    def __post_init__(self) -> None:
        if not 0 < self.margin <= 1:
            raise ValueError(f"the margin must be above 0 and at most 1, not {self.margin}")
        if not 0.0001 <= self.error <= 0.4:
            raise ValueError(f"the error rate must be from 0.0001 to 0.4, not {self.error}")

    @property
    def bound(self) -> float:
        """The ratio's logarithm at which the test ends, on either side (Wald)."""
        return log((1 - self.error) / self.error)

    @property
    def ratio(self) -> float:
        """The logarithm of the likelihoods' ratio: above 0 speaks for the margin."""
        if self.n == 0:
            return 0.0
        # as if a value at each end had been seen as well, in a small part, so that the first few that are alike say little
        none = self.to_none + _BESIDE * 2
        margin = self.to_margin + _BESIDE * ((1 - self.margin) ** 2 + (1 + self.margin) ** 2)
        return self.n / 2 * log(none / margin)

    def add(self, value: float) -> Verdict:
        """Hear one value; what is said once stays said."""
        self.n += 1
        self.to_none += value * value
        self.to_margin += (value - self.margin) ** 2
        if self.verdict == "open" and self.n >= FEWEST:
            if self.ratio >= self.bound:
                self.verdict = "more"
            elif self.ratio <= -self.bound:
                self.verdict = "not more"
        return self.verdict


# how much of a value at each end is added
_BESIDE = 0.5
