"""Raak: simulates constrained mechanisms.

>>> import raak
>>> model = raak.problem("andrews")          # or raak.load("x.toml"), raak.parse(text)
>>> model.parameters["c0"] = 4600            # live: nothing is recorded again
>>> r = model.run(until=0.03, rtol=1e-8)
>>> r.t.shape == r["F.x"].shape == r.q["beta"].shape
True
"""

from . import _native
from .columns import Columns, Moment
from .document import Document, Event, Singularity
from .equations import Problem
from .errors import AssemblyError, Error, ModelError, RequestError, SolveError, UnknownNameError
from .mechanism import Mechanism
from .model import Model
from .parameters import Parameters
from .result import Result
from .sources import load, parse, problem
from .stepper import Stepper
from .study import Assembly, Bench, Check, Explanation, Rows
from .sweeps import Sweep, load_sweep, sweep

__version__ = _native.version()

__all__ = [
    "Assembly", "AssemblyError", "Bench", "Check", "Columns", "Document", "Error", "Event", "Explanation", "Mechanism", "Model",
    "ModelError", "Moment", "Parameters", "Problem", "RequestError", "Result", "Rows", "Singularity", "SolveError", "Stepper",
    "Sweep", "UnknownNameError", "load", "load_sweep", "parse", "problem", "sweep",
]
