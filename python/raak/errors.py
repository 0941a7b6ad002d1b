"""What can go wrong, by who can mend it. All of it derives from raak.Error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Callable, Optional

if TYPE_CHECKING:
    from . import _native
    from .columns import Moment
    from .result import Result


class Error(Exception):
    """Whatever Raak refuses or cannot compute; the message says what would have done.

    >>> import raak
    >>> try:
    ...     raak.load("nowhere.toml")
    ... except raak.Error as error:
    ...     type(error).__name__
    'ModelError'
    """


class RequestError(Error, ValueError):
    """A name, a value or a call that does not fit.

    >>> import raak
    >>> raak.problem("andrws")
    Traceback (most recent call last):
        ...
    raak.errors.RequestError: no model is called "andrws"; did you mean "andrews"? There are: pendulum, andrews, andrews-iftomm, car-axis, slider-crank
    """


class UnknownNameError(RequestError, KeyError):
    """A name that nothing bears; the message has the nearest one.

    >>> import raak
    >>> raak.problem("andrews").run()["F.z"]
    Traceback (most recent call last):
        ...
    raak.errors.UnknownNameError: ...
    """

    def __str__(self) -> str:
        return Error.__str__(self)


class ModelError(Error):
    """Wrong in a model file or a mechanism built in code.

    >>> import raak
    >>> try:
    ...     raak.parse('format = "raak/1"\\nspace = "flat"')
    ... except raak.ModelError as error:
    ...     (error.line, error.column)
    (2, 9)
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.file: str = file
        self.line: int = line
        self.column: int = column

    def __reduce__(self) -> "tuple[Any, ...]":
        return type(self), (str(self), self.file, self.line, self.column)


class AssemblyError(Error):
    """The mechanism cannot be put together, or has no start.

    ``advice`` is what to try, ``open`` what does not close: (name, gap, unit), the largest gap first.

    >>> import raak
    >>> model = raak.load("examples/four-bar.toml")
    >>> try:
    ...     model.parameters["a"] = 5  # a crank that reaches beyond all
    ... except raak.AssemblyError as error:
    ...     model.parameters["a"]  # as it was
    0.12
    """

    def __init__(self, message: str, advice: str = "", open: "Optional[list[tuple[str, float, str]]]" = None) -> None:
        super().__init__(message)
        self.advice: str = advice
        self.open: "list[tuple[str, float, str]]" = list(open or [])

    def __reduce__(self) -> "tuple[Any, ...]":
        return type(self), (str(self), self.advice, self.open)


class SolveError(Error):
    """The run did not reach its end.

    ``time`` is where it stopped in s, ``cause`` a word ("singular pose", "blow-up", ..), ``advice`` what to try,
    ``partial`` the result until then (None of a stepper, which keeps none), and ``state`` its last moment.

    >>> import raak
    >>> m = raak.Mechanism().body("ball", type="point", mass=1)
    >>> m = m.force("push", "force", at="ball", value=["1 + ball.vx^3", 0])
    >>> try:
    ...     m.run(until=10)
    ... except raak.SolveError as error:
    ...     (round(error.time, 2), error.cause, error.state["ball.vx"] > 100)
    (1.21, 'blow-up', True)
    """

    def __init__(self, message: str, time: float = float("nan"), cause: str = "", advice: str = "",
                 partial: "Optional[_native.Result | Result]" = None) -> None:
        from . import _native
        from .result import Result

        super().__init__(message)
        self.time: float = time
        self.cause: str = cause
        self.advice: str = advice
        self.partial: "Optional[Result]" = Result(partial) if isinstance(partial, _native.Result) else partial
        self.last: "Optional[Moment]" = None  # of a stepper, which keeps no result

    @property
    def state(self) -> "Optional[Moment]":
        """Where it stopped: every coordinate, rate, multiplier and output by name."""
        return self.partial.end if self.partial is not None else self.last

    def __reduce__(self) -> "tuple[Any, ...]":
        return type(self), (str(self), self.time, self.cause, self.advice)


def unknown_name(what: str, name: str, known: "Sequence[str]") -> str:
    """In the words of the program."""
    import difflib

    near = difflib.get_close_matches(name, known, 1)
    meant = f'; did you mean "{near[0]}"' if near else ""
    return f'{what} is called "{name}"{meant}{"?" if near else "."} There are: {", ".join(known) or "none"}'


def by_name(find: "Callable[[str], Any]", name: object, what: str) -> Any:
    """``find(name)``; what is no name is one that nothing bears, as mappings have it."""
    if isinstance(name, str):
        try:
            return find(name)
        except RequestError as error:
            raise UnknownNameError(str(error)) from None
        except TypeError:  # half a character of UTF-16
            pass
    raise UnknownNameError(f"{what} has a name, found {name!r}")


class partial_as:
    """Whatever is raised inside with a partial result of the compiled module has it as a ``kind`` afterwards."""

    def __init__(self, kind: "Callable[[Any], object]") -> None:
        self._kind = kind

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, raised: "Optional[BaseException]", trace: object) -> None:
        partial = getattr(raised, "partial", None)
        if type(partial).__module__ == "raak._native" or type(partial) is list:
            raised.partial = self._kind(partial)  # type: ignore[union-attr]
