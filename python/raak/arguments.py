"""The arguments of a call, checked for what C++ would refuse without words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Union

from .errors import RequestError

Number = Union[float, int]
Numbers = Iterable[Number]  # lists and arrays


def asked(**arguments: object) -> "dict[str, object]":
    """The arguments of a run that were given, checked for what C++ would refuse without words."""
    given: "dict[str, object]" = {}
    for name, value in arguments.items():
        if value is None:
            continue
        if name in ("until", "rtol", "atol", "every", "step", "h0"):
            value = number(name, value)
        elif name == "at":
            value = times(value)
            if not value:
                raise RequestError("at expects at least one time, found none")
        elif name in ("trust", "guess"):
            if not isinstance(value, Mapping):
                raise TypeError(f"{name} expects numbers by name, as {{'x': 1.0}}, found {value!r}")
            for key in value:
                if not isinstance(key, str):
                    raise TypeError(f"{name} expects numbers by name, as {{'x': 1.0}}, found the name {key!r}")
            value = [(key, number(f"{name}[{key!r}]", item)) for key, item in value.items()]
        elif not isinstance(value, str):
            raise TypeError(f"{name} expects a text, found {value!r}")
        given[name] = value
    return given


def number(what: str, value: object) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{what} expects a number, found {value!r}")
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise TypeError(f"{what} expects a number, found {value!r}") from None


def is_many(value: object) -> bool:
    """A list or an array, and no number of numpy."""
    return hasattr(value, "__iter__") and getattr(value, "ndim", 1) > 0


def times(value: Any, name: str = "at") -> "list[float]":
    if not is_many(value) or isinstance(value, (str, bytes)):
        raise TypeError(f"{name} expects a list of numbers, found {value!r}")
    return [number(f"each number of {name}", each) for each in value]


def words(name: str, value: "Optional[str | Sequence[str]]") -> "list[str]":
    given = [] if value is None else value.split(",") if isinstance(value, str) else list(value)
    for word in given:
        if not isinstance(word, str):
            raise TypeError(f"{name} expects names, found {word!r}")
    return given


def whole(name: str, value: Any, least: int, most: int) -> int:
    if not hasattr(value, "__index__") or isinstance(value, bool):
        raise TypeError(f"{name} expects a whole number, found {value!r}")
    found = int(value)
    if not least <= found <= most:
        raise RequestError(f"{name} expects a whole number from {least} to {most}, found {found}")
    return found
