"""Mechanisms built in code, in the words of a model file."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Optional

from . import _native
from .arguments import text
from .calls import in_python, plain
from .elements import Elements, of_names
from .errors import ModelError, RequestError
from .model import Model

if TYPE_CHECKING:
    from .result import Result
    from .sweeps import Sweep


class Mechanism(Elements):
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
        super().__init__(_native.Mechanism(text("space", space), text("title", title)), space == "spatial")
        self._building: "set[int]" = set()  # threads
        self._noted("space")
        if gravity is not None:
            self._noted("gravity")
            self._mechanism.gravity(plain("gravity", gravity))
        for name, value in of_names("parameters", parameters):
            self.parameter(name, value)

    # --- what comes of it ------------------------------------------------------------------------------------------
    def build(self) -> Model:
        """The model of what there is so far. Changing the mechanism later changes no model that was built.

        >>> import raak
        >>> m = raak.Mechanism().body("ball", type="point", mass=1)
        >>> one = m.build()
        >>> "x" in m.output("x", "ball.x").build().columns, "x" in one.columns
        (True, False)
        """
        thread = threading.get_ident()
        if thread in self._building:
            raise RequestError("the mechanism is being built: its own functions cannot use it meanwhile. Give a function the "
                               "numbers that it needs before")
        self._building.add(thread)
        try:
            native = self._mechanism.build()
            try:
                native.columns()  # names in expressions are looked for where the equations are made
            except ModelError:
                raise
            except Exception:  # not of the description: it comes again where the model is used
                pass
        except ModelError as error:
            raise self._placed(error) from None
        finally:
            self._building.remove(thread)
        return Model(native)

    @property
    def model(self) -> Model:
        """The model of what there is so far, built when it is first needed, and again after each change."""
        if self._built is None:
            self._built = self.build()
        return self._built

    def run(self, *arguments: Any, **named: Any) -> "Result":
        """As ``Model.run``.

        >>> import raak
        >>> raak.Mechanism().body("ball", type="point", mass=1).run(until=1).end.t
        1.0
        """
        return self.model.run(*arguments, **named)

    def sweep(self, *arguments: Any, **named: Any) -> "Sweep":
        """As ``Model.sweep``.

        >>> import raak
        >>> m = raak.Mechanism(gravity=("g", 0), parameters={"g": 1.0}).body("ball", type="point", mass=1).plan(until=2)
        >>> m.sweep(g=[1.0, 2.0], keep="ball.x")["ball.x.end"].round(6)
        array([2., 4.])
        """
        return self.model.sweep(*arguments, **named)

    @property
    def toml(self) -> str:
        """The same as the text of a model file."""
        return self._mechanism.toml()

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the model file, after a look at whether it is one.

        >>> import os, raak, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "ball.toml")
        >>> raak.Mechanism().body("ball", type="point", mass=1).save(path)
        >>> raak.load(path).assemble().dof
        2
        """
        self.model.save(path)

    def copy(self) -> "Mechanism":
        """Another one with the same elements, to go on differently.

        >>> import raak
        >>> one = raak.Mechanism().body("ball", type="point", mass=1)
        >>> other = one.copy().body("second", type="point", mass=2)
        >>> one.model.assemble().dof, other.model.assemble().dof
        (2, 4)
        """
        other = type(self).__new__(type(self))
        other._mechanism = self._mechanism.copy()
        other._calls = dict(self._calls)
        other._built = None
        other._building = set()
        other._spatial = self._spatial
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> "Mechanism":
        return self.copy()

    def __repr__(self) -> str:
        return f"<raak.Mechanism of {sum(key.startswith('body ') for key in self._calls)} bodies>"

    # --- within ----------------------------------------------------------------------------------------------------
    def _placed(self, error: ModelError) -> ModelError:
        message = in_python(str(error))
        for call, (file, line) in self._calls.items():
            if message.startswith(call + ": "):
                return ModelError(f"{file}:{line}: {message}", file, line, 0)
        return error
