"""Equations of motion written in Python: M(t,q) v' = f(t,q,v) - G' lambda with 0 = g(t,q)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, Union

from . import _native, differences
from .arguments import Number, flag, is_many, list_of_names, mapping_of, number, text, whole
from .compiled import Compiled, call_compiled, compiled
from .errors import RequestError
from .model import Model


class Problem(Model):
    """A model of equations of your own.

    ``mass(t, q)`` is an n x n array, ``force(t, q, v)`` has n numbers and ``constraint(t, q)`` those that must be 0;
    ``velocity_constraint(t, q, v)`` (linear in v) is for rolling and skates. A function that never changes may be an
    array. ``jacobian(t, q)``, the derivative of the constraint by q, and ``bias(t, q, v)``, with which G v' = bias, may
    be given; otherwise they are found by differences, with about 10 digits. Derivatives that are given are compared
    with differences first, at the start and a little beside it. ``potential(t, q)`` and ``power(t, q, v)`` make the energy balance mean
    something; ``output(t, q, v)`` gives the numbers that ``outputs`` names.

    ``start`` has known values by name, "x" of a position and "v.x" of a velocity; ``guess`` selects the branch.

    Each function may be compiled: the address of a C function, a ctypes function or a ``numba.cfunc`` of ``(double t,
    const double* q[, const double* v], double* out)``, v where the function has one. It is called without the
    interpreter lock; a Python function costs some microseconds a call.

    >>> import numpy as np, raak
    >>> pendulum = raak.Problem(
    ...     coordinates=["x", "y"], mass=np.eye(2), force=lambda t, q, v: [0.0, -9.81],
    ...     constraint=lambda t, q: [q @ q - 1], start={"x": 1.0, "v.y": 0.0}, potential=lambda t, q: 9.81 * q[1])
    >>> r = pendulum.run(until=1, rtol=1e-8)
    >>> bool(abs(r["x"] ** 2 + r["y"] ** 2 - 1).max() < 1e-9)
    True
    """

    def __init__(self, mass: Any, force: Any, constraint: Any = None, *, coordinates: "Union[int, Sequence[str]]",
                 constraints: "Union[int, Sequence[str], None]" = None, velocity_constraint: Any = None,
                 velocity_constraints: int = 0, jacobian: Any = None, bias: Any = None, potential: Any = None,
                 power: Any = None, output: Any = None, outputs: Sequence[str] = (), units: Sequence[str] = (),
                 start: Optional[Mapping[str, Number]] = None, guess: Optional[Mapping[str, Number]] = None, t: Number = 0.0,
                 name: str = "equations", check: bool = True) -> None:
        names = _names("coordinates", coordinates, "q")
        velocity_constraints = whole("velocity_constraints", velocity_constraints, 0, _MOST)
        outputs, units = list_of_names("outputs", outputs), list_of_names("units", units)
        if not names:
            raise RequestError("coordinates expects at least one name")
        if velocity_constraint is not None and velocity_constraints < 1:
            raise RequestError("velocity_constraint needs velocity_constraints, the number of its rows")
        if outputs and output is None:
            raise RequestError(f"outputs names {len(outputs)} numbers and output=, the function that gives them, is missing")
        if mass is None or force is None:
            raise TypeError(f"{'mass' if mass is None else 'force'} expects a function or an array, found None")
        functions = {"mass": mass, "force": force, "constraint": constraint, "velocity_constraint": velocity_constraint,
                     "jacobian": jacobian, "bias": bias, "potential": potential, "power": power, "output": output}
        known, guesses = _settings("start", start), _settings("guess", guess)
        functions = {key: _function(key, value) for key, value in functions.items() if value is not None}
        self._functions = functions
        self._t = number("t", t)
        self._q, self._v = _start_values(names, [*guesses, *known])
        if constraints is None:
            constraints = self._count("constraint") + velocity_constraints if constraint is not None else velocity_constraints
        rows = _names("constraints", constraints, "constraint ")
        self._coordinates, self._rows, self._velocity_rows = names, rows, velocity_constraints
        n, m, g = len(names), len(rows), len(rows) - velocity_constraints
        self._shapes = {"mass": (n, n), "force": (n,), "constraint": (g,), "velocity_constraint": (velocity_constraints,),
                        "jacobian": (g, n), "bias": (m,)}
        if flag("check", check):
            self._check()
        super().__init__(_native.problem_of(functions, names, rows, velocity_constraints, outputs, units, known, guesses,
                                            self._t, text("name", name)))

    def _count(self, key: str) -> int:
        if isinstance(self._functions[key], Compiled):
            raise RequestError(f"{key} is compiled: give constraints, the number or the names of its rows")
        import numpy as np

        return len(np.atleast_1d(np.asarray(self._call(key, self._t, self._q, self._v))))

    def _call(self, key: str, t: float, q: Any, v: Any) -> Any:
        function = self._functions[key]
        arguments = (q.copy(), v.copy()) if key in _OF_VELOCITIES else (q.copy(),)
        if isinstance(function, Compiled):
            return call_compiled(function, self._shapes[key], t, *arguments)
        return function(t, *arguments) if callable(function) else function

    # --- what can be seen before the first step --------------------------------------------------------------------
    def _check(self) -> None:
        import numpy as np

        found: "dict[str, Any]" = {}
        for key, shape in self._shapes.items():
            if key not in self._functions:
                continue
            answer = self._call(key, self._t, self._q, self._v)
            if answer is None:
                raise TypeError(f"{key} returned None, expected an array of numbers of shape {shape}: is its return missing?")
            if hasattr(answer, "dtype") and np.iscomplexobj(answer):
                raise TypeError(f"{key} returned complex numbers, expected real ones of shape {shape}: give it their real parts if "
                                "these are meant")
            try:
                array = np.asarray(answer, dtype=float)
            except (TypeError, ValueError):
                raise TypeError(f"{key} returned {answer!r}, expected an array of numbers of shape {shape}") from None
            if array.shape != shape:
                raise ValueError(f"{key} returned an array of shape {array.shape}, expected {shape}")
            if not np.isfinite(array).all():
                entry = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
                raise RequestError(f"{key}: entry {entry} is {array[entry]} at the start; check the formula or the start values")
            found[key] = array
        if "mass" in found and not np.allclose(found["mass"], found["mass"].T, rtol=1e-9, atol=1e-300):
            i, j = np.unravel_index(np.abs(found["mass"] - found["mass"].T).argmax(), found["mass"].shape)
            raise RequestError(f"mass is not symmetric: entry ({i}, {j}) is {found['mass'][i, j]:.9g} and ({j}, {i}) is "
                               f"{found['mass'][j, i]:.9g}")
        if "velocity_constraint" in found:
            self._check_linear()
        if "constraint" in found and ("jacobian" in found or "bias" in found):
            self._check_derivatives()

    def _check_linear(self) -> None:
        """In v: the multipliers mean nothing otherwise."""
        import numpy as np

        def rows(v: Any) -> Any:
            return np.asarray(self._call("velocity_constraint", self._t, self._q, v), dtype=float)

        v = np.array([1.0 + (0.618034 * (i + 1) % 1.0) for i in range(len(self._v))])
        w = np.where(np.arange(len(v)) % 2, -1.3, 0.7) * v
        still, apart = rows(0 * v), np.zeros(0)
        for one, other in [(v, w), (v, v), (w, -2 * v)]:
            both = [rows(each) - still for each in (one + other, one, other)]
            apart = np.abs(both[0] - both[1] - both[2]) / np.maximum.reduce([np.ones(len(still)), *map(np.abs, [still, *both])])
            if apart.max(initial=0.0) > 1e-8:
                row = int(apart.argmax())
                raise RequestError(f'velocity_constraint: row "{self._rows[len(self._rows) - self._velocity_rows + row]}" is not linear '
                                   f"in v: for the sum of two velocities it gives {both[0][row]:.9g}, and for each of them "
                                   f"{both[1][row]:.9g} and {both[2][row]:.9g}. Mend it, or write it as a constraint of positions")

    def _check_derivatives(self) -> None:
        import numpy as np

        v = self._v if np.any(self._v) else np.ones(len(self._v))
        for each in self._derivatives(self._t, self._q, v):
            self._compare("", *each)
        beside: "list[tuple[str, tuple[str, Any, Any, Any]]]" = []
        try:
            for place in differences.places_beside(self._closing, self._t, self._q, v):
                words = ", ".join(f"{name} = {x:.6g}" for name, x in list(zip(self._coordinates, place[1]))[:4])
                beside += [(f" beside the start, at {words}", each) for each in self._derivatives(*place)]
        except Exception:  # formulas need not hold there
            pass
        for where, each in beside:
            self._compare(where, *each)

    def _closing(self, t: float, q: Any) -> Any:
        import numpy as np

        return np.asarray(self._call("constraint", t, q, self._v), dtype=float)

    def _derivatives(self, t: float, q: Any, v: Any) -> "Iterator[tuple[str, Any, Any, Any]]":
        """Those that are given, with what differences give and by how much that may be off."""
        import numpy as np

        if "jacobian" in self._functions:
            given = np.asarray(self._call("jacobian", t, q, v), dtype=float)
            yield ("jacobian", given, *differences.settled(lambda longer: differences.jacobian(self._closing, t, q, longer)))
        if "bias" in self._functions and not self._velocity_rows:
            given = np.asarray(self._call("bias", t, q, v), dtype=float)
            yield ("bias", given, *differences.settled(lambda longer: differences.bias(self._closing, t, q, v, longer)))

    def _compare(self, place: str, key: str, given: Any, expected: Any, unsure: Any) -> None:
        import numpy as np

        apart = np.abs(given - expected)
        off = np.where(np.isfinite(unsure), (apart - 10 * unsure) / np.maximum(1.0, np.abs(expected)), 0.0)
        if not off.max(initial=0.0) > 1e-5:
            return
        entry = np.unravel_index(off.argmax(), off.shape)
        where = f'of row "{self._rows[entry[0]]}"'
        if len(entry) == 2:
            where += f' with respect to "{self._coordinates[entry[1]]}"'
        raise RequestError(f"{key}: entry {tuple(int(i) for i in entry)}, {where}, is {given[entry]:.9g}{place}, and differences of "
                           f"constraint give {expected[entry]:.9g}: {apart[entry]:.2g} apart. Mend it, leave it out, or give "
                           f"check=False")

    def __repr__(self) -> str:
        return f"<raak.Problem {self.name!r} of {len(self._coordinates)} coordinates, {len(self._rows)} constraints>"


_MOST = 10**6
_OF_VELOCITIES = ("force", "velocity_constraint", "bias", "power", "output")


def _names(what: str, given: "Union[int, Sequence[str]]", letter: str) -> "list[str]":
    if hasattr(given, "__index__") and not is_many(given):
        return [f"{letter}{i + 1}" for i in range(whole(what, given, 0, _MOST))]
    names = list_of_names(what, given, "names or their number")
    if len(set(names)) < len(names):
        raise RequestError(f"{what} has a name twice: {', '.join(names)}")
    return names


def _function(key: str, value: Any) -> Any:
    """A Python function, an array, or the address of a compiled function."""
    arrays = ("q", "v", "out") if key in _OF_VELOCITIES else ("q", "out")
    return compiled(key, value, "a function, an array or the address of a compiled function", *arrays)


def _settings(what: str, values: "Optional[Mapping[str, Number]]") -> "list[tuple[str, float]]":
    given = {} if values is None else mapping_of(what, values)
    return [(key, number(f"the start value of {key!r}", value)) for key, value in given.items()]


def _start_values(names: "list[str]", values: "list[tuple[str, float]]") -> "tuple[Any, Any]":
    import numpy as np

    q, v = np.zeros(len(names)), np.zeros(len(names))
    for key, value in values:
        if not np.isfinite(value):
            raise RequestError(f"the start value of {key!r} expects a finite number, found {value!r}")
        plain = key[2:] if key not in names and key.startswith(("q.", "v.")) else key
        if plain in names:
            (v if plain != key and key.startswith("v.") else q)[names.index(plain)] = value
    return q, v
