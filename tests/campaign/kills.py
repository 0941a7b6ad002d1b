"""Runs that are killed: at random moments, and where files change their names. Afterwards a folder holds the results of the run before or
of the new one, never of both, and the next run finds nothing in its way. A run with checkpoints that is resumed ends with the same bits."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time
import zipfile

from answers import RAAK, ROOT

SHIM = os.environ.get("RAAK_KILL_AT_NAME", str(ROOT / "build/release/raak_kill_at_name.so"))
FILES = ["report.html", "result.csv", "result.npz", "run.json"]
# The same motion with other rows: which run a file is of shows in each of them.
RUNS = {"old": ["double-pendulum", "--until", "1", "--every", "0.01"], "new": ["double-pendulum", "--until", "1", "--every", "0.002"]}
ROWS = {"old": 101, "new": 501}
# A tenth of a second or more each, by methods with little history and with much.
LONG = [["pendulum-chain", "--until", "4", "--every", "0.01", "--rtol", "1e-9"],
        ["double-pendulum", "--method", "adams", "--until", "200", "--every", "0.5", "--rtol", "1e-10"],
        ["andrews", "--method", "svd", "--until", "0.06", "--every", "0.0005", "--rtol", "1e-9"],
        ["bricard", "--method", "dop853", "--until", "70", "--every", "0.5", "--rtol", "1e-9"],
        ["heavy-top", "--until", "50", "--every", "0.5", "--rtol", "1e-9"],
        ["andrews", "--method", "radau", "--until", "0.08", "--every", "0.0005", "--rtol", "1e-9"],
        ["flyball-governor", "--method", "bdf", "--until", "6", "--every", "0.05", "--rtol", "1e-6"],
        ["four-bar", "--method", "generalized-alpha", "--until", "8", "--every", "0.1", "--rtol", "1e-5"]]
CHECKPOINT = ["--checkpoint", "0.004"]


def example(arguments):
    return [str(ROOT / "examples" / f"{arguments[0]}.toml"), *arguments[1:]]


def run(*arguments, **options):
    return subprocess.run([RAAK, *arguments], capture_output=True, text=True, timeout=600, **options)


def supports_resume():
    return "--resume" in run("run", "--help").stdout


def killed(arguments, delay=None, at_call=None, after=False):
    """Whether the run was killed before its end."""
    environment = dict(os.environ)
    if at_call is not None:
        environment |= {"LD_PRELOAD": SHIM, "RAAK_KILL_AT": str(at_call), **({"RAAK_KILL_AFTER": "1"} if after else {})}
    process = subprocess.Popen([RAAK, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    if delay is not None:
        time.sleep(delay)
        process.kill()
    return process.wait(timeout=600) == -signal.SIGKILL


def rows_of_csv(path):
    return sum(1 for line in path.read_text().splitlines() if line and not line.startswith(("#", "t,")))


def rows_of_npz(path):
    with zipfile.ZipFile(path) as archive, archive.open("t.npy") as file:
        header = file.read(128).decode("latin-1")
    return int(header.split("'shape': (")[1].split(",")[0].split(")")[0])


def whose(folder, name):
    """Which of the runs a file is of."""
    path = folder / name
    if not path.exists():
        return "absent"
    try:
        if name == "result.csv":
            count = rows_of_csv(path)
            return next((k for k, n in ROWS.items() if n == count), f"{count} rows")
        if name == "result.npz":
            count = rows_of_npz(path)
            return next((k for k, n in ROWS.items() if n == count), f"{count} rows")
        text = json.loads(path.read_text())["command"] if name == "run.json" else path.read_text()
        return "new" if "--every 0.002" in text else "old" if "--every 0.01" in text else "neither"
    except Exception as error:  # whatever is wrong with a file is a finding
        return f"unreadable: {type(error).__name__}: {error}"


class Kills:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.scratch = tempfile.TemporaryDirectory(prefix="raak-kills-")
        self.folder = pathlib.Path(self.scratch.name)
        self.before = self.folder / "before"
        done = run("run", *example(RUNS["old"]), "--quiet", "--out", str(self.before))
        assert done.returncode == 0, done.stderr
        began = time.monotonic()
        done = run("run", *example(RUNS["new"]), "--quiet", "--out", str(self.folder / "again"))
        self.duration = time.monotonic() - began
        assert done.returncode == 0, done.stderr
        self.calls = next(n for n in range(1, 1000) if not self.named_kill(n))

    def named_kill(self, call):
        """Whether a run makes so many calls that name files, over an earlier result."""
        target = self.folder / "count"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.before, target)
        return killed(["run", *example(RUNS["new"]), "--quiet", "--out", str(target)], at_call=call)

    def trial(self, while_named):
        """What is wrong after a kill, or nothing."""
        target = self.folder / "target"
        shutil.rmtree(target, ignore_errors=True)
        had = self.random.random() < 0.8
        if had:
            shutil.copytree(self.before, target)
        how = {"at_call": self.random.randint(1, self.calls), "after": self.random.random() < 0.5} if while_named else \
            {"delay": self.random.uniform(0, 1.2 * self.duration)}
        killed(["run", *example(RUNS["new"]), "--quiet", "--out", str(target)], **how)
        if wrong := self.state_after(target, had):
            return {"what": wrong, "how": how, "had": had, "files": sorted(p.name for p in target.iterdir()) if target.exists() else []}
        done = run("run", *example(RUNS["new"]), "--quiet", "--out", str(target))
        left = sorted(p.name for p in target.iterdir())
        if done.returncode != 0 or any(whose(target, f) != "new" for f in FILES) or left != FILES:
            return {"what": f"the next run ends with {done.returncode} and leaves {left}: {done.stderr[:300]}", "how": how, "had": had}
        return None

    def state_after(self, target, had):
        if not target.exists() or not (target / "run.json").exists() and not had:
            return None  # nothing was there, and nothing is claimed
        report = run("report", str(target), "--out", str(self.folder / "report.html"))
        if report.returncode != 0:
            return f"raak report ends with {report.returncode}: {report.stderr[:300]}"
        owners = {name: whose(target, name) for name in FILES}
        # A report that lacks can be written again; results cannot.
        if len({o for n, o in owners.items() if not (n == "report.html" and o == "absent")}) != 1:
            return f"files of different runs: {owners}"
        if owners["run.json"] not in ("old", "new"):
            return f"no run has these files: {owners}"
        table = self.folder / "table.csv"
        converted = run("convert", str(target), "--out", str(table))
        if converted.returncode != 0:
            return f"raak convert ends with {converted.returncode}: {converted.stderr[:300]}"
        if rows_of_csv(table) != ROWS[owners["run.json"]]:
            return f"raak convert gives {rows_of_csv(table)} rows of the {owners['run.json']} run"
        return None


class ResumedKills:
    """Needs raak run --checkpoint and --resume."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.scratch = tempfile.TemporaryDirectory(prefix="raak-kills-")
        self.folder = pathlib.Path(self.scratch.name)
        self.whole = {}  # by the arguments: how long it takes, and its table
        self.resumed = 0

    def uninterrupted(self, arguments):
        key = " ".join(arguments)
        if key not in self.whole:
            out = self.folder / f"whole{len(self.whole)}"
            began = time.monotonic()
            done = run("run", *example(arguments), "--quiet", "--out", str(out))
            assert done.returncode == 0, done.stderr
            self.whole[key] = time.monotonic() - began, (out / "result.csv").read_bytes()
        return self.whole[key]

    def trial(self):
        target = self.folder / "target"
        shutil.rmtree(target, ignore_errors=True)
        arguments = self.random.choice(LONG)
        duration, expected = self.uninterrupted(arguments)
        first = ["run", *example(arguments), "--quiet", *CHECKPOINT, "--out", str(target)]
        command = first
        kills = 0
        for _ in range(self.random.choice([1, 2, 3])):
            how = {"at_call": self.random.randint(1, 60), "after": self.random.random() < 0.5} if self.random.random() < 0.5 else \
                {"delay": self.random.uniform(0, 1.1 * duration)}
            if not killed(command, **how):
                break
            kills += 1
            command = self.continued(target, first)
            if command is None:
                break
            self.resumed += command is not first
        done = run(*command) if command else None
        if done and done.returncode == 2 and "has come to its end" in done.stderr:
            done = None
        if done and done.returncode != 0:
            return kills, {"what": f"{arguments}: raak {' '.join(command)} ends with {done.returncode}: {done.stderr[:300]}"}
        if (target / "result.csv").read_bytes() != expected:
            return kills, {"what": f"{arguments}: the resumed run has other bits than the uninterrupted one"}
        left = sorted(p.name for p in target.iterdir())
        if left != FILES:
            return kills, {"what": f"the resumed run leaves {left}"}
        return kills, None

    @staticmethod
    def continued(target, first):
        """The command that goes on after a kill; nothing where the run had ended."""
        if target.exists() and any("checkpoint" in p.name and not p.name.endswith(".partial") for p in target.iterdir()):
            return ["run", "--resume", str(target), "--quiet"]
        if (target / "run.json").exists():
            return None
        return first  # killed before its first checkpoint


def kill(count, seed, stop=lambda: False):
    """Kills so many runs, half of them while files are named: (how many, findings)."""
    kills = Kills(seed)
    findings, done = [], 0
    for i in range(count):
        if stop():
            break
        if wrong := kills.trial(while_named=i % 2 == 1):
            findings.append({"kind": "kill", "seed": seed, "number": i, **wrong})
        done += 1
    return done, findings


def kill_and_resume(count, seed, stop=lambda: False):
    kills = ResumedKills(seed)
    findings, done = [], 0
    while done < count and not stop():
        number, wrong = kills.trial()
        done += max(number, 1)
        if wrong:
            findings.append({"kind": "kill and resume", "seed": seed, "number": done, **wrong})
    if done >= 20 and kills.resumed == 0:
        findings.append({"kind": "kill and resume", "seed": seed, "what": "no kill fell after a checkpoint: nothing was resumed"})
    return done, findings
