"""The arguments of a sweep as the text of a plan file (docs/sweeps.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .arguments import list_of_names, number
from .errors import RequestError

if TYPE_CHECKING:
    import numpy as np


def plan_text(vary: "Mapping[str, Any]", keep: Any, design: "str | None", samples: "int | None", settings: "Mapping[str, Any]",
              summary: "Mapping[str, Any]") -> "tuple[str, str]":
    """The text without format, model and [set], and the table of cases of design "table"."""
    design = design or ("sobol" if samples is not None else "grid")
    lines = [f"design = {_toml('design', design)}"]
    if samples is not None:
        settings = {"samples": samples, **settings}
    for name, value in settings.items():
        if hasattr(value, "__len__") and not isinstance(value, str):
            raise TypeError(f"{name} expects one value, found {value!r}; where it varies: vary={{{name!r}: ..}}")
        if value is not None:
            lines.append(f"{name} = {_toml(name, value)}")
    table = ""
    lines.append("\n[vary]")
    if design == "table":
        table = _table(vary)
        lines += [f"{_key(name)} = {_key(name)}" for name in vary]
    else:
        lines += [f"{_key(name)} = {_varied(name, value, design)}" for name, value in vary.items()]
    lines.append("\n[keep]")
    lines += [f"{_key(name)} = {_toml(f'keep[{name!r}]', what)}" for name, what in _kept(keep).items()]
    given = {name: value for name, value in summary.items() if value is not None}
    if given:
        lines += ["\n[summary]", *(f"{name} = {_toml(name, value)}" for name, value in given.items())]
    return "\n".join(lines) + "\n", table


def together(vary: Any, names: "Mapping[str, Any]") -> "dict[str, Any]":
    """What varies, in one mapping."""
    if vary is not None and not isinstance(vary, Mapping):
        raise TypeError(f"vary expects values by name, as {{'OF.angle': [0.1, 0.2]}}, found {vary!r}")
    for name in vary or {}:
        if name in names:
            raise RequestError(f"{name} is given twice: as an argument and in vary")
    return {**(vary or {}), **names}


def _kept(keep: Any) -> "Mapping[str, Any]":
    expected = "names, or what to keep by name, as {'x': ['end', 'max']}"
    if isinstance(keep, Mapping):
        return {name: what if isinstance(what, str) else list_of_names(f"keep[{name!r}]", what, "words, as ['end', 'max']")
                for name, what in keep.items()}
    return {name: "end" for name in list_of_names("keep", keep, expected)}


def _varied(name: str, value: Any, design: str) -> str:
    if isinstance(value, Mapping):
        if design == "grid" and "count" not in value:
            raise RequestError(f"{name} has a distribution, and a grid has none: give samples=1000, say, or {name} a list of "
                               f"values or {{'from': .., 'to': .., 'count': ..}}")
        return _toml(name, value)
    return _toml(name, _values(name, value).tolist())


def _values(name: str, value: Any) -> "np.ndarray[Any, Any]":
    import numpy as np

    expected = f"{name} expects a list or an array of values, or a distribution, as {{'normal': [1.0, 0.1]}}"
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f"{expected}, found {value!r}")
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{expected}, found {value!r}") from None
    if array.ndim == 0:
        raise RequestError(f"{expected}, found {value!r}; a parameter that does not vary is set: model.parameters[{name!r}] = {value!r}")
    if array.ndim != 1:
        raise RequestError(f"{expected}, found an array of shape {array.shape}")
    if not np.isfinite(array).all():
        place = int(np.flatnonzero(~np.isfinite(array))[0])
        raise RequestError(f"{name}[{place}] is {array[place]}: values are finite numbers")
    return array


def _table(vary: "Mapping[str, Any]") -> str:
    columns = {}
    for name, value in vary.items():
        if isinstance(value, Mapping):
            raise RequestError(f"{name} has a distribution, and a table has values: a list or an array, a value for each case")
        columns[name] = _values(name, value)
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise RequestError("the columns of a table have the same length, found "
                           + ", ".join(f"{length} of {name}" for name, length in lengths.items()))
    rows = zip(*(values.tolist() for values in columns.values()))
    return "\n".join([",".join(columns), *(",".join(map(repr, row)) for row in rows)]) + "\n"


def _key(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"expected a name, found {name!r}")
    return json.dumps(name)


def _toml(what: str, value: Any) -> str:
    """In words that TOML and JSON have in common."""
    if isinstance(value, (str, bool)):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(f'{key} of {what}', each)}" for key, each in value.items()) + " }"
    if isinstance(value, (Sequence, set)) or getattr(value, "ndim", 0) > 0:
        return "[" + ", ".join(_toml(f"each number of {what}", each) for each in value) + "]"
    found = number(what, value)
    if found != found or found in (float("inf"), float("-inf")):
        raise RequestError(f"{what} expects a finite number, found {found}")
    return repr(int(found)) if isinstance(value, int) else repr(found)
