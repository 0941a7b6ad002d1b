"""Differences of constraints, which derivatives that are given are compared with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable

# Constraint(t, q): as many numbers each time.
Constraint = Callable[[float, Any], Any]


def jacobian(constraint: Constraint, t: float, q: Any, longer: float = 1.0) -> Any:
    """By central differences, of steps of about 6e-6."""
    import numpy as np

    columns = []
    for i, x in enumerate(q):
        h = longer * 6e-6 * max(1.0, abs(x))
        ahead, behind = q.copy(), q.copy()
        ahead[i] += h
        behind[i] -= h
        columns.append((constraint(t, ahead) - constraint(t, behind)) / (ahead[i] - behind[i]))
    return np.stack(columns, axis=1)


def bias(constraint: Constraint, t: float, q: Any, v: Any, longer: float = 1.0) -> Any:
    """With which G v' = bias: the second derivative along the motion, negative, of sixth order."""
    import numpy as np

    h = longer * 4e-3 / max(1.0, float(np.abs(v).max()))
    g = [constraint(t + k * h, q + k * h * v) for k in range(-3, 4)]
    weights = [1 / 90, -3 / 20, 3 / 2, -49 / 18, 3 / 2, -3 / 20, 1 / 90]
    return -sum(w * each for w, each in zip(weights, g)) / h ** 2


def settled(difference: Callable[[float], Any]) -> "tuple[Any, Any]":
    """``difference(longer)`` with steps that shrink until two agree, and how far these are apart.

    The motion may be far faster or smaller than the first step. Entries that never settle are an infinity apart.
    """
    import numpy as np

    best, apart, worst = None, None, np.inf
    before = difference(1.0)
    for k in range(1, 6):
        now = difference(0.25 ** k)
        with np.errstate(invalid="ignore"):
            change = np.abs(now - before)
            off = change / np.maximum(1.0, np.abs(now))
        change = np.where(off < 1e-3, change, np.inf)  # of what is not finite too
        off = np.where(np.isfinite(off), off, np.inf)
        if best is None or off.max() < worst:
            best, apart, worst = before, change, off.max()
        if worst < 1e-6:
            break
        before = now
    return best, apart


def places_beside(constraint: Constraint, t: float, q: Any, v: Any) -> "Iterator[tuple[float, Any, Any]]":
    """Moments that are not special, where the constraints hold: near the start, and as near as a small mechanism needs.

    A formula that is wrong may be right at the start, where angles and heights are zero.
    """
    import numpy as np

    size = float(np.abs(q).max())
    reaches = [0.05] if not 0.0 < size < 0.3 else [0.05, 0.05 * size]
    way = np.array([(-1) ** (i // 2) * (0.5 + 0.5 * (0.618034 * (i + 1) % 1.0)) for i in range(len(q))])
    for reach in reaches:
        at = t + 0.2 * reach
        near = _closed(constraint, at, q + reach * way)
        if near is None:
            continue
        G, h = jacobian(constraint, at, near), 1e-6
        slip = G @ (v + way) + (constraint(at + h, near) - constraint(at - h, near)) / (2 * h)
        yield at, near, v + way - np.linalg.lstsq(G, slip, rcond=1e-9)[0]


def _closed(constraint: Constraint, t: float, q: Any) -> Any:
    """The nearest q with constraint(t, q) = 0; None: not found."""
    import numpy as np

    for _ in range(20):
        change = np.linalg.lstsq(jacobian(constraint, t, q), constraint(t, q), rcond=1e-9)[0]
        q = q - change
        if np.abs(change).max() <= 1e-9 * max(1.0, float(np.abs(q).max())):
            return q
    return None
