"""What is known of a model beside a run: how it is assembled, the digits it delivers, what they cost, what is unusual."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import _native, plots
from .columns import Moment
from .document import Document

if TYPE_CHECKING:
    import pandas


class Assembly:
    """A consistent start, and how the mechanism can move from there; ``a["arm.angle"]`` is a value of the start.

    >>> import raak
    >>> a = raak.problem("andrews").assemble(trust={"beta": 0.2})
    >>> a["beta"], a.dof, a.rank, a.rows
    (0.2, 1, 6, 6)
    >>> raak.load("examples/four-bar.toml").assemble().dof  # a motor drives it
    0
    """

    def __init__(self, native: _native.Start) -> None:
        self._start = native

    @property
    def start(self) -> Moment:
        """Every column at the start."""
        return Moment(self._start.at)

    def __getitem__(self, name: str) -> float:
        return self.start[name]

    @property
    def dof(self) -> int:
        """Degrees of freedom: the motions that joints and drivers leave."""
        return self._start.mobility

    @property
    def coordinates(self) -> int:
        """Of what is solved for."""
        return self._start.coordinates

    @property
    def rows(self) -> int:
        """Constraint rows of what is solved for."""
        return self._start.rows

    @property
    def rank(self) -> int:
        """Of their Jacobian."""
        return self._start.rank

    @property
    def redundant(self) -> "list[str]":
        """The joints that share rows which repeat others; their reactions are not unique."""
        return self._start.redundant

    @property
    def redundant_rows(self) -> int:
        return self._start.redundant_rows

    @property
    def open(self) -> "list[tuple[str, float, str]]":
        """Joints that do not close. None here: where some stay open an AssemblyError has them as its ``open``."""
        return []

    @property
    def notes(self) -> "list[str]":
        """Anything unusual, in words."""
        return self._start.notes

    def __repr__(self) -> str:
        degrees = "1 degree" if self.dof == 1 else f"{self.dof} degrees"
        more = f", {self.redundant_rows} redundant rows" if self.redundant_rows else ""
        return f"<raak.Assembly: {degrees} of freedom, rank {self.rank} of {self.rows} rows{more}>"


class Rows(list):  # type: ignore[type-arg]
    """Rows of a table, each a Document: ``rows[0].scd``.

    >>> import raak
    >>> rows = raak.problem("andrews").check()
    >>> rows[0]["scd"] == rows[0].scd
    True
    """

    def __init__(self, rows: "Iterable[dict[str, Any]]" = ()) -> None:
        super().__init__(Document(row) for row in rows)

    def to_pandas(self) -> "pandas.DataFrame":
        """A frame with a line for each row.

        >>> import raak
        >>> raak.problem("andrews").check().to_pandas()["pass"].all()
        True
        """
        import pandas

        return pandas.DataFrame([dict(row) for row in self])

    def _columns(self) -> "list[tuple[str, str]]":
        return [(name, "") for name in (self[0] if self else [])]

    def _cells(self) -> "list[list[str]]":
        return [[_cell(row[name], how) for name, how in self._columns()] for row in self]

    def __repr__(self) -> str:
        heads = [name for name, _ in self._columns()]
        cells = self._cells()
        widths = [max([len(head), *(len(line[i]) for line in cells)]) for i, head in enumerate(heads)]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in [heads, *cells])

    def _repr_html_(self) -> str:
        import html

        heads = "".join(f"<th>{html.escape(name)}</th>" for name, _ in self._columns())
        lines = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>" for line in self._cells())
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


class Check(Rows):
    """A row for each run beside each reference of the model: correct digits, residuals, and whether they will do.

    >>> import raak
    >>> check = raak.problem("andrews").check()
    >>> check.passed, check[0].scd > 8
    (True, True)
    """

    @property
    def passed(self) -> bool:
        """Every row that was judged passes. Without a reference there is no row, and nothing fails."""
        return all(row["pass"] for row in self if not row["skipped"])

    def _columns(self) -> "list[tuple[str, str]]":
        return [("run", ""), ("method", ""), ("rtol", ".0e"), ("scd", ".2f"), ("mescd", ".2f"), ("position_residual", ".1e"),
                ("velocity_residual", ".1e"), ("energy_drift", ".1e"), ("required", ".2f"), ("pass", "")]


class Bench(Rows):
    """A row for each method at each tolerance: correct digits, steps and CPU time.

    >>> import raak
    >>> bench = raak.problem("pendulum").bench(methods=["dop853", "radau5"], rtol=[1e-4, 1e-6])
    >>> list(bench.by_method())
    ['dop853', 'radau5']
    >>> bench.plot().get_xlabel()
    'correct digits (scd)'
    """

    def by_method(self) -> "dict[str, list[Document]]":
        """The rows of each method, and of each form where there are several, from loose to tight.

        >>> import raak
        >>> bench = raak.problem("andrews").bench(methods="gauss,dop853", rtol=[1e-4, 1e-6])
        >>> {method: len(rows) for method, rows in bench.by_method().items()}
        {'gauss': 2, 'dop853': 2}
        """
        forms = {(row["method"], row["formulation"]) for row in self}
        several = {method for method, _ in forms if sum(method == other for other, _ in forms) > 1}
        series: "dict[str, list[Document]]" = {}
        for row in self:
            name = f"{row['method']} ({row['formulation']})" if row["method"] in several else row["method"]
            series.setdefault(name, []).append(row)
        return series

    def plot(self, ax: Any = None, *, digits: str = "scd") -> Any:
        """The work-precision diagram: CPU time over correct digits, ``scd`` or ``mescd``; returns the axes.

        >>> import raak
        >>> bench = raak.problem("andrews").bench(methods="dop853", rtol=[1e-4, 1e-6])
        >>> bench.plot(digits="mescd").get_xlabel()
        'correct digits (mescd)'
        """
        return plots.work_precision(self, ax, digits)

    def _columns(self) -> "list[tuple[str, str]]":
        return [("method", ""), ("formulation", ""), ("rtol", ".1e"), ("scd", ".2f"), ("mescd", ".2f"), ("steps", "d"),
                ("rejected", "d"), ("evaluations", "d"), ("jacobians", "d"), ("factorizations", "d"),
                ("energy_drift", ".1e"), ("cpu_us", ".1f"), ("cpu_us_min", ".1f"), ("status", "")]


class Explanation:
    """What ``raak explain`` finds: ``cause`` (a word), ``finding`` and ``advice`` (a sentence each), and the numbers.

    >>> import raak
    >>> e = raak.problem("andrews").explain()
    >>> e.cause, e.document.mobility
    ('none', 1)
    """

    def __init__(self, native: _native.Explanation) -> None:
        self._explanation = native

    @property
    def cause(self) -> str:
        """"none", "singular pose", "stiffness", "redundant constraints", "blow-up", .."""
        return self._explanation.cause

    @property
    def finding(self) -> str:
        return self._explanation.finding

    @property
    def advice(self) -> str:
        """One thing to try; empty when all is well."""
        return self._explanation.advice

    @cached_property
    def document(self) -> Document:
        """The document of ``raak explain --json``."""
        document: Document = json.loads(self._explanation.json, object_hook=Document)
        return document

    def __str__(self) -> str:
        return self._explanation.text

    def __repr__(self) -> str:
        return self._explanation.text.rstrip("\n")


class Progress:
    """Counts the rows of a bench on standard error."""

    def __init__(self) -> None:
        self._rows = 0

    def __call__(self, row: "dict[str, Any]") -> None:
        self._rows += 1
        print(f"\r{self._rows} rows: {row['method']} rtol {row['rtol']:.1e}    ", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._rows:
            print(file=sys.stderr)


def _cell(value: Any, how: str) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return "-"
    if isinstance(value, bool) or not how:
        return str(value)
    return format(value, how)
