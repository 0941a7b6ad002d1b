"""Models: where they come from, and what is asked of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional

from . import _native
from .arguments import Number, Numbers, asked, flag, is_many, number, path_of, text, times, words
from .errors import RequestError, partial_as
from .parameters import Parameters
from .progress import watcher
from .result import Result
from .stepper import Stepper
from .study import Assembly, Bench, Check, Explanation, Progress
from .sweeps import Sweep, of_model
from .sweep_plan import plan_text, together


class Model:
    """A model that is ready to run: of a file, a text, a built-in problem, a mechanism or equations of your own.

    Any number of threads may run one model. To set a parameter while a run of it goes on is refused; give each thread
    a ``copy()``, which has parameters of its own.

    >>> import raak
    >>> model = raak.problem("andrews")
    >>> r = model.run(rtol=1e-8)
    >>> round(float(r["beta"][-1]), 6)
    15.810771
    """

    def __init__(self, native: _native.Model) -> None:
        self._model = native

    @property
    def name(self) -> str:
        return self._model.name()

    @property
    def title(self) -> str:
        return self._model.title()

    @property
    def runs(self) -> "list[str]":
        """Names of the runs that the model describes; the first is the default."""
        return self._model.runs()

    @property
    def columns(self) -> "list[str]":
        """Names of the columns of its results."""
        return self._model.columns()

    @property
    def parameters(self) -> Parameters:
        return Parameters(self._model)

    @parameters.setter
    def parameters(self, values: "Mapping[str, Number | str]") -> None:
        Parameters(self._model).update(values)

    @property
    def toml(self) -> str:
        """The text of its model file, with the parameters as they are now."""
        return self._model.toml("")

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes its model file, with the parameters as they are now.

        References belong to the parameters that they were computed with and are left out where those have changed.
        Comments stay unless that happens, or the file includes others.

        >>> import os, raak, tempfile
        >>> model = raak.load("examples/four-bar.toml")
        >>> model.parameters["a"] = 0.1
        >>> path = os.path.join(tempfile.mkdtemp(), "shorter.toml")
        >>> model.save(path)
        >>> raak.load(path).parameters["a"]
        0.1
        """
        target = path_of(path)
        content = self._model.toml(os.path.dirname(os.path.abspath(target)))
        with open(target, "w", encoding="utf-8", newline="") as file:
            file.write(content)

    def copy(self) -> "Model":
        """The same model with parameters of its own.

        >>> import raak
        >>> one = raak.problem("andrews")
        >>> other = one.copy()
        >>> other.parameters["c0"] = 4600
        >>> one.parameters["c0"]
        4530.0
        """
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._model = self._model.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> "Model":
        return self.copy()

    def run(self, until: Optional[Number] = None, *, method: Optional[str] = None, rtol: Optional[Number] = None,
            atol: Optional[Number] = None, every: Optional[Number] = None, at: Optional[Numbers] = None,
            trust: Optional[Mapping[str, Number]] = None, guess: Optional[Mapping[str, Number]] = None,
            form: Optional[str] = None, step: Optional[Number] = None, h0: Optional[Number] = None,
            run: Optional[str] = None, end_only: bool = False,
            progress: "Optional[bool | Callable[..., object]]" = None) -> Result:
        """Integrates to ``until`` (s) and returns the result; what is not given is as the model's run has it.

        ``every`` (s) or ``at`` (times) choose the samples, which are the accepted steps otherwise. ``trust`` are start
        values that hold, in place of those of the model; ``guess`` selects the branch. ``progress=True`` shows a bar; a
        function is called as ``progress(t, start, until, steps)`` after each step, and ends the run by returning False.
        ``end_only``: one sample, at the end, and no measures of quality, as in a sweep, without ``every`` and ``at``. The interpreter lock is free
        meanwhile. Ctrl-C raises KeyboardInterrupt with the result until then as its ``partial``.

        >>> import raak
        >>> r = raak.problem("pendulum").run(until=1, every=0.25)
        >>> r.t
        array([0.  , 0.25, 0.5 , 0.75, 1.  ])
        """
        arguments = asked(until=until, method=method, rtol=rtol, atol=atol, every=every, at=at, trust=trust, guess=guess,
                          form=form, step=step, h0=h0, run=run)
        if flag("end_only", end_only):
            arguments["end_only"] = True
        with partial_as(Result):
            return Result(self._model.run(arguments, watcher(progress) if progress else None))

    def stepper(self, until: Optional[Number] = None, *, method: Optional[str] = None, rtol: Optional[Number] = None,
                atol: Optional[Number] = None, trust: Optional[Mapping[str, Number]] = None,
                guess: Optional[Mapping[str, Number]] = None, form: Optional[str] = None,
                step: Optional[Number] = None, h0: Optional[Number] = None, run: Optional[str] = None) -> Stepper:
        """A run step by step, in a loop of your own.

        >>> import raak
        >>> for step in raak.problem("pendulum").stepper(until=0.5):
        ...     pass
        >>> step.t
        0.5
        """
        arguments = asked(until=until, method=method, rtol=rtol, atol=atol, trust=trust, guess=guess, form=form, step=step,
                          h0=h0, run=run)
        return Stepper(_native.Stepper(self._model, arguments))

    def sweep(self, vary: Optional[Mapping[str, Any]] = None, *, keep: Any, samples: Optional[int] = None,
              design: Optional[str] = None, seed: Optional[int] = None, run: Optional[str] = None, method: Optional[str] = None,
              until: Optional[Number] = None, rtol: Optional[Number] = None, atol: Optional[Number] = None,
              every: Optional[Number] = None, quantiles: Optional[Numbers] = None, bins: Optional[int] = None,
              sobol_indices: Optional[bool] = None, block: Optional[int] = None, exact: bool = False,
              threads: Optional[int] = None, out: "str | os.PathLike[str] | None" = None, resume: bool = False,
              shard: "Optional[tuple[int, int]]" = None, progress: "Optional[bool | Callable[..., object]]" = None,
              **names: Any) -> Sweep:
        """Runs the model with varied numbers and keeps some of each run, as arrays; as ``raak sweep`` (docs/sweeps.md).

        What varies are parameters, by their names, and in the mapping ``vary`` whatever else a plan file may vary: a
        list or an array of values, or a distribution as a plan file writes it, ``{"normal": [mean, deviation]}``,
        ``{"from": 1, "to": 2}``. ``keep`` names columns, of which the end is kept, or has words for each: ``{"F.x":
        ["end", "max", "at:0.01"]}``. ``design`` is "grid", or "sobol" where ``samples`` are asked for; "random",
        "latin-hypercube", or "table" of arrays of the same length. ``threads``: as many as there are. ``out`` is a folder
        that keeps what is done; with ``resume`` it goes on, and ``shard=(1, 4)`` takes a part. Ctrl-C raises
        KeyboardInterrupt with what is done as its ``partial``; ``progress(cases, failed, planned)`` ends it by returning False.

        >>> import numpy as np, raak
        >>> model = raak.load("examples/andrews.toml")
        >>> s = model.sweep(k=np.linspace(4500, 4560, 3), d=[0.0279, 0.0281], keep={"OF.angle": ["end", "max"]})
        >>> s["OF.angle.end"].reshape(s.shape).shape
        (3, 2)
        >>> s = model.sweep(k={"normal": [4530, 20]}, m5={"normal": [0.0705, 0.0005]}, samples=64, keep="OF.angle",
        ...                 sobol_indices=True)
        >>> s.summary.columns["OF.angle.end"].sobol.first.k > 0.1
        True
        """
        settings = {"seed": seed, "run": run, "method": method, "until": until, "rtol": rtol, "atol": atol, "every": every, "block": block}
        plan, table = plan_text(together(vary, names), keep, design, samples, settings,
                                {"quantiles": quantiles, "bins": bins, "sobol-indices": sobol_indices})
        return of_model(self._model, plan, table, threads, out, resume, exact, shard, progress)

    # --- beside a run ----------------------------------------------------------------------------------------------
    def assemble(self, trust: Optional[Mapping[str, Number]] = None, guess: Optional[Mapping[str, Number]] = None, *,
                 run: Optional[str] = None) -> Assembly:
        """The consistent start, with the values of ``trust`` held, and how the mechanism can move from there.

        Where joints cannot close an AssemblyError says which, as its ``open``.

        >>> import raak
        >>> a = raak.problem("andrews").assemble(trust={"beta": 0.2})
        >>> a.dof, a.rank, a.redundant, a.open
        (1, 6, [], [])
        """
        return Assembly(_native.assemble(self._model, asked(trust=trust, guess=guess, run=run)))

    def check(self, *, method: Optional[str] = None, rtol: Optional[Number] = None, atol: Optional[Number] = None,
              form: Optional[str] = None, run: Optional[str] = None) -> Check:
        """Runs what has a reference and counts the digits delivered, as ``raak check``: a row for each.

        What is not given is that of each run, rtol at most 1e-10.

        Ctrl-C raises KeyboardInterrupt with the rows until then as its ``partial``.

        >>> import raak
        >>> raak.problem("car-axis").check().passed
        True
        """
        with partial_as(Check):
            return Check(_native.check(self._model, asked(method=method, rtol=rtol, atol=atol, form=form, run=run)))

    def bench(self, methods: "Optional[str | Sequence[str]]" = None, rtol: "Optional[Number | Numbers]" = None, *,
              forms: "Optional[str | Sequence[str]]" = None, run: Optional[str] = None, until: Optional[Number] = None,
              progress: "Optional[bool | Callable[[dict[str, Any]], object]]" = None) -> Bench:
        """Correct digits and CPU time of methods over tolerances, as ``raak bench``: a row for each.

        Without ``methods`` all of them, without ``rtol`` from 1e-4 to 1e-10, two a decade. A model without a reference
        is compared with its own run at a tighter tolerance. ``progress=True`` counts rows; a function is called with
        each. Ctrl-C raises KeyboardInterrupt with the rows until then as its ``partial``.

        >>> import raak
        >>> rows = raak.problem("andrews").bench(methods="dop853", rtol=[1e-4, 1e-8])
        >>> [row.scd > 3 for row in rows], rows[0].cpu_us > 0
        ([True, True], True)
        """
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise TypeError(f"progress expects True or a function of a row, found {progress!r}")
        for name, given in [("methods", methods), ("forms", forms), ("rtol", rtol)]:
            if given is not None and is_many(given) and len(given) == 0:  # type: ignore[arg-type]
                raise RequestError(f"{name} expects at least one, found none; leave it out for all that raak bench takes")
        counter = Progress() if progress is True else None
        done = counter if counter is not None else progress if callable(progress) else None
        tolerances = [] if rtol is None else times(rtol, "rtol") if is_many(rtol) else [number("rtol", rtol)]
        try:
            with partial_as(Bench):
                return Bench(_native.bench(self._model, words("methods", methods), words("forms", forms),
                                           [float(each) for each in tolerances], text("run", "" if run is None else run),
                                           None if until is None else number("until", until), done))
        finally:
            if counter is not None:
                counter.end()

    def explain(self, *, until: Optional[Number] = None, method: Optional[str] = None, rtol: Optional[Number] = None,
                form: Optional[str] = None, trust: Optional[Mapping[str, Number]] = None,
                guess: Optional[Mapping[str, Number]] = None, run: Optional[str] = None) -> Explanation:
        """Looks at the model from all sides, as ``raak explain``: assembly, singular configurations, stiffness, what to try.

        >>> import raak
        >>> print(raak.problem("andrews").explain().finding)
        nothing is wrong with it
        """
        return Explanation(_native.explain(self._model, asked(until=until, method=method, rtol=rtol, form=form, trust=trust,
                                                              guess=guess, run=run)))

    def __reduce__(self) -> "tuple[Any, ...]":
        raise TypeError("a raak.Model cannot be pickled: pickle the path or text of its file and dict(model.parameters), and "
                        "load it where it is needed")

    def __repr__(self) -> str:
        return f"<raak.Model {self.name!r}>"
