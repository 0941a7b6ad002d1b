"""Compiled functions: their address, what keeps it good, and how Python calls them."""

from __future__ import annotations

from typing import Any

_LOWEST_ADDRESS = 4096  # a system never lets the first page be used


class Compiled(int):
    """The address of a compiled function; ``owner`` is what frees it when it goes."""

    owner: Any = None


def compiled(what: str, value: Any, expected: str) -> Any:
    """Of a numba.cfunc, a function of ctypes or an address its ``Compiled``; whatever else comes back as it is."""
    address = value
    if isinstance(getattr(value, "address", None), int):
        address = value.address
    elif type(value).__module__ in ("ctypes", "_ctypes") or hasattr(value, "argtypes"):
        import ctypes

        address = ctypes.cast(value, ctypes.c_void_p).value or 0
    if isinstance(address, (bool, str)):
        raise TypeError(f"{what} expects {expected}, found {value!r}")
    if not isinstance(address, int):
        return value
    if address < _LOWEST_ADDRESS:
        raise TypeError(f"{what} expects {expected}, found {value!r}: no function has the address {int(address)}")
    function = Compiled(address)
    function.owner = value
    return function


def call_compiled(function: Compiled, shape: "tuple[int, ...]", t: float, *arrays: Any) -> Any:
    """What ``void (double t, const double* array, .., double* out)`` writes into an array of the shape."""
    import ctypes

    import numpy as np

    number = ctypes.POINTER(ctypes.c_double)
    out = np.zeros(shape)
    given = [np.ascontiguousarray(each, dtype=float) for each in arrays]
    ctypes.CFUNCTYPE(None, ctypes.c_double, *[number] * (len(given) + 1))(int(function))(
        t, *[each.ctypes.data_as(number) for each in (*given, out)])
    return out
