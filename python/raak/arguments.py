"""The arguments of a call, checked for what C++ would refuse without words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from .errors import RequestError

if TYPE_CHECKING:
    import numpy as np

    Number = Union[float, "np.floating[Any]", "np.integer[Any]"]
else:
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
            value = [(key, number(f"{name}[{key!r}]", item)) for key, item in mapping_of(name, value).items()]
        else:
            value = text(name, value)
        given[name] = value
    return given


def number(what: str, value: object) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{what} expects a number, found {value!r}")
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        raise RequestError(f"{what} expects a number, found one beyond 1.8e308") from None
    except (TypeError, ValueError):
        raise TypeError(f"{what} expects a number, found {value!r}") from None


def text(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} expects a text, found {value!r}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise RequestError(f"{what} expects a text, found {value!r}, where half a character of UTF-16 stands alone") from None
    return value


def path_of(path: "str | os.PathLike[str]") -> str:
    plain = os.fspath(path)
    return text("a path", plain) if isinstance(plain, str) else plain


def flag(what: str, value: object) -> bool:
    """True or False, also those of numpy."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool"):
        raise TypeError(f"{what} expects True or False, found {value!r}")
    return bool(value)


def mapping_of(what: str, value: Any, expected: str = "numbers by name, as {'x': 1.0}") -> "Mapping[str, Any]":
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} expects {expected}, found {value!r}")
    for key in value:
        if not isinstance(key, str):
            raise TypeError(f"{what} expects {expected}, found the name {key!r}")
        text(f"a name of {what}", key)
    return value


def is_many(value: object) -> bool:
    """A list or an array, and no number of numpy."""
    return hasattr(value, "__iter__") and getattr(value, "ndim", 1) > 0


def times(value: Any, name: str = "at") -> "list[float]":
    if not is_many(value) or isinstance(value, (str, bytes)):
        raise TypeError(f"{name} expects a list of numbers, found {value!r}")
    return [number(f"each number of {name}", each) for each in value]


def words(name: str, value: "Optional[str | Sequence[str]]") -> "list[str]":
    if value is None:
        return []
    return list_of_names(name, value.split(",") if isinstance(value, str) else value)


def list_of_names(what: str, value: Any, expected: str = "names") -> "list[str]":
    """A text is one name."""
    if isinstance(value, str):
        value = [value]
    if not is_many(value):
        raise TypeError(f"{what} expects {expected}, found {value!r}")
    given = list(value)
    for name in given:
        if not isinstance(name, str):
            raise TypeError(f"{what} expects {expected}, found {name!r}")
        text(f"a name of {what}", name)
    return given


def whole(name: str, value: Any, least: int, most: int) -> int:
    if not hasattr(value, "__index__") or isinstance(value, bool):
        raise TypeError(f"{name} expects a whole number, found {value!r}")
    found = int(value)
    if not least <= found <= most:
        raise RequestError(f"{name} expects a whole number from {least} to {most}, found {found}")
    return found
