"""Where models come from: files, texts, and what is built in."""

from __future__ import annotations

import os

from . import _native, arguments
from .model import Model


def load(path: "str | os.PathLike[str]") -> Model:
    """The model of a file.

    >>> import raak
    >>> raak.load("examples/four-bar.toml").title
    'Four-bar linkage (crank-rocker)'
    """
    return Model(_native.load(arguments.path_of(path)))


def parse(text: str) -> Model:
    """The model of the text of a file.

    >>> import raak
    >>> raak.parse('''
    ... format = "raak/1"
    ... [ground.points]
    ... O = [0.0, 0.0]
    ... [bodies.arm]
    ... mass = 2.0
    ... inertia = 0.4
    ... com = [0.5, 0.0]
    ... points = { O = [0.0, 0.0] }
    ... [joints]
    ... hinge = { type = "revolute", pins = ["ground.O", "arm.O"] }
    ... ''').columns[1:4]
    ['q.arm.x', 'q.arm.y', 'q.arm.angle']
    """
    return Model(_native.parse(arguments.text("text", text)))


def problem(name: str) -> Model:
    """A built-in model: pendulum, andrews, andrews-iftomm, car-axis or slider-crank.

    >>> import raak
    >>> model = raak.problem("slider-crank")
    >>> model.parameters["beam"] = "nonlinear"
    """
    return Model(_native.problem(arguments.text("name", name)))
