"""What the calls of a mechanism are given: in plain words of a model file, and where they stand."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import Any

from .arguments import number, text

_PACKAGE = os.path.dirname(__file__)


def caller() -> "tuple[str, int]":
    """The nearest line outside this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _PACKAGE:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def call_of(kind: str, name: str) -> str:
    """As errors of the library call an element: its name as a model file writes it."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return f'{kind} "' + re.sub("[\\x00-\\x1f\\x7f]", lambda found: f"\\u{ord(found[0]):04x}", escaped) + '"'


def one(thing: str) -> str:
    return f"{'an' if thing[0] in 'aeio' else 'a'} {thing}"


def in_python(message: str) -> str:
    """A message with what it advises in the words of calls."""
    message = re.sub(r'("ground" has no points; give it one: )points = \{ (.*) = \[\.\.\] \}', r'\1m.ground(points={"\2": (..)})', message)
    return re.sub(r"(has no points; give it one: )points = \{ (.*) = \[\.\.\] \}", r'\1points={"\2": (..)}', message)


def plain(what: str, value: Any) -> Any:
    """Numbers, texts, lists and dicts, of whatever looks like them: tuples, arrays, numbers of numpy."""
    try:
        return _plain(what, value)
    except RecursionError:
        raise TypeError(f"{what} expects a number, a text, a list or a dict of them, found one that contains itself") from None


def _plain(what: str, value: Any) -> Any:
    if isinstance(value, str):
        return text(what, value)
    if isinstance(value, (bool, float)):
        return value
    if isinstance(value, Mapping):
        return {_key(what, key): _plain(f"{what}: {key}", each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(what, each) for each in value]
    if hasattr(value, "tolist"):  # of numpy
        return _plain(what, value.tolist())
    if hasattr(value, "__float__"):
        return number(what, value)
    raise TypeError(f"{what} expects a number, a text, a list or a dict of them, found {value!r}")


def _key(what: str, key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{what}: a key expects a text, found {key!r}")
    text(f"{what}: a key", key)
    return key[:-1] if key.endswith("_") else key
