"""The parameters of a model as a mapping."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Union

from . import _native
from .arguments import Number, mapping_of, number, text
from .errors import RequestError, by_name


class Parameters(MutableMapping[str, Union[float, str]]):
    """The parameters of a model by name. Setting one is live: nothing is recorded again.

    >>> import raak
    >>> model = raak.problem("andrews")
    >>> model.parameters["c0"] = 4600
    >>> model.parameters["c0"]
    4600.0
    """

    __slots__ = ("_model",)

    def __init__(self, model: _native.Model) -> None:
        self._model = model

    def __getitem__(self, name: str) -> "float | str":
        if name not in self._model.parameters():
            self._unknown(name)
        value = self._model.text(name)
        try:
            return float(value)
        except ValueError:
            return value

    def __contains__(self, name: object) -> bool:
        return name in self._model.parameters()

    def __setitem__(self, name: str, value: "Number | str") -> None:
        if name not in self._model.parameters():
            self._unknown(name)
        if isinstance(value, str):
            self._model.choose(name, text(f"parameter {name!r}", value))
        else:
            self._model.set(name, number(f"parameter {name!r}", value))

    def update(self, values: object = (), /, **more: "Number | str") -> None:
        """Sets several at once: what lies between them need not be possible.

        >>> import raak
        >>> model = raak.load("examples/four-bar.toml")
        >>> model.parameters.update(a=0.1, b=0.3)
        >>> model.parameters["a"], model.parameters["b"]
        (0.1, 0.3)
        """
        try:
            together = dict(values)  # type: ignore[call-overload]
        except (TypeError, ValueError):
            together = mapping_of("parameters", values, "values by name, as {'k': 1.0}")
        together = {**together, **more}
        known = self._model.parameters()
        for name in together:
            if name not in known:
                self._unknown(name)
        settings: "list[tuple[str, float | str]]" = []
        for name, value in together.items():
            what = f"parameter {name!r}"
            settings.append((name, text(what, value) if isinstance(value, str) else number(what, value)))
        if settings:
            self._model.set_all(settings)

    def __delitem__(self, name: str) -> None:
        raise RequestError(f"a parameter cannot be taken away: {name!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.parameters())

    def __len__(self) -> int:
        return len(self._model.parameters())

    def __repr__(self) -> str:
        return f"Parameters({dict(self)!r})"

    def _unknown(self, name: object) -> None:
        by_name(self._model.get, name, "a parameter")
