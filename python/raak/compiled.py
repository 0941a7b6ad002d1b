"""Compiled functions: their address, what keeps it good, and how Python calls them."""

from __future__ import annotations

from typing import Any

_LOWEST_ADDRESS = 4096  # a system never lets the first page be used


class Compiled(int):
    """The address of a compiled function; ``owner`` is what frees it when it goes."""

    owner: Any = None


def compiled(what: str, value: Any, expected: str, *arrays: str) -> Any:
    """Of a numba.cfunc, a function of ctypes or an address its ``Compiled``; whatever else comes back as it is.

    ``arrays``: names of what it is given after t. A signature that is known must be that one.
    """
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
    known = _signature(value)
    if known is not None and known != ["double", *["double*"] * len(arrays)]:
        raise TypeError(f"{what} expects a compiled function (double t, {', '.join(f'double* {each}' for each in arrays)}), "
                        f"found one of ({', '.join(known)})")
    function = Compiled(address)
    function.owner = value
    return function


def _signature(value: Any) -> "list[str] | None":
    """What a compiled function takes, where ctypes or numba knows."""
    of_numba = getattr(getattr(value, "_sig", None), "args", None)
    if of_numba is not None:
        words = [str(each).replace("float64", "double") for each in of_numba]
        return ["double*" if word == "none*" else word for word in words]
    of_ctypes = getattr(value, "argtypes", None)
    return None if of_ctypes is None else [_word_of(each) for each in of_ctypes]


def _word_of(kind: Any) -> str:
    """Of a type of ctypes."""
    import ctypes

    if kind is ctypes.c_double:
        return "double"
    if kind is ctypes.c_void_p or getattr(kind, "_type_", None) is ctypes.c_double:
        return "double*"
    if hasattr(kind, "_dtype_"):  # of numpy.ctypeslib.ndpointer
        return "double*" if kind._dtype_ is None or kind._dtype_ == "float64" else f"{kind._dtype_}*"
    return str(getattr(kind, "__name__", kind))


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
