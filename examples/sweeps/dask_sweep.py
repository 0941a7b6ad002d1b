"""A sweep shared out as futures: by Dask, or by processes of this machine where there is no Dask.

    python3 dask_sweep.py                            # here: Dask's processes (python3-distributed), or those of Python
    python3 dask_sweep.py tcp://scheduler:8786       # on the machines of a Dask scheduler, which need raak and pandas

A task takes the text of the model, the arguments of the sweep and which part of it is its own, and returns its rows:
the machines need no folder in common. The numbers of a case depend on the arguments and its own number alone, so that
the parts put together are the sweep, whoever computed them and in whatever order they come.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed

import pandas
import raak

MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "andrews.toml")
PARTS = 8
ARGUMENTS = {
    "k": {"normal": [4530.0, 20.0]},         # N/m
    "d": {"uniform": [0.02795, 0.02805]},    # m
    "samples": 512,
    "keep": {"OF.angle": ["end", "max"]},
}


def rows_of(text, part):
    """Rows of one part of the sweep, on one thread: the processors are shared by tasks."""
    return raak.parse(text).sweep(**ARGUMENTS, shard=(part, PARTS), threads=1).to_pandas()


def by_dask(text, scheduler):
    from dask.distributed import Client, as_completed

    with (Client(scheduler) if scheduler else Client(n_workers=2, threads_per_worker=1, dashboard_address=None)) as client:
        return [future.result() for future in as_completed([client.submit(rows_of, text, part) for part in range(1, PARTS + 1)])]


def by_processes(text):
    with ProcessPoolExecutor(2) as pool:
        return [future.result() for future in as_completed([pool.submit(rows_of, text, part) for part in range(1, PARTS + 1)])]


def main():
    model = raak.load(MODEL)
    text = model.toml  # with its parameters as they are set
    try:
        import dask.distributed  # noqa: F401

        parts = by_dask(text, sys.argv[1] if len(sys.argv) > 1 else None)
    except ImportError:
        if len(sys.argv) > 1:
            sys.exit("python3-distributed is not installed here")
        parts = by_processes(text)
    cases = pandas.concat(parts).sort_index()
    print(cases.describe().loc[["mean", "std", "min", "max"]])
    whole = model.sweep(**ARGUMENTS).to_pandas()
    print("the same as in one process, to the bit:", cases.equals(whole))
    return 0 if cases.equals(whole) else 1


if __name__ == "__main__":
    sys.exit(main())
