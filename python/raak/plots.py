"""Plots of results with matplotlib, which is imported by the first one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from .errors import RequestError

if TYPE_CHECKING:
    from .result import Result
    from .study import Bench


def axes_of(ax: Any) -> Any:
    """Those that are given, or new ones."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: apt-get install python3-matplotlib, or pip install matplotlib") from error
    return plt.subplots(layout="constrained")[1]


def over_time(result: "Result", names: "Sequence[str]", ax: Any, settings: "dict[str, Any]") -> Any:
    columns = [(name, result[name]) for name in names or list(result.outputs) or list(result.q)]
    ax = axes_of(ax)
    for name, column in columns:
        ax.plot(result.t, column, **{"label": name, **settings})
    ax.set_xlabel("t / s")
    if len(columns) == 1:
        ax.set_ylabel(columns[0][0])
    else:
        ax.legend()
    ax.grid(True, alpha=0.3)
    return ax


def one_over_other(result: "Result", x: str, y: str, ax: Any, settings: "dict[str, Any]") -> Any:
    across, up = result[x], result[y]
    ax = axes_of(ax)
    ax.plot(across, up, **settings)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if x.endswith(".x") and y.endswith(".y"):  # a path in the plane
        ax.set_aspect("equal", adjustable="datalim")
    ax.grid(True, alpha=0.3)
    return ax


def work_precision(bench: "Bench", ax: Any = None, digits: str = "scd") -> Any:
    """Correct digits over CPU time, a line for each method."""
    if digits not in ("scd", "mescd"):
        raise RequestError(f'digits expects "scd" or "mescd", found {digits!r}')
    ax = axes_of(ax)
    for method, rows in bench.by_method().items():
        points = [(row[digits], 1e-6 * row["cpu_us_min"]) for row in rows if row["status"] == "ok" and row[digits] is not None]
        if points:
            ax.semilogy([point[0] for point in points], [point[1] for point in points], "o-", markersize=4, label=method)
    ax.set_xlabel(f"correct digits ({digits})")
    ax.set_ylabel("CPU time / s")
    ax.grid(True, which="both", alpha=0.3)
    ax.legend()
    return ax


def inline(page: str, height: Optional[int] = None) -> str:
    """A page as a part of a notebook, complete in itself: no server, no other file."""
    import html

    return (f'<iframe srcdoc="{html.escape(page)}" width="100%" height="{height or 720}" '
            'style="border:0" sandbox="allow-scripts allow-downloads"></iframe>')
