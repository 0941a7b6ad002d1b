"""Mechanisms built in code, in the words of a model file."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Optional

from . import _native
from .compiled import compiled
from .errors import ModelError
from .model import Model

if TYPE_CHECKING:
    from .result import Result
    from .sweeps import Sweep


class Mechanism:
    """A mechanism that is put together by calls; each adds an element and returns the mechanism.

    The keys are those of a model file (docs/model-file.md, ``raak list joints``, ``raak list forces``); one that is a
    word of Python takes an underscore: ``from_=``. A text where a number is expected is an expression. What is wrong is
    said by ``build()``, or the first ``run()``, with the file and line of the call that added the element.

    >>> import raak
    >>> m = raak.Mechanism(space="planar", gravity=(0, -9.81))
    >>> m = m.ground(points={"O": (0, 0)})
    >>> m = m.body("arm", mass=2, inertia=0.4, com=(0.5, 0), points={"O": (0, 0)})
    >>> m = m.joint("hinge", "revolute", pins=["ground.O", "arm.O"])
    >>> r = m.run(until=1)
    >>> r.status, round(float(r["arm.angle"][-1]), 3)
    ('ok', -3.059)
    """

    def __init__(self, space: str = "planar", gravity: Any = None, *, title: str = "",
                 parameters: Optional[Mapping[str, Any]] = None) -> None:
        self._mechanism = _native.Mechanism(space, title)
        self._calls: "dict[str, tuple[str, int]]" = {}
        self._built: Optional[Model] = None
        self._spatial = space == "spatial"
        self._noted("space")
        if gravity is not None:
            self._noted("gravity")
            self._mechanism.gravity(_plain("gravity", gravity))
        for name, value in (parameters or {}).items():
            self.parameter(name, value)

    # --- elements ------------------------------------------------------------------------------------------------
    def parameter(self, name: str, value: Any) -> "Mechanism":
        """A number, or an expression of other parameters."""
        return self._add("parameter", name, self._mechanism.parameter, value)

    def ground(self, points: Optional[Mapping[str, Any]] = None, axes: Optional[Mapping[str, Any]] = None) -> "Mechanism":
        """Fixed points and directions, to be named "ground.O"."""
        for name, value in (points or {}).items():
            self._add("point of the ground", name, self._mechanism.ground_point, value)
        for name, value in (axes or {}).items():
            self._add("axis of the ground", name, self._mechanism.ground_axis, value)
        return self

    def body(self, name: str, **fields: Any) -> "Mechanism":
        """``mass=``, ``inertia=`` (about the centre of mass), ``com=``, ``points=``, ``axes=``; ``type="point"``."""
        return self._add("body", name, self._mechanism.body, fields)

    def joint(self, name: str, type: str, **fields: Any) -> "Mechanism":
        """Two points that meet, ``pins=["ground.O", "arm.O"]``, and what else the type needs."""
        return self._add("joint", name, self._mechanism.joint, fields, type)

    def force(self, name: str, type: str, **fields: Any) -> "Mechanism":
        """``m.force("spring", "spring", between=["ground.C", "arm.D"], stiffness="k", length=0.1)``

        The ``value`` of a "force" or a "torque" may be a function, ``value(t, *of)``, of what the expressions of ``of``
        are then; it returns the components in ground axes (N, N m; of a torque in the plane one number). A Python
        function makes an evaluation twenty times as expensive as a formula, and its derivatives are differences; a
        compiled one, the address of ``void (double t, const double* of, double* out)`` or a ``numba.cfunc`` of it, is
        called without the interpreter lock. Prefer a formula where one will do.

        >>> import raak
        >>> m = raak.Mechanism(gravity=(0, -9.81)).body("ball", type="point", mass=1)
        >>> def drag(t, vx, vy):
        ...     speed = (vx ** 2 + vy ** 2) ** 0.5
        ...     return -0.1 * speed * vx, -0.1 * speed * vy
        >>> m = m.force("drag", "force", at="ball", value=drag, of=["ball.vx", "ball.vy"])
        >>> round(float(m.run(until=10)["ball.vy"][-1]), 6)  # close to sqrt(9.81 / 0.1)
        -9.904544
        """
        value = fields.get("value")
        if "of" in fields or callable(value) or isinstance(getattr(value, "address", None), int):
            return self._add_function(name, type, fields)
        return self._add("force", name, self._mechanism.force, fields, type)

    def _add_function(self, name: str, type: str, fields: "dict[str, Any]") -> "Mechanism":
        place = {"force": "at", "torque": "on"}.get(type)
        if place is None:
            raise ModelError(f'force "{name}": a function can be the value of a "force" or a "torque", found "{type}"', *_caller())
        function, of = fields.get("value"), fields.get("of", [])
        known = {place, "value", "of"}
        if not known >= set(fields):
            raise ModelError(f'force "{name}": a function takes {place}=, value= and of=, found '
                             f'{", ".join(sorted(set(fields) - known))}=', *_caller())
        if not isinstance(fields.get(place), str):
            raise TypeError(f'force "{name}": {place} expects a name, found {fields.get(place)!r}')
        if isinstance(of, str) or not all(isinstance(each, str) for each in of):
            raise TypeError(f'force "{name}": of expects a list of expressions, found {of!r}')
        expected = "a function or the address of a compiled function where of is given"
        function = compiled(f'force "{name}": value', function, expected, "of", "out")
        if not callable(function) and not isinstance(function, int):
            raise TypeError(f'force "{name}": value expects {expected}, found {function!r}')
        components = 3 if self._spatial else 1 if type == "torque" else 2
        at, on = (fields[place], "") if place == "at" else ("", fields[place])
        return self._add("force", name, lambda *_: self._mechanism.force_function(name, at, on, list(of), function, components),
                         {}, type)

    def driver(self, name: str, **fields: Any) -> "Mechanism":
        """``m.driver("crank", coordinate="arm.angle", motion="Omega*t")``"""
        return self._add("driver", name, self._mechanism.driver, fields)

    def constraint(self, name: str, equation: str) -> "Mechanism":
        """An expression of coordinates, points and t that must equal 0."""
        return self._add("constraint", name, self._mechanism.constraint, equation)

    def event(self, name: str, **fields: Any) -> "Mechanism":
        """``when=`` an expression crosses zero; ``direction=``, ``action=``."""
        return self._add("event", name, self._mechanism.event, fields)

    def output(self, name: str, expression: Any) -> "Mechanism":
        """A column of results: an expression of coordinates, points, reactions and t."""
        return self._add("output", name, self._mechanism.output, expression)

    def start(self, trust: Optional[Mapping[str, Any]] = None, guess: Optional[Mapping[str, Any]] = None, *,
              smooth: bool = False) -> "Mechanism":
        """Start values that are known and held, and others that select the branch only."""
        for name, value in (trust or {}).items():
            self._add("trusted value", name, self._mechanism.trust, value)
        for name, value in (guess or {}).items():
            self._add("guess", name, self._mechanism.guess, value)
        if smooth:
            self._mechanism.smooth_start()
            self._built = None
        return self

    def plan(self, name: str = "default", **fields: Any) -> "Mechanism":
        """Describes a run: ``until=``, ``rtol=``, ``method=``, ..; the first is what ``run()`` does by itself."""
        return self._add("run", name, self._mechanism.plan, fields)

    # --- what comes of it ------------------------------------------------------------------------------------------
    def build(self) -> Model:
        """The model of what there is so far. Changing the mechanism later changes no model that was built."""
        try:
            native = self._mechanism.build()
            native.columns()  # names in expressions are looked for where the equations are made
        except ModelError as error:
            raise self._placed(error) from None
        except Exception:  # not of the description: it comes again where the model is used
            pass
        return Model(native)

    @property
    def model(self) -> Model:
        """The model of what there is so far, built when it is first needed, and again after each change."""
        if self._built is None:
            self._built = self.build()
        return self._built

    def run(self, *arguments: Any, **named: Any) -> "Result":
        """As ``Model.run``."""
        return self.model.run(*arguments, **named)

    def sweep(self, *arguments: Any, **named: Any) -> "Sweep":
        """As ``Model.sweep``."""
        return self.model.sweep(*arguments, **named)

    @property
    def toml(self) -> str:
        """The same as the text of a model file."""
        return self._mechanism.toml()

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the model file, after a look at whether it is one."""
        self.model.save(path)

    def copy(self) -> "Mechanism":
        """Another one with the same elements, to go on differently."""
        other = type(self).__new__(type(self))
        other._mechanism = self._mechanism.copy()
        other._calls = dict(self._calls)
        other._built = None
        other._spatial = self._spatial
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> "Mechanism":
        return self.copy()

    def __repr__(self) -> str:
        return f"<raak.Mechanism of {sum(key.startswith('body ') for key in self._calls)} bodies>"

    # --- within ----------------------------------------------------------------------------------------------------
    def _add(self, kind: str, name: str, add: Any, value: Any, *before: str) -> "Mechanism":
        call = f'{kind} "{name}"'
        if not isinstance(name, str):
            raise TypeError(f"the name of a {kind} expects a text, found {name!r}")
        for each in before:
            if not isinstance(each, str):
                raise TypeError(f"the type of {call} expects a text, found {each!r}")
        if call in self._calls:
            file, line = self._calls[call]
            raise ModelError(f"there is a {call} already, of {file}:{line}", *_caller())
        add(name, *before, _plain(call, value))
        self._noted(call)
        self._built = None
        return self

    def _noted(self, call: str) -> None:
        self._calls[call] = _caller()

    def _placed(self, error: ModelError) -> ModelError:
        text = str(error)
        for call, (file, line) in self._calls.items():
            if text.startswith(call + ": "):
                return ModelError(f"{file}:{line}: {text}", file, line, 0)
        return error


def _caller() -> "tuple[str, int]":
    """The nearest line outside this file."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _plain(what: str, value: Any) -> Any:
    """Numbers, texts, lists and dicts, of whatever looks like them: tuples, arrays, numbers of numpy."""
    if isinstance(value, (bool, str, float)):
        return value
    if isinstance(value, Mapping):
        return {_key(what, key): _plain(f"{what}: {key}", each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(what, each) for each in value]
    if hasattr(value, "tolist"):  # of numpy
        return _plain(what, value.tolist())
    if hasattr(value, "__float__"):
        return float(value)
    raise TypeError(f"{what} expects a number, a text, a list or a dict of them, found {value!r}")


def _key(what: str, key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{what}: a key expects a text, found {key!r}")
    return key[:-1] if key.endswith("_") else key
