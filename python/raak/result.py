"""What a run yields: columns over time, any moment between them, what it cost and how good it is."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Union, overload

from . import _native, plots, tables
from .arguments import Number, is_many, number, path_of, times
from .columns import Columns, Moment, Shown
from .document import Document, Event, Quality, Singularity
from .errors import Error, RequestError, by_name

if TYPE_CHECKING:
    import numpy as np
    import pandas
    import xarray


class Result(Shown):
    """A run: ``r["F.x"]`` is a coordinate, rate, output, energy or other column over ``r.t``, a read-only array that keeps
    what it shows alive.

    >>> import raak
    >>> r = raak.problem("andrews").run(until=0.01, every=0.005)
    >>> r.t
    array([0.   , 0.005, 0.01 ])
    >>> r["F.x"].shape, r.q["beta"].shape, list(r.outputs)
    ((3,), (3,), ['F.x', 'F.y'])
    """

    _pickle_instead = "its arrays, dict(result.end) or result.to_pandas(), or write it with result.save(folder)"

    def __init__(self, native: _native.Result) -> None:
        self._result = native

    # --- columns ---------------------------------------------------------------------------------------------------
    @property
    def t(self) -> "np.ndarray[Any, Any]":
        """Times of the samples, s."""
        return self._result.column("t")

    def __getitem__(self, name: str) -> "np.ndarray[Any, Any]":
        if not isinstance(name, str):
            raise TypeError(f"a column of a result has a name, as r['F.x'], found {name!r}; samples are r['F.x'][0]")
        found: "np.ndarray[Any, Any]" = by_name(self._result.column, name, "a column")
        return found

    def __contains__(self, name: object) -> bool:
        """Whether r[name] is a column.

        >>> import raak
        >>> r = raak.problem("andrews").run()
        >>> "beta" in r, "F.x" in r, "F.q" in r
        (True, True, False)
        """
        try:
            by_name(self._result.place, name, "a column")
            return True
        except RequestError:
            return False

    def __len__(self) -> int:
        return len(self.t)

    @cached_property
    def names(self) -> "list[str]":
        """Of all columns, as result.csv has them."""
        return self._result.names()

    def _kind(self, prefix: str) -> Columns:
        return Columns([name for name in self.names if name.startswith(prefix)], self._result.column, prefix)

    @property
    def q(self) -> Columns:
        """Positions by the names of the coordinates."""
        return self._kind("q.")

    @property
    def v(self) -> Columns:
        """Velocities."""
        return self._kind("v.")

    @property
    def a(self) -> Columns:
        """Accelerations."""
        return self._kind("a.")

    @property
    def lam(self) -> Columns:
        """Multipliers: ``r.lam[1]`` is the column lambda.1."""
        return self._kind("lambda.")

    @property
    def outputs(self) -> Columns:
        """What the model declares as outputs."""
        kinds = ("q.", "v.", "a.", "lambda.", "energy.", "violation.")
        return Columns([name for name in self.names if name != "t" and not name.startswith(kinds)], self._result.column)

    @property
    def energy(self) -> Columns:
        """Kinetic, potential, input, dissipation and balance, J.

        >>> import raak
        >>> list(raak.problem("andrews").run().energy)
        ['kinetic', 'potential', 'input', 'dissipation', 'balance']
        """
        return self._kind("energy.")

    # --- moments ---------------------------------------------------------------------------------------------------
    @overload
    def at(self, t: Number) -> Moment: ...
    @overload
    def at(self, t: "Iterable[Number]") -> Columns: ...

    def at(self, t: "Union[Number, Iterable[Number]]") -> "Moment | Columns":
        """Every column at any time of the run, or at many, by dense output.

        The first call integrates once more, with the same steps, and keeps what is inside them.

        >>> import numpy as np, raak
        >>> r = raak.problem("andrews").run()
        >>> r.at(0.01)["F.x"] == r.at([0.01, 0.02])["F.x"][0]
        True
        >>> r.at(np.linspace(0, 0.03, 7))["beta"].shape
        (7,)
        """
        if not is_many(t):
            return Moment(self._result.at(number("at", t)))
        table = self._result.at_times(times(t))
        place = self._result.place

        def column(name: str) -> "np.ndarray[Any, Any]":
            found: "np.ndarray[Any, Any]" = table[place(name)]
            return found

        return Columns(self.names, column)

    @property
    def start(self) -> Moment:
        return Moment(self._result.start())

    @property
    def end(self) -> Moment:
        return Moment(self._result.end())

    # --- how it went -----------------------------------------------------------------------------------------------
    @cached_property
    def document(self) -> Document:
        """The document of ``raak run --json``."""
        document: Document = json.loads(self._result.json(), object_hook=Document)
        return document

    @property
    def status(self) -> str:
        """"ok", "failed" or "interrupted"."""
        return self._result.status()

    @property
    def message(self) -> str:
        return self._result.message()

    @property
    def method(self) -> str:
        """That was used."""
        return self._result.method()

    @property
    def form(self) -> str:
        return self._result.form()

    @property
    def warnings(self) -> "list[str]":
        return self._result.warnings()

    @property
    def statistics(self) -> _native.Statistics:
        """steps, accepted, rejected, evaluations, jacobians, factorizations, cpu_seconds."""
        return self._result.statistics()

    @property
    def quality(self) -> Quality:
        """position_residual, velocity_residual, energy_drift, and correct digits (scd, mescd) where there is a reference."""
        return Quality(self.document["quality"])

    @property
    def ledger(self) -> "Document | None":
        """Where the energy went, account by account, J; None where the model does not account for energy, or of ``end_only``."""
        ledger: "Document | None" = self.document["ledger"]
        return ledger

    @property
    def events(self) -> "list[Event]":
        return [Event(event["name"], event["t"], dict(event["outputs"])) for event in self.document["events"]]

    @property
    def singularities(self) -> "list[Singularity]":
        """Singular configurations that were passed."""
        return [Singularity(pose["t"], list(pose["joints"])) for pose in self.document["singular_poses"]]

    @property
    def brief(self) -> str:
        """The summary that ``raak run`` prints."""
        return self._result.brief()

    # --- files -----------------------------------------------------------------------------------------------------
    def save(self, folder: "str | os.PathLike[str]") -> None:
        """Writes the folder of ``raak run --out``: result.csv, result.npz, run.json and report.html.

        >>> import os, raak, tempfile
        >>> folder = os.path.join(tempfile.mkdtemp(), "swing")
        >>> raak.problem("pendulum").run().save(folder)
        >>> sorted(os.listdir(folder))
        ['report.html', 'result.csv', 'result.npz', 'run.json']
        """
        self._result.save(path_of(folder))

    def report(self, path: "str | os.PathLike[str]") -> None:
        """Writes the animated report as one HTML file.

        >>> import os, raak, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "swing.html")
        >>> raak.problem("pendulum").run().report(path)
        >>> os.path.getsize(path) > 10_000
        True
        """
        self._result.report(path_of(path))

    # --- tables and plots ------------------------------------------------------------------------------------------
    def to_pandas(self) -> "pandas.DataFrame":
        """All columns, indexed by time.

        >>> import raak
        >>> raak.problem("andrews").run(every=0.01).to_pandas()["F.x"].shape
        (4,)
        """
        return tables.frame(self)

    def to_xarray(self) -> "xarray.Dataset":
        """q, v and a over time and coordinate, lam over time and row, and each output and energy over time.

        >>> import raak
        >>> data = raak.problem("andrews").run(every=0.01).to_xarray()
        >>> data.q.sel(coordinate="beta").shape, data["F.x"].dims
        ((4,), ('t',))
        """
        return tables.dataset(self)

    def plot(self, *names: str, ax: Any = None, **settings: Any) -> Any:
        """Draws columns over time, the outputs where none is named, and returns the axes; matplotlib takes the settings.

        >>> import raak
        >>> raak.problem("andrews").run().plot("F.x", "F.y").get_xlabel()
        't / s'
        """
        return plots.over_time(self, names, ax, settings)

    def plot_xy(self, x: str, y: str, *, ax: Any = None, **settings: Any) -> Any:
        """Draws one column over another: the path of a point, a phase portrait.

        >>> import raak
        >>> raak.problem("andrews").run().plot_xy("F.x", "F.y").get_ylabel()
        'F.y'
        """
        return plots.one_over_other(self, x, y, ax, settings)

    @property
    def html(self) -> str:
        """The animated report as one HTML page."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            self._result.report(path)
            with open(path, encoding="utf-8") as file:
                return file.read()

    def _repr_html_(self) -> str:
        try:
            return plots.inline(self.html)
        except Error as error:  # of a run that stopped before its first step, say
            return f"<pre>{html.escape(repr(self))}\n{html.escape(str(error))}</pre>"

    def __repr__(self) -> str:
        head = self.document
        return (f"<raak.Result of {head['model']!r}: {self.status}, {len(self)} samples to t = {self.end.t:.6g} s, "
                f"{self.statistics.steps} steps of {self.method}>")
