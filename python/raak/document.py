"""What a run tells of itself: the parts of its document, its events, and the singular configurations that it passed."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional


class Event(NamedTuple):
    """When an event of the model happened, with the outputs then.

    >>> import raak
    >>> m = raak.Mechanism(gravity=(0, -9.81)).body("ball", type="point", mass=1).output("height", "ball.y")
    >>> event = m.event("floor", when="ball.y + 1", action="stop").run(until=1).events[0]
    >>> event.name, round(event.t, 6), round(event.outputs["height"], 6)
    ('floor', 0.451524, -1.0)
    """

    name: str
    t: float
    outputs: "dict[str, float]"


class Singularity(NamedTuple):
    """A singular configuration that was passed, and the joints that share it."""

    t: float
    joints: "list[str]"


class Document(dict):  # type: ignore[type-arg]
    """A part of the document of a run, ``raak run --json``: its keys are attributes too.

    >>> import raak
    >>> r = raak.problem("andrews").run()
    >>> r.quality.scd == r.quality["scd"]
    True
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f'there is no "{name}" here; there are: {", ".join(self)}') from None

    def __dir__(self) -> "list[str]":
        return [*super().__dir__(), *self]


class Quality(Document):
    """How well a run keeps its constraints and energy, and its correct digits; None where there is nothing to compare with."""

    position_residual: "Optional[float]"
    velocity_residual: "Optional[float]"
    energy_drift: "Optional[float]"
    scd: "Optional[float]"
    mescd: "Optional[float]"
