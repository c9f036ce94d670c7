"""The time left in a phase."""

from diplomaccloud.daide.language.tokens import MAX_NUMBER


class Clock:
    """A deadline that can be stopped; times are seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._deadline: float | None = None
        self._left: float | None = None
        self._announced: float = 0.0

    def start(self, seconds: float | None, now: float) -> None:
        """Start the clock for a phase with a limit in seconds, or without one."""
        self._deadline = None if seconds is None else now + seconds
        self._left = None
        self._announced = float(seconds or 0)

    def stop(self, now: float) -> bool:
        """Stop the clock; return whether it was running."""
        if self._deadline is None:
            return False
        self._left = max(0.0, self._deadline - now)
        self._deadline = None
        return True

    def resume(self, now: float) -> bool:
        """Restart the clock; return whether it had been stopped."""
        if self._left is None:
            return False
        self._deadline, self._left = now + self._left, None
        return True

    @property
    def is_stopped(self) -> bool:
        """Whether the clock has been stopped."""
        return self._left is not None

    @property
    def deadline(self) -> float | None:
        """The end of the phase, or None if the clock is not running."""
        return self._deadline

    def time_left(self, now: float) -> int | None:
        """Return the whole seconds left, up to DAIDE's maximum, or None without a deadline."""
        left = self._left if self._deadline is None else self._deadline - now
        return None if left is None else min(MAX_NUMBER, max(0, round(left)))

    def pass_marks(self, marks: set[int], now: float) -> list[int]:
        """Return the `marks`, in seconds before the deadline, passed since the last call."""
        if self._deadline is None:
            return []
        left = self._deadline - now
        passed = sorted((mark for mark in marks if left <= mark < self._announced), reverse=True)
        self._announced = min(self._announced, left)
        return passed

    def next_mark(self, marks: set[int]) -> float | None:
        """Return the time of the next of `marks`, or of the deadline."""
        if self._deadline is None:
            return None
        coming = [mark for mark in marks if mark < self._announced]
        return self._deadline - max(coming, default=0)
