"""What a run says of itself while it goes on."""

from __future__ import annotations

import sys
import time
from typing import Callable


def watcher(progress: "bool | Callable[..., object]") -> "Callable[..., object]":
    """The function that is called after each step: the user's own, or a bar on standard error."""
    if callable(progress):
        return progress
    if progress is not True:
        raise TypeError(f"progress expects True or a function (t, start, until, steps), found {progress!r}")
    return Bar()


class Bar:
    """A line on standard error, written again at most ten times a second."""

    def __init__(self) -> None:
        self._next = time.monotonic() + 0.1
        self._shown = False

    def __call__(self, t: float, start: float, until: float, steps: int) -> None:
        now = time.monotonic()
        done = t == until
        if now < self._next and not (done and self._shown):
            return
        self._next = now + 0.1
        self._shown = True
        share = (t - start) / (until - start) if until != start else 1.0
        full = int(30 * share)
        end = "\n" if done else ""
        print(f"\r[{'#' * full}{' ' * (30 - full)}] {100 * share:3.0f} %  t = {t:.4g} s  {steps} steps", end=end,
              file=sys.stderr, flush=True)


class SweepBar:
    """The same for the cases of a sweep."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._next = self._began + 0.1
        self._shown = False

    def __call__(self, cases: int, failed: int, planned: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + 0.1
        self._shown = True
        rate = cases / (now - self._began)
        left = f"{(planned - cases) / rate:.0f} s left" if cases else ""
        print(f"\r{cases} of {planned} cases, {rate:.3g} runs/s, {failed} failed, {left}    ", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shown:
            print(file=sys.stderr)
