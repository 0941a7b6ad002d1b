"""A run step by step, with dense output inside each step."""

from __future__ import annotations

from collections.abc import Iterator

from . import _native
from .arguments import Number, number
from .columns import Moment
from .errors import SolveError


class Stepper:
    """Goes on by one accepted step each time ``step()`` is called, or in a ``for`` loop.

    >>> import raak
    >>> stepper = raak.problem("pendulum").stepper(until=1, rtol=1e-10)
    >>> stepper.step(), stepper.before, stepper.t > 0
    (True, 0.0, True)
    >>> middle = stepper.at(stepper.t / 2)
    >>> stepper["phi"] < middle["phi"]
    True
    """

    def __init__(self, native: _native.Stepper) -> None:
        self._stepper = native

    def step(self) -> bool:
        """Takes the next step; False: the end is reached, and there is none.

        >>> import raak
        >>> stepper, steps = raak.problem("pendulum").stepper(until=0.5), 0
        >>> while stepper.step():
        ...     steps += 1
        >>> stepper.t, steps > 1
        (0.5, True)
        """
        try:
            return self._stepper.step()
        except SolveError as error:
            error.last = self.now
            raise

    def __iter__(self) -> "Iterator[Stepper]":
        while self.step():
            yield self

    @property
    def t(self) -> float:
        """Where the last step ended, s."""
        return self._stepper.t()

    @property
    def before(self) -> float:
        """Where it began, s."""
        return self._stepper.before()

    @property
    def now(self) -> Moment:
        """All columns at ``t``."""
        return Moment(self._stepper.now())

    def __getitem__(self, name: str) -> float:
        return self.now[name]

    def at(self, t: Number) -> Moment:
        """Inside the last step; energies that depend on work done are known at its end only.

        >>> import raak
        >>> stepper = raak.problem("pendulum").stepper(until=1)
        >>> stepper.step()
        True
        >>> stepper.at(stepper.t)["phi"] == stepper["phi"]
        True
        """
        return Moment(self._stepper.at(number("at", t)))

    @property
    def statistics(self) -> _native.Statistics:
        return self._stepper.statistics()

    def __repr__(self) -> str:
        return f"<raak.Stepper at t = {self.t:.9g} s>"
