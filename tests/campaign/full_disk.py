"""A disk that fills while results are written: what was computed is kept and readable, with a message and a note of what is missing.

Where a small file system can be mounted (root), that is done; otherwise a limit on the size of files stands for it."""

import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import tempfile

from answers import RAAK, ROOT
from kills import rows_of_csv

# How many rows there will be is known of the first only: that it does not fit may be said before it begins.
LONG = [[str(ROOT / "examples/double-pendulum.toml"), "--until", "5", "--every", "0.0005"],
        [str(ROOT / "examples/double-pendulum.toml"), "--until", "5", "--step", "0.0005", "--method", "dopri5"]]

FORMATS = [[], ["--format", "h5"], ["--format", "csv,npz,h5,json"]]

DOCUMENT = 50_000  # bytes, which run.json of these does not reach


def mount(folder, size):
    return os.geteuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], capture_output=True).returncode == 0


def limited(size):
    def set_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return set_limit


def trial(size, by_limit, arguments):
    """What is wrong, or nothing."""
    with tempfile.TemporaryDirectory(prefix="raak-disk-") as scratch:
        folder = pathlib.Path(scratch) / "disk"
        folder.mkdir()
        mounted = not by_limit and mount(str(folder), size)
        if not mounted and not by_limit:
            by_limit = True
        try:
            out = folder / "results"
            done = subprocess.run([RAAK, "run", *arguments, "--quiet", "--out", str(out)], capture_output=True, text=True, timeout=600,
                                  preexec_fn=limited(size) if by_limit else None)
            return judge(done, out, by_limit)
        finally:
            if mounted:
                subprocess.run(["umount", str(folder)], check=True)


def judge(done, out, by_limit):
    if done.returncode == 0:
        return None  # it had room enough
    if done.returncode not in (2, 3):
        return f"ends with {done.returncode} ({signal.Signals(-done.returncode).name if done.returncode < 0 else 'a code'}): {done.stderr[-300:]}"
    if "raak:" not in done.stderr:
        return "ends without a message"
    if done.returncode == 2 and ("are free" in done.stderr or "ulimit -f" in done.stderr) and not out.exists():
        return None  # foreseen: nothing was computed
    if not (table := out / "result.csv").exists():
        table = out / "result.csv.partial"  # where there is no room even for run.json
        if not table.exists() or str(table) not in done.stderr:
            kept = [p.name for p in out.iterdir()] if out.exists() else []
            return f"no rows are kept; there are {kept}: {done.stderr[-300:]}"
        if room_for_more(table, by_limit):
            return f"there is room for run.json, and the rows are no result: {done.stderr[-300:]}"
    if rows_of_csv(table) < 10:
        return f"only {rows_of_csv(table)} rows are kept"
    lines = table.read_text().splitlines()
    width = lines[0].count(",")
    if any(line.count(",") != width for line in lines[1:] if not line.startswith("#")):
        return "a row is cut"
    document = json.loads((out / "run.json").read_text()) if table.name == "result.csv" else None
    whole = document and document.get("missing") and "result.csv" not in document["missing"]
    if not whole and not lines[-1].startswith("# partial"):
        return f"{table.name} does not say that rows are missing"
    if document and "result.npz" in document["files"]:
        read = subprocess.run([RAAK, "convert", str(out), "--out", str(out.parents[1] / "copy.csv")], capture_output=True, text=True, timeout=600)
        if read.returncode != 0:
            return f"raak convert ends with {read.returncode}: {read.stderr[-300:]}"
    return None


def room_for_more(table, by_limit):
    """Whether a document would have had room after the rows."""
    about = os.statvfs(table)
    return not by_limit and about.f_bavail * about.f_frsize > DOCUMENT


def fill(count, seed):
    """(how many disks, findings)"""
    choose = random.Random(seed)
    findings = []
    for i in range(count):
        size = int(2 ** choose.uniform(16, 21)) // 4096 * 4096
        if wrong := trial(size, by_limit=i % 2 == 1, arguments=choose.choice(LONG) + choose.choice(FORMATS)):
            findings.append({"kind": "full disk", "seed": seed, "number": i, "what": wrong, "size": size, "by_limit": i % 2 == 1})
    return count, findings
