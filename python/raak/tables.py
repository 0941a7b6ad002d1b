"""Results as tables of pandas and xarray, which are imported by the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import xarray

    from .result import Result


def frame(result: "Result") -> "pandas.DataFrame":
    import pandas

    return pandas.DataFrame({name: result[name] for name in result.names if name != "t"},
                            index=pandas.Index(result.t, name="t"))


def dataset(result: "Result") -> "xarray.Dataset":
    import xarray

    parts: "dict[str, Any]" = {}
    names: "dict[str, Any]" = {"t": result.t}
    for kind, columns, dimension in [("q", result.q, "coordinate"), ("v", result.v, "rate"), ("a", result.a, "rate"),
                                     ("lam", result.lam, "row")]:
        if not len(columns):
            continue
        known = list(columns)
        if kind != "q" and dimension == "rate" and known == list(result.q):
            dimension = "coordinate"
        names[dimension] = known
        parts[kind] = (("t", dimension), columns.table)
    kinds = ("q.", "v.", "a.", "lambda.")
    for name in result.names:
        if name != "t" and not name.startswith(kinds):
            parts[name] = ("t", result[name])
    return xarray.Dataset(parts, names, {"model": result.document["model"], "method": result.method})
