#!/usr/bin/env python3
"""Compares auto with the better of gauss and radau: chains of rods, all examples, random mechanisms.

    RAAK=build/release/raak benchmarks/automatic.py [chains|examples|random|stiff]... [--count 300] [--seed 1] [--out FILE.json]

Two figures a model, each of auto over the smaller of the other two: CPU time, the least of some runs, and evaluations.
Of runs shorter than 2 ms, whose times are mostly noise, only evaluations are judged."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from random_mechanisms import write_mechanism

ROOT = pathlib.Path(__file__).resolve().parent.parent
RAAK = os.environ.get("RAAK", str(ROOT / "build/release/raak"))
METHODS = ("auto", "gauss", "radau")
SHORT = 2e-3  # s
LIMIT = 120.0  # s of a run


def run(model, method, *options, repeats=1):
    best = None
    for _ in range(repeats):
        try:
            done = subprocess.run([RAAK, "run", str(model), "--method", method, "--json", *options], capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode != 0:
            return None
        result = json.loads(done.stdout)
        found = {"cpu": result["statistics"]["cpu_seconds"], "evaluations": result["statistics"]["evaluations"], "used": result["method_used"]}
        if best is None or found["cpu"] < best["cpu"]:
            best = found
        if best["cpu"] > 0.3:
            break
    return best


def compare(name, model, *options, repeats=4):
    found = {method: run(model, method, *options, repeats=repeats) for method in METHODS}
    others = [found[m] for m in ("gauss", "radau") if found[m]]
    row = {"name": name, **{m: found[m] for m in METHODS}}
    if found["auto"] is None:
        row["failed"] = bool(others)
        return row
    if others:
        for key in ("cpu", "evaluations"):
            row[key] = found["auto"][key] / max(1e-9, min(o[key] for o in others))
        # Where evaluations of radau are few and its matrices large, fewer evaluations are no better: the evaluations of
        # the method that is faster count.
        faster = min(others, key=lambda o: o["cpu"])
        row["of_faster"] = found["auto"]["evaluations"] / max(1, faster["evaluations"])
        row["judged"] = found["auto"]["cpu"] > SHORT
    return row


def chains(folder, _):
    for count in (10, 20, 30, 31, 50, 100, 200, 300):
        model = folder / f"chain{count}.toml"
        subprocess.run([RAAK, "new", "chain", "--count", str(count), "--out", str(model)], check=True, capture_output=True)
        for until in (1, 3, 10):
            yield compare(f"chain of {count}, {until} s", model, "--until", str(until))


def examples(folder, _):
    for model in sorted((ROOT / "examples").glob("*.toml")):
        yield compare(model.stem, model)
    for name in ("pendulum", "andrews", "andrews-iftomm", "car-axis", "slider-crank"):
        yield compare(name, name)


def random(folder, options):
    for seed in range(options.seed, options.seed + options.count):
        model = folder / f"random{seed}.toml"
        model.write_text(write_mechanism(seed))
        yield compare(f"random {seed}", model)


def stiff(folder, _):
    """Undamped stiff springs at loose tolerances."""
    for stiffness in (1e4, 1e6, 1e8):
        for damping in (0.0, 2000.0):
            model = folder / f"spring{stiffness:g}-{damping:g}.toml"
            model.write_text(f"""format = "raak/1"
gravity = [0.0, -9.81]
[ground.points]
O = [0.0, 0.0]
[bodies.rod]
mass = 1.0
inertia = 0.083
com = [0.5, 0.0]
points = {{ O = [0.0, 0.0], A = [1.0, 0.0] }}
[bodies.bob]
type = "point"
mass = 1.0
[joints]
O = {{ type = "revolute", pins = ["ground.O", "rod.O"] }}
[forces]
spring = {{ type = "spring", between = ["rod.A", "bob"], stiffness = {stiffness:g}, length = 0.5, damping = {damping:g} }}
[start]
trust = {{ "rod.angle" = 0.0, "bob.x" = 1.5, "bob.y" = 0.0 }}
[runs.default]
until = 2.0
""")
            for rtol in ("1e-1", "1e-2", "1e-3", "1e-4"):
                yield compare(f"spring {stiffness:g} N/m, {damping:g} Ns/m, rtol {rtol}", model, "--rtol", rtol)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=["chains", "examples", "random", "stiff"])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out")
    options = parser.parse_args()
    everything = []
    with tempfile.TemporaryDirectory() as folder:
        for which in options.sets:
            rows = []
            for row in globals()[which](pathlib.Path(folder), options):
                rows.append(row)
                if row.get("failed"):
                    print(f"{row['name']}: auto failed where another method did not", flush=True)
                elif "cpu" in row and (row["evaluations"] > 2 and row["of_faster"] > 2 or row["judged"] and row["cpu"] > 2):
                    figures = "; ".join(f"{m} {row[m]['cpu']:.4f} s, {row[m]['evaluations']} evaluations ({row[m]['used']})" if row[m] else f"{m} failed" for m in METHODS)
                    print(f"{row['name']}: CPU x {row['cpu']:.2f}, evaluations x {row['evaluations']:.2f}: {figures}", flush=True)
            told = [row for row in rows if "cpu" in row]
            judged = [row for row in told if row["judged"]]
            print(f"{which}: {len(told)} of {len(rows)} compared; evaluations above 2 x the better: {sum(r['evaluations'] > 2 for r in told)}, "
                  f"above 2 x those of the faster: {sum(r['of_faster'] > 2 for r in told)}; CPU above 2 x: {sum(r['cpu'] > 2 for r in judged)} of {len(judged)}; "
                  f"worst CPU x {max((r['cpu'] for r in judged), default=0):.2f}; auto failed alone: {sum(bool(r.get('failed')) for r in rows)}", flush=True)
            everything += rows
    if options.out:
        pathlib.Path(options.out).write_text(json.dumps(everything, indent=1) + "\n")
    return 1 if any(row.get("failed") for row in everything) else 0


if __name__ == "__main__":
    sys.exit(main())
