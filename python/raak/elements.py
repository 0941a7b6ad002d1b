"""The elements of a mechanism that is built in code: a call for each, in the words of a model file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Optional

from . import _native
from .arguments import flag, is_many, mapping_of, text
from .calls import call_of, caller, one, plain
from .compiled import compiled
from .errors import ModelError

if TYPE_CHECKING:
    from typing_extensions import Self

    from .model import Model


class Elements:
    """What a mechanism consists of, and where each was added."""

    def __init__(self, mechanism: _native.Mechanism, spatial: bool) -> None:
        self._mechanism = mechanism
        self._calls: "dict[str, tuple[str, int]]" = {}
        self._built: "Optional[Model]" = None
        self._spatial = spatial

    def parameter(self, name: str, value: Any) -> "Self":
        """A number, or an expression of other parameters.

        >>> import raak
        >>> m = raak.Mechanism().parameter("a", 2).parameter("b", "3*a").body("ball", type="point", mass="b")
        >>> m.model.parameters["b"]
        6.0
        """
        return self._add("parameter", name, self._mechanism.parameter, value)

    def ground(self, points: Optional[Mapping[str, Any]] = None, axes: Optional[Mapping[str, Any]] = None) -> "Self":
        """Fixed points and directions, to be named "ground.O".

        >>> import raak
        >>> m = raak.Mechanism(gravity=(0, -9.81)).ground(points={"O": (0, 0)}, axes={"slope": (1, -1)})
        >>> m = m.body("box", mass=1, inertia=1, points={"O": (0, 0)})
        >>> m = m.joint("rail", "prismatic", pins=["ground.O", "box.O"], axes=["ground.slope", "box.x"])
        >>> m.model.assemble().dof
        1
        """
        for name, value in of_names("points", points):
            self._add("point of the ground", name, self._mechanism.ground_point, value)
        for name, value in of_names("axes", axes):
            self._add("axis of the ground", name, self._mechanism.ground_axis, value)
        return self

    def body(self, name: str, **fields: Any) -> "Self":
        """``mass=``, ``inertia=`` (about the centre of mass), ``com=``, ``points=``, ``axes=``; ``type="point"``.

        >>> import raak
        >>> m = raak.Mechanism().body("arm", mass=2, inertia=0.4, com=(0.5, 0), points={"tip": (1, 0)})
        >>> m = m.body("ball", type="point", mass=1)
        >>> m.model.assemble().dof
        5
        """
        return self._add("body", name, self._mechanism.body, fields)

    def joint(self, name: str, type: str, **fields: Any) -> "Self":
        """Two points that meet, ``pins=["ground.O", "arm.O"]``, and what else the type needs.

        >>> import raak
        >>> m = raak.Mechanism().ground(points={"O": (0, 0)})
        >>> m = m.body("arm", mass=2, inertia=0.4, com=(0.5, 0), points={"O": (0, 0)})
        >>> m.joint("hinge", "revolute", pins=["ground.O", "arm.O"]).model.assemble().dof
        1
        """
        return self._add("joint", name, self._mechanism.joint, fields, type)

    def force(self, name: str, type: str, **fields: Any) -> "Self":
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

    def _add_function(self, name: str, type: str, fields: "dict[str, Any]") -> "Self":
        place = {"force": "at", "torque": "on"}.get(type)
        if place is None:
            raise ModelError(f'force "{name}": a function can be the value of a "force" or a "torque", found "{type}"', *caller())
        function, of = fields.get("value"), fields.get("of", [])
        known = {place, "value", "of"}
        if not known >= set(fields):
            raise ModelError(f'force "{name}": a function takes {place}=, value= and of=, found '
                             f'{", ".join(sorted(set(fields) - known))}=', *caller())
        if not isinstance(fields.get(place), str):
            raise TypeError(f'force "{name}": {place} expects a name, found {fields.get(place)!r}')
        if isinstance(of, str) or not is_many(of) or not all(isinstance(each, str) for each in of):
            raise TypeError(f'force "{name}": of expects a list of expressions, found {of!r}')
        expected = "a function or the address of a compiled function where of is given"
        function = compiled(f'force "{name}": value', function, expected, "of", "out")
        if not callable(function) and not isinstance(function, int):
            raise TypeError(f'force "{name}": value expects {expected}, found {function!r}')
        components = 3 if self._spatial else 1 if type == "torque" else 2
        at, on = (fields[place], "") if place == "at" else ("", fields[place])
        return self._add("force", name, lambda *_: self._mechanism.force_function(name, at, on, list(of), function, components),
                         {}, type)

    def driver(self, name: str, **fields: Any) -> "Self":
        """``m.driver("crank", coordinate="arm.angle", motion="Omega*t")``

        >>> import raak
        >>> m = raak.Mechanism().body("wheel", mass=1, inertia=0.4)
        >>> r = m.driver("motor", coordinate="wheel.angle", motion="t^2").run(until=2)
        >>> round(r.end["wheel.angle"], 9)
        4.0
        """
        return self._add("driver", name, self._mechanism.driver, fields)

    def constraint(self, name: str, equation: str) -> "Self":
        """An expression of coordinates, points and t that must equal 0.

        >>> import raak
        >>> m = raak.Mechanism(gravity=(0, -9.81)).body("bead", type="point", mass=1)
        >>> r = m.constraint("bowl", "bead.y - bead.x^2").start(trust={"bead.x": 1.0}).run(until=1, rtol=1e-9)
        >>> bool(abs(r["bead.y"] - r["bead.x"] ** 2).max() < 1e-9)
        True
        """
        return self._add("constraint", name, self._mechanism.constraint, text(f'constraint "{name}": its equation', equation))

    def event(self, name: str, **fields: Any) -> "Self":
        """``when=`` an expression crosses zero; ``direction=``, ``action=``.

        >>> import raak
        >>> m = raak.Mechanism(gravity=(0, -10)).body("ball", type="point", mass=1)
        >>> round(m.event("floor", when="ball.y + 5", action="stop").run(until=3).end.t, 6)
        1.0
        """
        return self._add("event", name, self._mechanism.event, fields)

    def output(self, name: str, expression: Any) -> "Self":
        """A column of results: an expression of coordinates, points, reactions and t.

        >>> import raak
        >>> m = raak.Mechanism(gravity=(0, -10)).body("ball", type="point", mass=1).output("fallen", "-ball.y")
        >>> round(m.run(until=1).end["fallen"], 6)
        5.0
        """
        return self._add("output", name, self._mechanism.output, expression)

    def start(self, trust: Optional[Mapping[str, Any]] = None, guess: Optional[Mapping[str, Any]] = None, *,
              smooth: bool = False) -> "Self":
        """Start values that are known and held, and others that select the branch only.

        >>> import raak
        >>> m = raak.Mechanism().body("ball", type="point", mass=1).start(trust={"ball.vx": 3.0})
        >>> round(m.run(until=2).end["ball.x"], 6)
        6.0
        """
        for name, value in of_names("trust", trust):
            self._add("trusted value", name, self._mechanism.trust, value)
        for name, value in of_names("guess", guess):
            self._add("guess", name, self._mechanism.guess, value)
        if flag("smooth", smooth):
            self._mechanism.smooth_start()
            self._built = None
        return self

    def plan(self, name: str = "default", **fields: Any) -> "Self":
        """Describes a run: ``until=``, ``rtol=``, ``method=``, ..; the first is what ``run()`` does by itself.

        >>> import raak
        >>> m = raak.Mechanism().body("ball", type="point", mass=1).plan(until=0.5, every=0.25).plan("long", until=20)
        >>> m.run().t, m.run(run="long").end.t
        (array([0.  , 0.25, 0.5 ]), 20.0)
        """
        return self._add("run", name, self._mechanism.plan, fields)

    def _add(self, kind: str, name: str, add: Any, value: Any, *before: str) -> "Self":
        call = call_of(kind, text(f"the name of {one(kind)}", name))
        for each in before:
            text(f"the type of {call}", each)
        if call in self._calls:
            file, line = self._calls[call]
            raise ModelError(f"there is {one(call)} already, of {file}:{line}", *caller())
        add(name, *before, plain(call, value))
        self._noted(call)
        self._built = None
        return self

    def _noted(self, call: str) -> None:
        self._calls[call] = caller()


def of_names(what: str, values: Any) -> "list[tuple[str, Any]]":
    return [] if values is None else list(mapping_of(what, values, "values by name, as {'x': 1.0}").items())
