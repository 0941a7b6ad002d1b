"""What Raak and the reference answer for a mechanism, and how far they are apart."""

import csv
import json
import math
import os
import pathlib
import resource
import signal
import subprocess
import tempfile

from mechanism import ModelFile, lines_for_reference, reaction_names, reaction_values

ROOT = pathlib.Path(__file__).resolve().parents[2]
RAAK = os.environ.get("RAAK", str(ROOT / "build/release/raak"))
REFERENCE = os.environ.get("RAAK_REFERENCE", str(ROOT / "build/release/raak_reference"))
PATIENCE = 1800  # s on the clock, which only a machine that is far too busy takes
WORK = 60  # s of CPU: what takes longer hangs

PERTURBATION = 1e-6


class Reference:
    """The reference program, kept running."""

    def __init__(self):
        self.process = None

    def ask(self, m, times, perturbation=PERTURBATION, tolerance=1e-12):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([REFERENCE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(lines_for_reference(m, times, tolerance, perturbation))
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            self.process = None
            return {"status": "the reference ended"}
        return json.loads(line)

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None


def take_start(m, answer):
    """Velocities (and roundings of positions) that meet the rows, found by the reference."""
    for body, s in zip(m["bodies"], answer["start"]):
        body["position"], body["quaternion"], body["angle"], body["velocity"], body["omega"] = s[:3], s[3:7], s[7], s[8:11], s[11:14]


class Files:
    """Model files in a folder of their own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="raak-campaign-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.path = pathlib.Path(self.folder.name) / "model.toml"

    def write(self, m):
        self.path.write_text(ModelFile(m).text())
        return str(self.path)


def run_raak(path, *options, program=None):
    """The JSON document of a run; of one without a document what is known of its end."""
    code, out, errors = limited_run([program or RAAK, "run", path, "--json", *options])
    if code == -signal.SIGXCPU:
        return {"status": "hangs", "message": f"no answer after {WORK} s of CPU", "code": None}
    try:
        answer = json.loads(out)
    except json.JSONDecodeError:
        return {"status": "no answer", "message": (out + errors)[-2000:], "code": code}
    answer["code"] = code
    return answer


def limited_run(command):
    """Exit code and both outputs; -SIGXCPU where it works longer than WORK."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (WORK, WORK + 5))
        except ProcessLookupError:
            pass  # it has ended
        try:
            out, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return process.returncode, out, errors


def samples_of_raak(path, times):
    """Answers at several times, from the table that a run writes: each like the document of a run that ends there."""
    with tempfile.TemporaryDirectory(prefix="raak-campaign-") as folder:
        out = os.path.join(folder, "out")
        code, _, errors = limited_run([RAAK, "run", path, "--quiet", "--at", ",".join(map(repr, times)), "--out", out])
        if code != 0:
            return [{"status": "failed", "message": errors[-1000:], "code": code}]
        about = json.loads(pathlib.Path(out, "run.json").read_text())
        with open(os.path.join(out, "result.csv"), newline="") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    read = lambda text: float(text) if text not in ("", "nan") else None
    answers = []
    for row in rows:
        outputs = {name: read(row[name]) for name in about["outputs"]}
        final = {"q": [read(row[f"q.{n}"]) for n in about["names"]], "v": [read(row[f"v.{n}"]) for n in about["names_v"]]}
        answers.append({"status": "ok", "message": "", "code": 0, "t": read(row["t"]), "final": final, "outputs": outputs})
    return answers


def state_of_raak(m, answer):
    """Positions and velocities of each body as the reference lists them, and the reactions by name."""
    q, v = answer["final"]["q"], answer["final"]["v"]
    bodies = []
    i = k = 0
    for body in m["bodies"]:
        if m["planar"]:
            n = 2 if body["point"] else 3
            own, rates = q[i:i + n], v[k:k + n]
            angle, omega = (own[2], rates[2]) if n == 3 else (0.0, 0.0)
            bodies.append([own[0], own[1], 0.0, math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2), angle, rates[0], rates[1], 0.0, 0.0, 0.0, omega])
            i, k = i + n, k + n
        else:
            n = 3 if body["point"] else 7
            own = q[i:i + n] if n == 7 else [*q[i:i + n], 1.0, 0.0, 0.0, 0.0]
            rates = v[k:k + (3 if n == 3 else 6)]
            bodies.append([*own, 0.0, *rates[:3], *(rates[3:] or [0.0] * 3)])
            i, k = i + n, k + len(rates)
    return bodies


def gap_of_bodies(a, b):
    """Largest differences: of positions (m and rad) and of velocities."""
    position = velocity = 0.0
    for x, y in zip(a, b):
        sign = 1.0 if sum(p * q for p, q in zip(x[3:7], y[3:7])) >= 0 else -1.0
        gaps = [abs(p - q) for p, q in zip(x[:3], y[:3])] + [2 * abs(p - sign * q) for p, q in zip(x[3:7], y[3:7])] + [abs(x[7] - y[7])]
        position = max([position, *gaps])
        velocity = max([velocity, *(abs(p - q) for p, q in zip(x[8:], y[8:]))])
    return position, velocity


def sizes_of_bodies(bodies):
    """Scales of positions and of velocities, at least 1."""
    return (max([1.0, *(abs(x) for b in bodies for x in b[:3])]), max([1.0, *(abs(x) for b in bodies for x in b[8:])]))


def compare_reactions(m, sample, outputs):
    """The largest difference of reactions that are unique, and what is reported as a number though it is not, or the other way."""
    largest, scale, wrong = 0.0, 1.0, []
    for (name, _), (value, unique) in zip(reaction_names(m), reaction_values(m, sample)):
        got = outputs.get(name)
        if unique:
            scale = max(scale, abs(value))
            if got is None:
                wrong.append(f"{name} is absent, and unique: {value!r}")
            else:
                largest = max(largest, abs(got - value))
        elif got is not None:
            wrong.append(f"{name} is {got!r}, and not unique")
    return largest, scale, wrong
