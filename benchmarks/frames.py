#!/usr/bin/env python3
"""Measures what a recorded frame and a recorded row cost beside a step: chains of rods and examples.

    RAAK=build/release/raak benchmarks/frames.py [MODEL.toml]... [--repeats 5]

Each figure is the CPU time of recording (recording_seconds) in a run with many frames or rows, less that in the same run
with few, over how many there are more; the steps of all runs are the same. A step is what the integration takes, over
its steps. Of each the least of some runs. Told beside them, per step: what a run with results records whatever its
frames, the energy ledger and the looks inside of steps. Ends with 1 if a frame or a row takes longer than a step."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RAAK = os.environ.get("RAAK", str(ROOT / "build/release/raak"))
FEW, MANY = 2, 2002
SPAN = 3.0  # s
EXAMPLES = ("bicycle", "car-axis", "four-bar", "heavy-top", "slider-crank")


def measure(model, repeats, *options):
    """The least CPU times in s of the integration, over its steps, and of recording; and the steps."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repeats):
            done = subprocess.run([RAAK, "run", str(model), "--until", str(SPAN), "--json", "--out", folder, *options], capture_output=True, text=True, check=True)
            found.append(json.loads(done.stdout)["statistics"])
    steps = found[0]["steps"]
    return min(f["cpu_seconds"] for f in found) / steps, min(f["recording_seconds"] for f in found), steps


def compare(name, model, repeats):
    step, few, steps = measure(model, repeats, "--frames", str(FEW), "--at", str(SPAN))
    frame = (measure(model, repeats, "--frames", str(MANY), "--at", str(SPAN))[1] - few) / (MANY - FEW)
    row = (measure(model, repeats, "--frames", str(FEW), "--every", str(SPAN / MANY))[1] - few) / MANY
    print(f"{name}: a step {1e6 * step:.1f} us, a frame {1e6 * frame:.1f} us ({frame / step:.2f}), a row {1e6 * row:.1f} us ({row / step:.2f}), "
          f"beside them {1e6 * few / steps:.1f} us a step", flush=True)
    return max(frame, row) <= step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    serves = True
    with tempfile.TemporaryDirectory() as folder:
        models = options.models
        if not models:
            for count in (10, 30, 31, 100, 300):
                models.append(pathlib.Path(folder) / f"chain-of-{count}.toml")
                subprocess.run([RAAK, "new", "chain", "--count", str(count), "--out", str(models[-1])], check=True, capture_output=True)
            models += [path for name in EXAMPLES if (path := ROOT / "examples" / f"{name}.toml").exists()]
        for model in models:
            serves = compare(model.stem, model, options.repeats) and serves
    return 0 if serves else 1


if __name__ == "__main__":
    sys.exit(main())
