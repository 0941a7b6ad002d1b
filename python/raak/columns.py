"""Columns of results by their names: at one time, at many, or those of one kind."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, SupportsIndex

from .errors import UnknownNameError, by_name, unknown_name

if TYPE_CHECKING:
    import numpy as np

    from typing_extensions import Self

    from . import _native


class Shown:
    """Shows memory of the library, which cannot be written: a copy is the same, and there is nothing to pickle."""

    __slots__ = ()
    _pickle_instead = ""

    def __copy__(self) -> "Self":
        return self

    def __deepcopy__(self, memo: object) -> "Self":
        return self

    def __reduce__(self) -> "tuple[Any, ...]":
        raise TypeError(f"a raak.{type(self).__name__} cannot be pickled, since it shows memory of the library: pickle "
                        f"{self._pickle_instead}")


class Moment(Shown, Mapping[str, float]):
    """Every column at one time, by name.

    >>> import raak
    >>> start = raak.problem("pendulum").run().start
    >>> start.t, start["phi"] == start["q.phi"]
    (0.0, True)
    """

    __slots__ = ("_moment",)
    _pickle_instead = "dict(moment)"

    def __init__(self, moment: "_native.Moment") -> None:
        self._moment = moment

    @property
    def t(self) -> float:
        """s."""
        return self._moment.t()

    @property
    def values_array(self) -> "np.ndarray[Any, Any]":
        """The numbers in the order of the names."""
        return self._moment.values()

    def __getitem__(self, name: str) -> float:
        found: float = by_name(self._moment.get, name, "a column")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._moment.names())

    def __len__(self) -> int:
        return len(self._moment.names())

    def __repr__(self) -> str:
        return f"<raak.Moment at t = {self.t:.9g} s, {len(self)} columns>"


class Columns(Shown, Mapping[str, "np.ndarray[Any, Any]"]):
    """Arrays over time by name: those of one kind, or of all. ``np.asarray`` makes one table of them, a row each time.

    >>> import raak
    >>> r = raak.problem("andrews").run(every=0.01)
    >>> list(r.q)
    ['beta', 'theta', 'gamma', 'phi', 'delta', 'omega', 'eps']
    >>> r.q.table.shape
    (4, 7)
    """

    __slots__ = ("_names", "_find", "_prefix")
    _pickle_instead = "dict(columns)"

    def __init__(self, names: "list[str]", find: "Callable[[str], np.ndarray[Any, Any]]", prefix: str = "") -> None:
        self._names = names
        self._find = find
        self._prefix = prefix

    def __getitem__(self, name: "str | int") -> "np.ndarray[Any, Any]":
        name = _name_of(name)
        full = self._prefix + name
        if self._names and full not in self._names:
            if name in self._names:
                full = name
            elif self._prefix:
                raise UnknownNameError(unknown_name("none of these", name, list(self)))
        found: "np.ndarray[Any, Any]" = by_name(self._find, full, "a column")
        return found

    def __contains__(self, name: object) -> bool:
        try:
            return self._prefix + _name_of(name) in self._names
        except UnknownNameError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter([name[len(self._prefix):] for name in self._names])

    def __len__(self) -> int:
        return len(self._names)

    @property
    def table(self) -> "np.ndarray[Any, Any]":
        """All of them as one array: a row for each time, a column for each name."""
        import numpy as np

        return np.stack([self._find(name) for name in self._names], axis=1) if self._names else np.empty((0, 0))

    def __array__(self, dtype: object = None) -> "np.ndarray[Any, Any]":
        return self.table if dtype is None else self.table.astype(dtype)  # type: ignore[call-overload, no-any-return]

    def __repr__(self) -> str:
        return f"<raak.Columns {', '.join(self)}>"


def _name_of(name: object) -> str:
    """Also of a number: lambda.1, lambda.2, .."""
    if isinstance(name, str):
        return name
    if isinstance(name, SupportsIndex) and not isinstance(name, bool) and getattr(name, "ndim", 0) == 0:
        return str(operator.index(name))
    raise UnknownNameError(f"a column has a name, as r.q['beta'], or a multiplier its number, as r.lam[1]; found {name!r}")
