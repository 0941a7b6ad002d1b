"""The parameters of a model as a mapping."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Union

from . import _native
from .arguments import number
from .errors import RequestError, UnknownNameError


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
        text = self._model.text(name)
        try:
            return float(text)
        except ValueError:
            return text

    def __setitem__(self, name: str, value: "float | str") -> None:
        if name not in self._model.parameters():
            self._unknown(name)
        if isinstance(value, str):
            self._model.choose(name, value)
        else:
            self._model.set(name, number(f"parameter {name!r}", value))

    def update(self, *values: object, **more: "float | str") -> None:
        """Sets several at once: what lies between them need not be possible."""
        together = dict(*values, **more)
        known = self._model.parameters()
        for name in together:
            if name not in known:
                self._unknown(name)
        settings: "list[tuple[str, float | str]]" = []
        for name, value in together.items():
            settings.append((name, value if isinstance(value, str) else number(f"parameter {name!r}", value)))
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

    def _unknown(self, name: str) -> None:
        try:
            self._model.get(name)
        except RequestError as error:
            raise UnknownNameError(str(error)) from None
