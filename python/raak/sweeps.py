"""Sweeps: many runs of one model with varied numbers, as arrays."""

from __future__ import annotations

import html
import json
import os
import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import _native, plots
from .arguments import path_of, whole
from .columns import Shown
from .document import Document
from .errors import ModelError, RequestError, UnknownNameError, partial_as, unknown_name
from .progress import SweepBar, watcher
from .result import Result
from .study import Rows

if TYPE_CHECKING:
    import numpy as np
    import pandas

    from .model import Model


class Sweep(Shown, Mapping[str, "np.ndarray[Any, Any]"]):
    """The cases of a sweep that are done, as arrays by name: a number for each case.

    ``s["k"]`` is what varied, ``s["x.end"]`` what was kept: not a number where a case failed. Of a trajectory it is an
    array of cases and samples, at ``s.times``. ``s.shape`` is that of the grid, for ``s["x.end"].reshape(s.shape)``.

    >>> import numpy as np, raak
    >>> model = raak.load("examples/four-bar.toml")
    >>> s = model.sweep(a=[0.1, 0.12, 5.0], keep={"P.x": ["end", "max"]})
    >>> list(s)
    ['a', 'P.x.end', 'P.x.max']
    >>> s.status.tolist(), s.cause.tolist()  # a crank of 5 m reaches beyond all
    (['ok', 'ok', 'failed'], ['', '', 'no start'])
    >>> bool(np.isnan(s["P.x.end"][2])), s.causes[0].cases
    (True, 1)
    """

    _pickle_instead = "dict(sweep), or its to_pandas()"

    def __init__(self, native: _native.Sweep) -> None:
        self._sweep = native

    # --- arrays ----------------------------------------------------------------------------------------------------
    @cached_property
    def varied(self) -> "list[str]":
        """Names of what varies."""
        return [name for name, _, _ in self._sweep.varied()]

    @cached_property
    def kept(self) -> "list[str]":
        """Names of what is kept."""
        return [name for name, _, _ in self._sweep.kept()]

    @cached_property
    def units(self) -> "dict[str, str]":
        return {name: unit for name, unit, _ in [*self._sweep.varied(), *self._sweep.kept()]}

    @cached_property
    def _widths(self) -> "dict[str, int]":
        return {name: width for name, _, width in [*self._sweep.varied(), *self._sweep.kept()]}

    def _is_trajectory(self, name: str) -> bool:
        return name.endswith(".trajectory")

    def __getitem__(self, name: str) -> "np.ndarray[Any, Any]":
        if not isinstance(name, str):
            raise UnknownNameError(f"a column of a sweep has a name, found {name!r}")
        if name not in self._widths:
            raise UnknownNameError(unknown_name("no column of the sweep", name, list(self)))
        values = self._sweep.column(name)
        return values.reshape(len(self.case), self._widths[name]) if self._is_trajectory(name) else values

    def __iter__(self) -> Iterator[str]:
        return iter(self._widths)

    def __len__(self) -> int:
        return len(self._widths)

    @property
    def times(self) -> "np.ndarray[Any, Any]":
        """Of trajectories, s."""
        return self._sweep.times()

    @cached_property
    def case(self) -> "np.ndarray[Any, Any]":
        """The numbers of the cases that are done, from 0."""
        return self._sweep.cases()

    @cached_property
    def failed(self) -> "np.ndarray[Any, Any]":
        """True where a case failed."""
        found: "np.ndarray[Any, Any]" = self._sweep.outcomes() > 0
        return found

    @cached_property
    def status(self) -> "np.ndarray[Any, Any]":
        """"ok" or "failed", of each case."""
        import numpy as np

        return np.where(self.failed, "failed", "ok")

    @cached_property
    def cause(self) -> "np.ndarray[Any, Any]":
        """Why a case failed, in a word or two; empty where it did not."""
        import numpy as np

        words = np.array(["", *(row["cause"] for row in self._sweep.causes())])
        found: "np.ndarray[Any, Any]" = words[self._sweep.outcomes()]
        return found

    @cached_property
    def causes(self) -> Rows:
        """A row for each cause: how many cases, the first of them and what happened there."""
        return Rows(self._sweep.causes())

    @property
    def shape(self) -> "tuple[int, ...]":
        """Of the grid: how many values each name has, the last varying fastest; else how many cases there are."""
        return tuple(self._sweep.shape())

    @property
    def planned(self) -> int:
        """How many cases the whole sweep has."""
        return self._sweep.planned()

    @property
    def complete(self) -> bool:
        """Every case is done."""
        return self._sweep.complete()

    def run(self, number: int, *, progress: "Optional[bool | Callable[..., object]]" = None) -> Result:
        """Runs a case once more, with all that ``Model.run`` gives: what failed raises what it failed with.

        >>> import raak
        >>> s = raak.load("examples/four-bar.toml").sweep(a=[0.1, 0.12], keep={"P.x": ["end", "max"]})
        >>> r = s.run(1)
        >>> r.end["P.x"] == s["P.x.end"][1], r["P.x"].max() == s["P.x.max"][1]
        (True, True)
        """
        number = whole("number", number, 0, self.planned - 1)
        with partial_as(Result):
            return Result(self._sweep.run(number, watcher(progress) if progress else None))

    # --- what it comes to ------------------------------------------------------------------------------------------
    @cached_property
    def summary(self) -> Document:
        """Moments, quantiles, histograms, Sobol indices and a map of failures: summary.json of ``raak sweep``.

        >>> import raak
        >>> s = raak.problem("pendulum").sweep({"phi": {"normal": [0.1, 0.01]}}, samples=64, keep="x")
        >>> column = s.summary.columns["x.end"]
        >>> sorted(column.quantiles)
        ['0.05', '0.5', '0.95']
        >>> bool(abs(column.mean - s["x.end"].mean()) < 1e-12)
        True
        """
        document: Document = json.loads(self._sweep.summary(), object_hook=Document)
        return document

    def to_pandas(self) -> "pandas.DataFrame":
        """A row for each case: what varies, what is kept but trajectories, status and cause.

        >>> import raak
        >>> s = raak.load("examples/four-bar.toml").sweep(a=[0.1, 0.12], keep="P.x")
        >>> list(s.to_pandas())
        ['a', 'P.x.end', 'status', 'cause']
        """
        import pandas

        columns = {name: self[name] for name in self if not self._is_trajectory(name)}
        return pandas.DataFrame({**columns, "status": self.status, "cause": self.cause},
                                index=pandas.Index(self.case, name="case"))

    def table(self, path: "str | os.PathLike[str]") -> None:
        """Writes all cases as ``raak sweep --merge`` does: .csv, .npz, .h5 or .json; trajectories lie beside it.

        >>> import numpy as np, os, raak, tempfile
        >>> s = raak.load("examples/four-bar.toml").sweep(a=[0.1, 0.12], keep="P.x")
        >>> path = os.path.join(tempfile.mkdtemp(), "cases.npz")
        >>> s.table(path)
        >>> np.load(path)["a"]
        array([0.1 , 0.12])
        """
        self._sweep.table(path_of(path))

    @property
    def html(self) -> str:
        """The page of ``raak sweep`` as one file: scatter, histograms, where cases failed, and some in motion."""
        return self._sweep.page()

    def report(self, path: "str | os.PathLike[str]") -> None:
        """Writes the page.

        >>> import os, raak, tempfile
        >>> s = raak.load("examples/four-bar.toml").sweep(a=[0.1, 0.12], keep="P.x")
        >>> s.report(os.path.join(tempfile.mkdtemp(), "sweep.html"))
        """
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    @property
    def plan(self) -> str:
        """The text of the plan file."""
        return self._sweep.plan()

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the plan file, with the model beside it: ``raak sweep plan.toml`` gives the same rows to the bit.

        >>> import os, raak, tempfile
        >>> s = raak.load("examples/four-bar.toml").sweep(a=[0.1, 0.12], keep="P.x")
        >>> folder = tempfile.mkdtemp()
        >>> s.save(os.path.join(folder, "plan.toml"))
        >>> sorted(os.listdir(folder))
        ['four-bar.swept.toml', 'plan.toml']
        >>> bool((raak.sweep(os.path.join(folder, "plan.toml"))["P.x.end"] == s["P.x.end"]).all())
        True
        """
        self._sweep.save(path_of(path))

    def _repr_html_(self) -> str:
        if not self.complete:
            return f"<pre>{html.escape(repr(self))}</pre>"
        return plots.inline(self.html)

    def __repr__(self) -> str:
        of = "" if self.complete else f" of {self.planned}"
        return (f"<raak.Sweep: {len(self.case)}{of} cases, {int(self.failed.sum())} failed; {', '.join(self.varied)} -> "
                f"{', '.join(self.kept)}>")


def sweep(plan: "str | os.PathLike[str]", *, threads: Optional[int] = None, out: "str | os.PathLike[str] | None" = None,
          resume: bool = False, exact: bool = False, shard: "Optional[tuple[int, int]]" = None,
          progress: "Optional[bool | Callable[..., object]]" = None) -> Sweep:
    """Runs the sweep of a plan file, as ``raak sweep``; the arguments are those of ``Model.sweep``.

    >>> import raak
    >>> s = raak.sweep("examples/sweeps/andrews-tolerances.toml")
    >>> len(s.case), s.summary.columns["OF.angle.end"].sobol.first.k > 0.5  # most of the scatter is that of the spring
    (1280, True)
    """
    path = path_of(plan)
    return run(lambda *rest: _native.sweep_file(path, *rest), threads, out, resume, exact, shard, progress)


def load_sweep(folder: "str | os.PathLike[str]") -> Sweep:
    """What is done of the sweep in a folder, of ``raak sweep`` or of ``sweep(out=)``.

    >>> import os, raak, tempfile
    >>> folder = os.path.join(tempfile.mkdtemp(), "pendula")
    >>> s = raak.problem("pendulum").sweep({"phi": [0.1, 0.2]}, keep="x", out=folder)
    >>> raak.load_sweep(folder)["x.end"].tolist() == s["x.end"].tolist()
    True
    """
    return Sweep(_native.load_sweep(path_of(folder)))


def of_model(model: _native.Model, text: str, table: str, *how: Any) -> Sweep:
    """The sweep of a plan that was made of arguments, whose places mean nothing to a user."""
    try:
        return run(lambda *rest: _native.sweep(model, text, table, *rest), *how)
    except ModelError as error:
        if error.file != "plan" and not error.file.endswith(".cases.csv"):
            raise
        message = str(error).removeprefix(f"{error.file}:{error.line}:{error.column}: ")
        kind = UnknownNameError if " is called " in message else RequestError
        raise kind(message) from None


def run(start: "Callable[..., _native.Sweep]", threads: Optional[int], out: "str | os.PathLike[str] | None", resume: bool,
        exact: bool, shard: "Optional[tuple[int, int]]", progress: "Optional[bool | Callable[..., object]]") -> Sweep:
    arguments: "dict[str, Any]" = {"resume": bool(resume), "exact": bool(exact)}
    if threads is not None:
        arguments["threads"] = whole("threads", threads, 1, 1024)
    if out is not None:
        arguments["folder"] = path_of(out)
    if shard is not None:
        if not isinstance(shard, (tuple, list)) or len(shard) != 2:
            raise TypeError(f"shard expects a part from 1 to N and N, as (1, 4), found {shard!r}")
        arguments["shard"], arguments["shards"] = (whole("shard", each, 1, 10**6) for each in shard)
    bar = SweepBar() if progress is True else None
    if progress and bar is None and not callable(progress):
        raise TypeError(f"progress expects True or a function (cases, failed, planned), found {progress!r}")
    try:
        with partial_as(Sweep):
            return Sweep(start(arguments, bar or progress or None, _warn))
    finally:
        if bar is not None:
            bar.end()


def _warn(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=2)
