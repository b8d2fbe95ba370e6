"""Who asks how often → whether it is too often: buckets that fill with time, one for each address."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_MOST_ADDRESSES = 50_000


class Bucket:
    """So many at once, and so many a minute after that."""

    __slots__ = ("at", "left", "most", "rate")

    def __init__(self, most: int, per_minute: float, now: float) -> None:
        self.most, self.rate = most, per_minute / 60
        self.left, self.at = float(most), now

    def take(self, now: float) -> bool:
        self.left = min(self.most, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Rate:
    """A bucket for each address; those not seen for longest are forgotten first."""

    def __init__(
        self, rate: tuple[int, float], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate, self.clock = rate, clock
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def allows(self, address: str) -> bool:
        now = self.clock()
        bucket = self.buckets.get(address)
        if bucket is None:
            bucket = self.buckets[address] = Bucket(*self.rate, now)
            while len(self.buckets) > _MOST_ADDRESSES:
                self.buckets.popitem(last=False)
        else:
            self.buckets.move_to_end(address)
        return bucket.take(now)


class Connections:
    """How many are open, in all and from each address."""

    def __init__(self, most: int, per_address: int) -> None:
        self.most, self.per_address = most, per_address
        self.open: Counter[str] = Counter()
        self.total = 0

    @contextmanager
    def one_more(self, address: str) -> Iterator[bool]:
        """Counts a connection while it lasts; False when there are too many."""
        fits = self.total < self.most and self.open[address] < self.per_address
        if not fits:
            yield False
            return
        self.total += 1
        self.open[address] += 1
        try:
            yield True
        finally:
            self.total -= 1
            self.open[address] -= 1
            if not self.open[address]:
                del self.open[address]


def group(address: str) -> str:
    """An address as far as it tells visitors apart: of IPv6 the first half, which one visitor has as a whole."""
    if ":" not in address:
        return address
    import ipaddress

    try:
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    except ValueError:
        return address
