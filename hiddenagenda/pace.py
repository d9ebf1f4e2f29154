"""How much of something may come at once, and how much of it in the long run.

SPEC "Limits". A bucket that fills at a steady rate, and from which each thing takes one; times come in as values.
"""


class Bucket:
    """Holds ``size`` things at the most and gets ``rate`` of them a second; it is full at the time ``now``."""

    __slots__ = ("_filled", "_left", "_rate", "_size")

    def __init__(self, size: float, rate: float, now: float) -> None:
        self._size = size
        self._rate = rate
        self._left = size
        self._filled = now

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Take ``amount`` and return True; where there is less, take nothing and return False."""
        self._fill(now)
        if self._left < amount:
            return False
        self._left -= amount
        return True

    def debt(self, now: float, amount: float = 1.0) -> float:
        """Take ``amount`` whatever is there, and return the seconds until the bucket is not overdrawn any more."""
        self._fill(now)
        self._left -= amount
        return max(0.0, -self._left / self._rate)

    def _fill(self, now: float) -> None:
        self._left = min(self._size, self._left + max(0.0, now - self._filled) * self._rate)
        self._filled = now
