"""Do the tests notice? ./dev faults [COUNT] [SEED] plants faults at random, runs the tests and lists the faults that survive.

Writes faults.json and faults.md into build/faults. The copy of the sources there is thrown away by the next call.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from judge import explore, judge, units_of  # noqa: E402
from plant import plant  # noqa: E402


def quietly(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout[-4000:] + done.stderr[-4000:])


def copy_of_sources(root, to):
    """The files that git knows, as they are in the working tree."""
    shutil.rmtree(to, ignore_errors=True)
    for name in subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.splitlines():
        if (root / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, to / name)


def configure(source):
    """Configures build/release there, and writes the commands that clang can read beside it."""
    quietly(["cmake", "--preset", "release"], source)
    commands = (source / "build/release/compile_commands.json").read_text()
    folder = source / "build/lint"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compile_commands.json").write_text(re.sub(r" -(Winvalid-pch|fpch-preprocess|include [^ ]*cmake_pch\.hxx)", "", commands))
    return folder


def build(source, jobs, faults):
    """Builds all; faults of files that GCC refuses are taken out, and the file is built as it was."""
    while True:
        done = subprocess.run(["ninja", "-C", "build/release", "-k", "0", "-j", str(jobs)], cwd=source, capture_output=True, text=True)
        if done.returncode == 0:
            return faults
        refused = {fault.path for fault in faults if re.search(rf"{re.escape(str(fault.path))}:\d+:\d+: error", done.stdout)}
        if not refused:
            sys.exit(done.stdout[-6000:])
        for path in refused:
            shutil.copy2(source.parent / "original" / path.relative_to(source), path)
        print(f"{len(refused)} files are built without their faults, which GCC refuses")
        faults = [fault for fault in faults if fault.path not in refused]


def page(rows, units):
    noticed = [row for row in rows if row["noticed"]]
    lines = ["# Planted faults", "", f"{len(noticed)} of {len(rows)} noticed by {len(units)} tests.", "", "| fault | place | kind | was | became | reached by |",
             "|---|---|---|---|---|---|"]
    for row in rows:
        if not row["noticed"]:
            cells = [str(row["fault"]), f"{row['file']}:{row['line']}", row["operator"], f"`{row['before'][:80]}`", f"`{row['after'][:80]}`",
                     f"{row['reached_by']} tests"]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=100)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    choice = parser.parse_args()
    folder = choice.root / "build/faults"
    source = folder / "source"
    copy_of_sources(choice.root, folder / "original")
    copy_of_sources(choice.root, source)
    faults = plant(source, configure(source), choice.count, choice.seed)
    faults = build(source, choice.jobs, faults)
    units = units_of(source / "build/release")
    explore(units, choice.jobs)
    for unit in units:
        if not unit.passes:
            print(f"fails without a fault, and is left out: {unit.name}")
    verdicts = judge(source, faults, units, choice.jobs)
    rows = [{**fault.row(), "file": str(fault.path.relative_to(source)), **verdicts[fault.number]} for fault in faults]
    (folder / "faults.json").write_text(json.dumps(rows, indent=1))
    (folder / "faults.md").write_text(page(rows, units))
    seen = sum(row["noticed"] is not None for row in rows)
    print(f"{seen} of {len(rows)} faults noticed (seed {choice.seed}); the others: {folder / 'faults.md'}")


if __name__ == "__main__":
    main()
